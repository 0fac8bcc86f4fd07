import { Button, Classes } from '@blueprintjs/core';
import type { ReactNode } from 'react';
import { BusyButton } from '../../kit/BusyButton.tsx';
import { Failure } from '../../kit/form/Form.tsx';
import { UndoIcon } from '../../kit/icons.tsx';
import { useT } from '../../kit/language.ts';
import { T } from '../../kit/T.tsx';
import type { Tally } from './dnsDraft.ts';
import type { DnsEditor as Editor } from './useDnsEditor.ts';

/** Shows the unsaved changes: as signs for the eye, as words for a screen reader. */
export function TallyText({ tally, switchChanged }: { tally: Tally; switchChanged: boolean }) {
  const t = useT();
  const { added, changed, deleted } = tally;
  const words = [
    ...(added + changed + deleted > 0 ? [t('dns_editor.tally_words', { ...tally })] : []),
    ...(switchChanged ? [t('dns_editor.switch_changed')] : []),
  ];
  if (words.length === 0) return <span className="muted">{t('dns_editor.no_changes')}</span>;
  return (
    <>
      {t('dns_editor.unsaved')}{' '}
      {added + changed + deleted > 0 && (
        <strong aria-hidden="true" className="tally">
          {t('dns_editor.tally', { ...tally })}
        </strong>
      )}
      <span className={added + changed + deleted > 0 ? 'visually-hidden' : ''}>{words.join(', ')}</span>
    </>
  );
}

/** The unsaved changes, Undo, and while there are any the button that goes on with them. */
export function EditsLine({ editor, children }: { editor: Editor; children: ReactNode }) {
  const { tally, switchChanged, dirty, canUndo, busy } = editor;
  return (
    <div className="dns-bar-line">
      <span aria-live="polite" className="dns-tally">
        <TallyText tally={tally} switchChanged={switchChanged} />
      </span>
      {canUndo && (
        <Button
          icon={<UndoIcon />}
          disabled={busy}
          text={<T k="dns_editor.undo_edit" />}
          onClick={() => editor.edit({ do: 'undo' })}
        />
      )}
      {dirty && children}
    </div>
  );
}

/** The bar under the records: the unsaved changes, Undo and Review. */
export function RecordsBar({ editor, onReview }: { editor: Editor; onReview: () => void }) {
  const { busy, failure } = editor;
  return (
    <div className={`${Classes.DIALOG_FOOTER} dns-bar`}>
      <Failure text={failure} />
      <EditsLine editor={editor}>
        <BusyButton intent="primary" busy={busy} text={<T k="dns_editor.review" />} onClick={onReview} />
      </EditsLine>
    </div>
  );
}

/** The bar under the plan: Back and Save. */
export function ReviewBar({ editor, onSave }: { editor: Editor; onSave: () => void }) {
  const { plan, busy, failure, switchChanged } = editor;
  if (!plan) return null;
  const n = plan.creates.length + plan.updates.length + plan.deletes.length + (switchChanged ? 1 : 0);
  return (
    <div className={`${Classes.DIALOG_FOOTER} dns-bar`}>
      <Failure text={failure} />
      <div className={Classes.DIALOG_FOOTER_ACTIONS}>
        <Button disabled={busy} text={<T k="dns_editor.back" />} onClick={editor.closePlan} />
        {/* oxlint-disable-next-line jsx-a11y/no-autofocus -- the next step of what was pressed a moment ago */}
        <BusyButton autoFocus intent="primary" busy={busy} text={<T k="dns_editor.save" n={n} />} onClick={onSave} />
      </div>
    </div>
  );
}
