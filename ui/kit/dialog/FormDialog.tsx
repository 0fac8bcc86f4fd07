import { Button, Classes, type Intent } from '@blueprintjs/core';
import type { ReactNode } from 'react';
import { BusyButton } from '../BusyButton.tsx';
import { DialogFrame } from './DialogFrame.tsx';
import { Failure, submitOnKeys, type Submit } from '../form/Form.tsx';
import { T } from '../T.tsx';
import { useAskedClose } from './useAskedClose.tsx';
import './FormDialog.css';

interface FormDialogProps {
  title: ReactNode;
  /** The text of the submit button; `intent` is `primary` by default. */
  action: ReactNode;
  intent?: Intent;
  /** The text of the close button; "Cancel" by default. */
  cancel?: ReactNode;
  /** Disables submitting; `note` has to say why. */
  disabled?: boolean;
  /** Content beside the buttons. */
  note?: ReactNode;
  submit: Submit;
  /** Something was typed: closing and leaving ask first. */
  dirty?: boolean;
  /** Pixels; 500 by default. */
  width?: number;
  onClose: () => void;
  /** Stops what is submitted; absent: it can't be stopped. */
  onStop?: () => void;
  children: ReactNode;
}

/**
 * A dialog with a form: Ctrl+Enter submits from any field. Esc, the cross and Cancel close it, unless it is busy, and
 * ask first if something was typed. Mount it to open it.
 */
export function FormDialog({ title, submit, dirty = false, width = 500, onClose, children, ...foot }: FormDialogProps) {
  const { action, intent = 'primary', cancel, disabled = false, note, onStop } = foot;
  const asked = useAskedClose(dirty, onClose, submit.busy);
  const close = (): void => {
    if (!submit.busy) asked.close();
  };
  return (
    <DialogFrame title={title} width={width} busy={submit.busy} sticky={dirty} onClose={close}>
      {/* Key presses bubble up from the fields inside. */}
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- see above */}
      <form onSubmit={submit.onSubmit} onKeyDown={submitOnKeys} noValidate aria-busy={submit.busy}>
        <div className={Classes.DIALOG_BODY}>
          {children}
          <Failure text={submit.failure} />
        </div>
        <div className={Classes.DIALOG_FOOTER}>
          {note && <div className={Classes.DIALOG_FOOTER_MAIN_SECTION}>{note}</div>}
          <div className={Classes.DIALOG_FOOTER_ACTIONS}>
            <Button
              disabled={submit.busy && !onStop}
              text={cancel ?? <T k="ui.cancel" />}
              onClick={submit.busy && onStop ? onStop : close}
            />
            <BusyButton type="submit" intent={intent} disabled={disabled} busy={submit.busy} text={action} />
          </div>
        </div>
      </form>
      {asked.question}
    </DialogFrame>
  );
}
