import { useState, type ReactNode } from 'react';
import type { Key } from '../../../src/shared/i18n/index.ts';
import { refresh, type Call } from '../api.ts';
import { T } from '../T.tsx';
import { toast, toastFailure } from '../toasts.tsx';
import { Confirm } from './Confirm.tsx';

interface RemoveProps {
  title: ReactNode;
  children?: ReactNode;
  /** The sentence for a deletion that failed. */
  failed: string;
  /** The texts of the buttons, if not Delete and Cancel. */
  words?: { confirm: Key; cancel: Key };
  /** The calls to refetch after the deletion. */
  lists: readonly Call[];
  remove: () => Promise<{ message: string }>;
  /** Takes the deletion back, where that is possible. */
  undo?: { text: string; run: () => void } | undefined;
  onClose: () => void;
}

/** Confirms, deletes a row, and shows the result; for good, unless there is an `undo`. */
export function Remove({ title, children, failed, words, lists, remove, undo, onClose }: RemoveProps) {
  const [busy, setBusy] = useState(false);
  const run = async (): Promise<void> => {
    setBusy(true);
    try {
      const { message } = await remove();
      await refresh(...lists);
      toast.success(message, undo && { action: undo });
    } catch (error) {
      toastFailure(failed, error);
    }
    onClose();
  };
  return (
    <Confirm
      title={title}
      confirm={<T k={words?.confirm ?? 'sites.delete'} />}
      cancel={<T k={words?.cancel ?? 'ui.cancel'} />}
      busy={busy}
      onConfirm={() => void run()}
      onCancel={onClose}
    >
      {children}
    </Confirm>
  );
}
