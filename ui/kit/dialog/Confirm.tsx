import { Button, Classes, Dialog, type Intent } from '@blueprintjs/core';
import { useId, type ReactNode } from 'react';
import { BusyButton } from '../BusyButton.tsx';
import { useReturnFocus } from './dialogFocus.ts';
import { T } from '../T.tsx';

export interface ConfirmProps {
  title: ReactNode;
  children?: ReactNode;
  /** The verb of the action. */
  confirm: ReactNode;
  cancel?: ReactNode;
  intent?: Intent;
  busy?: boolean;
  onConfirm: () => void;
  onCancel: () => void;
}

/** Asks before an action that can't be undone. Cancel has the focus, and Esc cancels. */
export function Confirm({ title, children, confirm, cancel, intent = 'danger', busy = false, ...on }: ConfirmProps) {
  const id = useId();
  useReturnFocus();
  return (
    <Dialog
      isOpen
      role="alertdialog"
      className="confirm"
      aria-labelledby={id}
      canEscapeKeyClose={!busy}
      canOutsideClickClose={false}
      onClose={on.onCancel}
    >
      <div className={Classes.DIALOG_BODY}>
        <h2 id={id} className="bp6-heading confirm-title">
          {title}
        </h2>
        {children}
      </div>
      <div className={Classes.DIALOG_FOOTER}>
        <div className={Classes.DIALOG_FOOTER_ACTIONS}>
          {/* oxlint-disable-next-line jsx-a11y/no-autofocus -- inside a dialog that has just been opened by hand */}
          <Button autoFocus disabled={busy} text={cancel ?? <T k="ui.cancel" />} onClick={on.onCancel} />
          <BusyButton intent={intent} busy={busy} text={confirm} onClick={on.onConfirm} />
        </div>
      </div>
    </Dialog>
  );
}
