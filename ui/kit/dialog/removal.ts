import { toast, toastFailure, type ToastPlace } from '../toasts.tsx';

interface Removal {
  remove: () => Promise<{ message: string }>;
  restore: () => Promise<unknown>;
  /** Shows the lists as they are now, after either. */
  refresh: () => Promise<unknown>;
  words: { failed: string; undo: string; undoFailed: string };
  place: ToastPlace;
}

/** Deletes at once and offers the way back for as long as the message stands. */
export async function removeWithUndo({ remove, restore, refresh, words, place }: Removal): Promise<void> {
  const undo = async (): Promise<void> => {
    try {
      await restore();
      await refresh();
      // The button that was pressed went with the message.
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
