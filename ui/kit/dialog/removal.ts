import { toast, toastFailure, type ToastPlace } from '../toasts.tsx';

interface Removal {
  remove: () => Promise<{ message: string }>;
  restore: () => Promise<unknown>;
  /** Refetches the lists, after a deletion and after an undo. */
  refresh: () => Promise<unknown>;
  words: { failed: string; undo: string; undoFailed: string };
  place: ToastPlace;
}

/** Deletes at once and offers an undo for as long as the toast is shown. */
export async function removeWithUndo({ remove, restore, refresh, words, place }: Removal): Promise<void> {
  const undo = async (): Promise<void> => {
    try {
      await restore();
      await refresh();
      // The pressed button disappeared with the toast, and the focus with it.
      if (document.activeElement === document.body) document.getElementById('main')?.focus();
    } catch (error) {
      toastFailure(words.undoFailed, error, { place });
    }
  };
  try {
    const { message } = await remove();
    await refresh();
    toast.success(message, { place, action: { text: words.undo, run: () => void undo() } });
  } catch (error) {
    toastFailure(words.failed, error, { place });
  }
}
