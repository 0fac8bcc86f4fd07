import { Button, InputGroup, type InputGroupProps } from '@blueprintjs/core';
import { useEffect, useRef, type KeyboardEvent } from 'react';
import type { KeywordChange, KeywordView } from '../../src/shared/positions/keywords.ts';
import { ApiError, call } from '../kit/api.ts';
import { inTurn } from '../kit/form/inTurn.ts';
import type { TypedFields } from '../kit/form/useTyped.ts';
import { TrashIcon } from '../kit/icons.tsx';
import { useT } from '../kit/language.ts';
import { toast, toastFailure } from '../kit/toasts.tsx';
import { refreshKeywords } from './AddKeywords.tsx';

interface CellProps extends Omit<InputGroupProps, 'onBlur' | 'defaultValue'> {
  label: string;
  row: number;
  saved: string;
  fields: TypedFields;
  /** Returns the change that a text makes; undefined: it can't be saved, for the reason `unread`. */
  read: (text: string) => KeywordChange | undefined;
  unread?: string;
  /** Returns the reason of a refusal; undefined: it was saved. A toast tells it where the field is out of view, or no field is at fault. */
  save: (change: KeywordChange, isInView: boolean) => Promise<string | undefined>;
}

/** A field that is saved by Enter, when it is left, and as its row scrolls out of view. A refused text stays in it, with the reason. */
function Cell({ label, row, saved, fields, read, unread, save, ...input }: CellProps) {
  const t = useT();
  const { text, sent, fault } = fields.of(label) ?? {};
  const keep = async (isInView = true): Promise<void> => {
    if (text === undefined) return;
    const own = text.trim();
    // Leaving the field after Enter sends nothing, and the former text is a change again.
    if (own === (sent ?? saved)) {
      if (sent === undefined) fields.change(label, () => undefined);
      return;
    }
    const change = read(text);
    // A text that is sent again is no longer refused: closing need not ask about it.
    fields.change(label, (typed) => typed && { ...typed, sent: own, fault: change ? undefined : typed.fault });
    const refused = change ? await save(change, isInView) : (unread ?? t('error.invalid_value'));
    if (!change && !isInView) toast.error(`${t('keywords.save_failed')}: ${refused}`);
    fields.change(label, (typed) => {
      // Text typed meanwhile stays.
      if (!typed || (refused === undefined && typed.text === text)) return undefined;
      return { ...typed, sent: typed.sent === own ? undefined : typed.sent, fault: refused };
    });
  };
  // Saves when its row is out of view, or the dialog closed. A text that was refused before waits for the row.
  const leave = useRef(keep);
  useEffect(() => {
    leave.current = async () => (fault === undefined ? keep(false) : undefined);
  });
  useEffect(() => () => void leave.current(), []);
  const onKey = (event: KeyboardEvent): void => {
    if (event.key === 'Enter') void keep();
  };
  return (
    <span>
      <InputGroup
        {...input}
        size="small"
        aria-label={label}
        aria-invalid={fault !== undefined}
        intent={fault === undefined ? 'none' : 'danger'}
        value={text ?? saved}
        onChange={({ currentTarget: { value } }) => fields.change(label, (typed) => ({ ...typed, row, text: value }))}
        onBlur={() => void keep()}
        onKeyDown={onKey}
      />
      {fault !== undefined && (
        <small className="bad" role="alert">
          {fault}
        </small>
      )}
    </span>
  );
}

/** Returns the change that the text of a frequency makes; undefined: it is no number. */
export function frequencyIn(text: string): KeywordChange | undefined {
  const digits = text.replaceAll(/\s/g, '');
  if (digits === '') return { frequency: null };
  return /^\d{1,10}$/.test(digits) ? { frequency: Number(digits) } : undefined;
}

/** Returns the change that a text of tags makes. */
const tagsIn = (text: string): KeywordChange => ({
  tags: text
    .split(',')
    .map((tag) => tag.trim())
    .filter((tag) => tag !== ''),
});

interface KeywordRowProps {
  keyword: KeywordView;
  fields: TypedFields;
  onDelete: (keyword: KeywordView) => void;
}

/** A keyword with its tags, its wanted page and its frequency. */
export function KeywordRow({ keyword, fields, onDelete }: KeywordRowProps) {
  const t = useT();
  const { id, value, tags, target_url, frequency } = keyword;
  const save = async (change: KeywordChange, isInView: boolean): Promise<string | undefined> => {
    try {
      await inTurn(() => call('PUT /api/keywords/:id', { params: { id }, body: change, keepalive: true }));
      await refreshKeywords();
      return undefined;
    } catch (error) {
      const [field] = error instanceof ApiError ? Object.values(error.fields) : [];
      if (field === undefined || !isInView) toastFailure(t('keywords.save_failed'), error);
      return field ?? t('keywords.save_failed');
    }
  };
  return (
    <>
      <span className="keyword-value">{value}</span>
      <Cell
        label={t('keywords.tags_of', { keyword: value })}
        placeholder={t('keywords.tags')}
        saved={tags.join(', ')}
        row={id}
        fields={fields}
        read={tagsIn}
        save={save}
      />
      <Cell
        type="url"
        label={t('keywords.target_of', { keyword: value })}
        placeholder={t('keywords.target')}
        saved={target_url ?? ''}
        row={id}
        fields={fields}
        read={(text) => ({ target_url: text.trim() || null })}
        save={save}
      />
      <Cell
        inputMode="numeric"
        label={t('keywords.frequency_of', { keyword: value })}
        placeholder={t('keywords.frequency')}
        saved={frequency === null ? '' : String(frequency)}
        row={id}
        fields={fields}
        read={frequencyIn}
        unread={t('keyword.frequency_bad')}
        save={save}
      />
      <Button
        variant="minimal"
        size="small"
        icon={<TrashIcon />}
        aria-label={t('keywords.delete_one', { keyword: value })}
        onClick={() => onDelete(keyword)}
      />
    </>
  );
}
