import { T } from '../T.tsx';
import { Confirm } from './Confirm.tsx';

interface ConfirmCloseProps {
  onClose: () => void;
  onStay: () => void;
}

/** Asks before a dialog closes and drops what was typed. */
export function ConfirmClose({ onClose, onStay }: ConfirmCloseProps) {
  return (
    <Confirm
      title={<T k="ui.close_unsaved" />}
      confirm={<T k="ui.close_anyway" />}
      cancel={<T k="ui.stay" />}
      onConfirm={onClose}
      onCancel={onStay}
    />
  );
}
