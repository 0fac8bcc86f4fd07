import { Classes, Dialog } from '@blueprintjs/core';
import { useId, type ReactNode } from 'react';
import { DialogHead } from './DialogHead.tsx';
import { focusFirst, useReturnFocus } from './dialogFocus.ts';

interface InfoDialogProps {
  title: ReactNode;
  /** Pixels; 720 by default. */
  width?: number;
  onClose: () => void;
  children: ReactNode;
}

/** A dialog without a form. Mount it to open it. */
export function InfoDialog({ title, width = 720, onClose, children }: InfoDialogProps) {
  const id = useId();
  useReturnFocus();
  return (
    <Dialog
      isOpen
      aria-labelledby={id}
      className="form-dialog"
      style={{ width }}
      onOpening={focusFirst}
      onClose={onClose}
    >
      <DialogHead id={id} title={title} onClose={onClose} />
      <div className={Classes.DIALOG_BODY}>{children}</div>
    </Dialog>
  );
}
