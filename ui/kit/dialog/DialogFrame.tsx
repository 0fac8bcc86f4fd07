import { Dialog } from '@blueprintjs/core';
import { useId, type ReactNode } from 'react';
import { DialogHead } from './DialogHead.tsx';
import { focusFirst, useDialogKeys, useReturnFocus } from './dialogFocus.ts';

interface DialogFrameProps {
  title: ReactNode;
  /** In pixels. */
  width: number;
  busy?: boolean;
  /** A click outside does not close the dialog. */
  sticky?: boolean;
  onClose: () => void;
  children: ReactNode;
}

/** An open dialog with its title and cross; focuses its first field, and returns the focus when it is unmounted. */
export function DialogFrame({ title, width, busy = false, sticky = false, onClose, children }: DialogFrameProps) {
  const id = useId();
  useReturnFocus();
  useDialogKeys(id, onClose);
  return (
    <Dialog
      isOpen
      aria-labelledby={id}
      className="form-dialog"
      style={{ width }}
      onOpening={focusFirst}
      onClose={onClose}
      canOutsideClickClose={!sticky}
    >
      <DialogHead id={id} title={title} busy={busy} onClose={onClose} />
      {children}
    </Dialog>
  );
}
