import { Classes } from '@blueprintjs/core';
import type { ReactNode } from 'react';
import { DialogFrame } from './DialogFrame.tsx';

interface InfoDialogProps {
  title: ReactNode;
  /** Pixels; 720 by default. */
  width?: number;
  onClose: () => void;
  children: ReactNode;
}

/** A dialog without a form. Mount it to open it. */
export const InfoDialog = ({ title, width = 720, onClose, children }: InfoDialogProps) => (
  <DialogFrame title={title} width={width} onClose={onClose}>
    <div className={Classes.DIALOG_BODY}>{children}</div>
  </DialogFrame>
);
