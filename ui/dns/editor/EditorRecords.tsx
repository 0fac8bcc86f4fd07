import { Button, Callout, Classes, HTMLSelect, Switch } from '@blueprintjs/core';
import { useEffect, useRef, useState, type KeyboardEvent } from 'react';
import { EDITABLE_TYPES } from '../../../src/shared/dns/dns.ts';
import { BusyButton } from '../../kit/BusyButton.tsx';
import { EmptyState } from '../../kit/EmptyState.tsx';
import { SearchField } from '../../kit/form/SearchField.tsx';
import { AddIcon, UndoIcon } from '../../kit/icons.tsx';
import { useT } from '../../kit/language.ts';
import { T } from '../../kit/T.tsx';
import { keyName } from '../../kit/useKeys.ts';
import { isFound, type Edit } from './dnsDraft.ts';
import { DnsMeanwhile } from './DnsReview.tsx';
import { DnsRows } from './DnsRows.tsx';
import { OtherRecords, ZoneLine } from './DnsZone.tsx';
import type { DnsEditor as Editor } from './useDnsEditor.ts';

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

interface FilterProps {
  search: string;
  onSearch: (search: string) => void;
  /** A type of records; empty for all. */
  type: string;
  onType: (type: string) => void;
}

function RecordFilter({ search, onSearch, type, onType }: FilterProps) {
  const t = useT();
  return (
    <div className="dns-tools">
      <SearchField label={t('dns_editor.search')} value={search} onChange={onSearch} />
      <HTMLSelect
        aria-label={t('dns_editor.type')}
        value={type}
        onChange={(event) => onType(event.target.value)}
        options={[{ value: '', label: t('dns_editor.any_type') }, ...EDITABLE_TYPES]}
      />
    </div>
  );
}

/** The editable records with their search, and below them those that can't be edited. */
export function Records({ editor }: { editor: Editor }) {
  const region = useRef<HTMLDivElement>(null);
  const [search, setSearch] = useState('');
  const [type, setType] = useState('');
  const { draft, base, busy } = editor;
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
          aria-disabled={busy}
          labelElement={<T k="dns_editor.copy_on_transfer" />}
          onChange={(event) => editor.edit({ do: 'copyOnTransfer', value: event.target.checked ? 'on' : 'off' })}
        />
      </div>
      {draft.rows.length > SEARCHED_FROM && (
        <RecordFilter search={search} onSearch={setSearch} type={type} onType={setType} />
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
          locked={busy}
          region={region}
          onEdit={(edit) => editInPlace(region.current, editor, edit)}
          onLeave={editor.leave}
        />
      )}
      <Button
        className="add-record"
        icon={<AddIcon />}
        text={<T k="dns_editor.add" />}
        aria-disabled={busy}
        onClick={() => editor.edit({ do: 'add' })}
      />
      <OtherRecords records={base.others} zone={base.zone.name} />
    </div>
  );
}
