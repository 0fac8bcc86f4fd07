import { Button, Callout, Classes, Dialog, HTMLSelect, Switch } from '@blueprintjs/core';
import { AddIcon, UndoIcon } from '../kit/icons.tsx';
import { useEffect, useId, useRef, useState, type KeyboardEvent, type ReactNode } from 'react';
import { EDITABLE_TYPES } from '../../src/shared/dns/dns.ts';
import { Confirm } from '../kit/dialog/Confirm.tsx';
import { useT } from '../kit/language.ts';
import { BusyButton } from '../kit/BusyButton.tsx';
import { DialogHead } from '../kit/dialog/DialogHead.tsx';
import { focusFirst, useReturnFocus } from '../kit/dialog/dialogFocus.ts';
import { isFound, type Edit, type Tally } from './dnsDraft.ts';
import { DnsMeanwhile, DnsReview } from './DnsReview.tsx';
import { DnsRows } from './DnsRows.tsx';
import { OtherRecords, ZoneLine } from './DnsZone.tsx';
import { EmptyState } from '../kit/EmptyState.tsx';
import { Failure } from '../kit/form/Form.tsx';
import { SearchField } from '../kit/form/SearchField.tsx';
import { T } from '../kit/T.tsx';
import { useDnsEditor, type DnsEditor as Editor, type DomainDns } from './useDnsEditor.ts';
import { keyName } from '../kit/useKeys.ts';
import './DnsEditor.css';

// Fewer records need no search field.
const SEARCHED_FROM = 10;

const isTextField = (target: EventTarget): boolean => target instanceof HTMLInputElement && target.type !== 'checkbox';

/** Returns the record that an element belongs to, and its column. */
function placeOf(target: EventTarget): { key: string; index: number; field: string | null } | null {
  const record = target instanceof Element ? target.closest<HTMLElement>('[data-key]') : null;
  if (!record || !(target instanceof Element)) return null;
  const index = Number(record.closest<HTMLElement>('[data-index]')?.dataset['index']);
  return { key: record.dataset['key'] ?? '', index, field: target.getAttribute('data-field') };
}

/** Focuses the same column of the next record; after the last one, the button that adds a record. */
function focusNext(region: Element, index: number, field: string): void {
  const next = region.querySelector<HTMLElement>(`[data-index="${index + 1}"] [data-field="${field}"]`);
  (next ?? region.querySelector<HTMLElement>('.add-record'))?.focus();
}

/** Applies an edit; if that removed the focused element, focuses the record's button, or else the add button. */
function editInPlace(region: Element | null, editor: Editor, edit: Edit): void {
  editor.edit(edit);
  if (edit.do !== 'delete' && edit.do !== 'revert') return;
  requestAnimationFrame(() => {
    const button = region?.querySelector<HTMLElement>(`[data-key="${CSS.escape(edit.key)}"] .record-actions button`);
    (button ?? region?.querySelector<HTMLElement>('.add-record'))?.focus();
  });
}

/** Handles the keys inside the list of records. */
function onRecordKey(event: KeyboardEvent<HTMLElement>, editor: Editor): void {
  const place = placeOf(event.target);
  if (!place) return;
  const key = keyName(event);
  if ((key === 'Enter' || key === 'NumpadEnter') && place.field !== null) {
    event.preventDefault();
    focusNext(event.currentTarget, place.index, place.field);
  }
  if (key === 'Delete' && !isTextField(event.target)) {
    event.preventDefault();
    editInPlace(event.currentTarget, editor, { do: 'delete', key: place.key });
  }
}

/** Shows the unsaved changes: as signs for the eye, as words for a screen reader. */
function TallyText({ tally, switchChanged }: { tally: Tally; switchChanged: boolean }) {
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

function SavedNote({ editor }: { editor: Editor }) {
  const t = useT();
  if (!editor.saved) return null;
  const what = t('dns_editor.tally_words', { ...editor.saved.tally });
  return (
    <Callout intent="success" className="dns-note">
      <div className="saved-note">
        <span>
          <T k="dns_editor.saved_what" what={what} />
        </span>
        <BusyButton
          size="small"
          icon={<UndoIcon />}
          busy={editor.busy}
          text={<T k="dns_editor.restore" />}
          onClick={() => void editor.restore()}
        />
      </div>
    </Callout>
  );
}

function Records({ editor }: { editor: Editor }) {
  const t = useT();
  const region = useRef<HTMLDivElement>(null);
  const [search, setSearch] = useState('');
  const [type, setType] = useState('');
  const { draft, base } = editor;
  const found = draft.rows.filter((row) => isFound(row, search, type));
  const { meanwhile } = editor;
  useEffect(() => {
    // The notes about changes made elsewhere are above the records.
    if (meanwhile.length > 0) region.current?.scrollTo(0, 0);
  }, [meanwhile]);
  return (
    // Key presses bubble up from the fields inside.
    // oxlint-disable-next-line jsx-a11y/no-static-element-interactions -- see above
    <div ref={region} className={`${Classes.DIALOG_BODY} dns-body`} onKeyDown={(event) => onRecordKey(event, editor)}>
      <DnsMeanwhile meanwhile={meanwhile} zone={base.zone.name} />
      <SavedNote editor={editor} />
      <div className="dns-tools">
        <ZoneLine zone={base.zone} />
        <Switch
          className="copy-switch"
          checked={draft.copyOnTransfer === 'on'}
          labelElement={<T k="dns_editor.copy_on_transfer" />}
          onChange={(event) => editor.edit({ do: 'copyOnTransfer', value: event.target.checked ? 'on' : 'off' })}
        />
      </div>
      {draft.rows.length > SEARCHED_FROM && (
        <div className="dns-tools">
          <SearchField label={t('dns_editor.search')} value={search} onChange={setSearch} />
          <HTMLSelect
            aria-label={t('dns_editor.type')}
            value={type}
            onChange={(event) => setType(event.target.value)}
            options={[{ value: '', label: t('dns_editor.any_type') }, ...EDITABLE_TYPES]}
          />
        </div>
      )}
      {found.length === 0 ? (
        <EmptyState>
          <T k={draft.rows.length === 0 ? 'dns_editor.none' : 'ui.nothing_found'} />
        </EmptyState>
      ) : (
        <DnsRows
          rows={found}
          zone={base.zone.name}
          touched={editor.isTouched}
          fresh={editor.fresh}
          region={region}
          onEdit={(edit) => editInPlace(region.current, editor, edit)}
          onLeave={editor.leave}
        />
      )}
      <Button
        className="add-record"
        icon={<AddIcon />}
        text={<T k="dns_editor.add" />}
        onClick={() => editor.edit({ do: 'add' })}
      />
      <OtherRecords records={base.others} zone={base.zone.name} />
    </div>
  );
}

/** The bar under the records: the unsaved changes, Undo and Review. */
function RecordsBar({ editor, onReview }: { editor: Editor; onReview: () => void }) {
  const { tally, switchChanged, dirty, canUndo, busy, failure } = editor;
  return (
    <div className={`${Classes.DIALOG_FOOTER} dns-bar`}>
      <Failure text={failure} />
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
        {dirty && <BusyButton intent="primary" busy={busy} text={<T k="dns_editor.review" />} onClick={onReview} />}
      </div>
    </div>
  );
}

function ReviewBar({ editor, onSave }: { editor: Editor; onSave: () => void }) {
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

function UnsafeQuestion({ editor, onClose }: { editor: Editor; onClose: () => void }) {
  const { plan, base, busy } = editor;
  if (!plan) return null;
  const numbers = { n: plan.deletes.length, total: plan.total };
  return (
    <Confirm
      title={<T k="dns_editor.unsafe_title" zone={base.zone.name} {...numbers} />}
      confirm={<T k="dns_editor.unsafe_confirm" {...numbers} />}
      busy={busy}
      onCancel={onClose}
      onConfirm={() => void editor.save(true).then(onClose)}
    >
      <T k="dns_editor.unsafe_text" />
    </Confirm>
  );
}

type Question = 'close' | 'unsafe';

interface DnsEditorProps {
  id: number;
  first: DomainDns;
  title: ReactNode;
  onClose: () => void;
}

/**
 * Edits the records of a domain's zone: edits are reviewed as a plan, then saved, and a save can be restored. Enter
 * goes to the next record, Delete marks one as deleted, Ctrl+Z undoes an edit, Ctrl+S reviews; Esc asks first if
 * something is not saved.
 */
export function DnsEditor({ id, first, title, onClose }: DnsEditorProps) {
  const titleId = useId();
  useReturnFocus();
  const editor = useDnsEditor(id, first);
  const [question, setQuestion] = useState<Question>();
  const dialog = useRef<HTMLDivElement>(null);
  const isOpen = useRef(false);
  useEffect(() => {
    // The focused element may have been removed with the step or the edit; without focus the keys would stop working.
    if (isOpen.current && document.activeElement === document.body) dialog.current?.focus();
  });
  const { plan, dirty, busy } = editor;
  const close = (): void => {
    if (busy) return;
    if (plan) editor.closePlan();
    else if (dirty) setQuestion('close');
    else onClose();
  };
  const review = async (): Promise<void> => {
    if (await editor.review()) return;
    // The faults are rendered one frame later.
    requestAnimationFrame(() => dialog.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus());
  };
  const save = (): void => {
    if (plan?.unsafe) setQuestion('unsafe');
    else void editor.save(false);
  };
  const onKey = (event: KeyboardEvent): void => {
    const key = keyName(event);
    const on = plan ? save : () => void review();
    const act = { 'Ctrl+KeyS': on, 'Ctrl+Enter': on, 'Ctrl+KeyZ': () => editor.edit({ do: 'undo' }) }[key];
    if (!act || question) return;
    event.preventDefault();
    if (!busy && (dirty || key === 'Ctrl+KeyZ') && !(plan && key === 'Ctrl+KeyZ')) act();
  };
  return (
    <Dialog
      isOpen
      aria-labelledby={titleId}
      className="form-dialog dns-dialog"
      onOpening={focusFirst}
      onOpened={() => {
        isOpen.current = true;
      }}
      onClose={close}
      canOutsideClickClose={!dirty}
    >
      <DialogHead id={titleId} title={title} busy={busy} onClose={close} />
      {/* oxlint-disable-next-line jsx-a11y/no-static-element-interactions -- the keys come from the fields inside */}
      <div ref={dialog} tabIndex={-1} className="dns-editor" aria-busy={busy} onKeyDown={onKey}>
        {plan ? (
          <>
            <div className={`${Classes.DIALOG_BODY} dns-body`}>
              <DnsReview
                plan={plan}
                zone={editor.base.zone.name}
                copyOnTransfer={editor.switchChanged ? editor.draft.copyOnTransfer : undefined}
              />
            </div>
            <ReviewBar editor={editor} onSave={save} />
          </>
        ) : (
          <>
            <Records editor={editor} />
            <RecordsBar editor={editor} onReview={() => void review()} />
          </>
        )}
      </div>
      {question === 'close' && (
        <Confirm
          title={<T k="ui.close_unsaved" />}
          confirm={<T k="ui.close_anyway" />}
          cancel={<T k="ui.stay" />}
          onConfirm={onClose}
          onCancel={() => setQuestion(undefined)}
        />
      )}
      {question === 'unsafe' && <UnsafeQuestion editor={editor} onClose={() => setQuestion(undefined)} />}
    </Dialog>
  );
}
