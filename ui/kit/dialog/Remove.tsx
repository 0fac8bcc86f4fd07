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
  /** The words of the buttons, where they are not Delete and Cancel. */
  words?: { confirm: Key; cancel: Key };
  /** The lists that are asked for again. */
  lists: Call[];
  remove: () => Promise<{ message: string }>;
  onClose: () => void;
}

/** Asks before a row is deleted for good, deletes it, and says so. */
export function Remove({ title, children, failed, words, lists, remove, onClose }: RemoveProps) {
  const [busy, setBusy] = useState(false);
  const run = async (): Promise<void> => {
    setBusy(true);
    try {
      const { message } = await remove();
      await refresh(...lists);
      toast.success(message);
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
