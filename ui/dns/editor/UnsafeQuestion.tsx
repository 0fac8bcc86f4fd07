import { Confirm } from '../../kit/dialog/Confirm.tsx';
import { T } from '../../kit/T.tsx';
import type { DnsEditor } from './useDnsEditor.ts';

interface UnsafeQuestionProps {
  editor: DnsEditor;
  /** How many records would be deleted, and of how many. */
  n: number;
  total: number;
  onClose: () => void;
}

/** Asks before a save that leaves few records or none. */
export function UnsafeQuestion({ editor, onClose, ...numbers }: UnsafeQuestionProps) {
  return (
    <Confirm
      title={<T k="dns_editor.unsafe_title" zone={editor.base.zone.name} {...numbers} />}
      confirm={<T k="dns_editor.unsafe_confirm" {...numbers} />}
      busy={editor.busy}
      onCancel={onClose}
      onConfirm={() => void editor.save(true).then(onClose)}
    >
      <T k="dns_editor.unsafe_text" />
    </Confirm>
  );
}
