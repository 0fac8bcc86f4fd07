import { Button } from '@blueprintjs/core';
import { useId, useState, type FocusEvent, type KeyboardEvent, type ReactElement } from 'react';
import { say } from '../../src/shared/i18n/index.ts';
import type { TableColumn, TableRow } from '../../src/shared/system/table-editor.ts';
import { ApiError, messageOf } from '../kit/api.ts';
import { BusyButton } from '../kit/BusyButton.tsx';
import { useLanguage, useT } from '../kit/language.ts';
import { Message } from '../kit/T.tsx';
import { toastFailure } from '../kit/toasts.tsx';
import type { CellEdits } from './cellEdits.ts';
import { textOf } from './fields.ts';
import { ReferenceInput } from './ReferenceInput.tsx';

/** The props of every kind of field of a cell. */
export interface CellInputProps {
  value: string;
  /** `final`: a choice of which nothing is left to type. */
  onChange: (value: string, final?: boolean) => void;
  field: {
    'aria-label': string;
    'aria-invalid': boolean;
    'aria-describedby': string | undefined;
    readOnly: boolean;
    onKeyDown: (event: KeyboardEvent<HTMLElement>) => void;
    onBlur: (event: FocusEvent<HTMLElement>) => void;
  };
}

interface CellEditorProps {
  row: TableRow;
  column: TableColumn;
  edits: CellEdits;
  /** On a card it is saved by a button, and not by leaving the field: a touch elsewhere scrolls. */
  onCard: boolean;
}

const typedOf = (column: TableColumn, row: TableRow): string => {
  const text = textOf(column, row[column.name]);
  return column.kind === 'time' ? text.slice(0, 10) : text;
};

/** Keeps the typed text and saves it; a refusal is shown at the cell and leaves the text. */
function useCellEditor({ row, column, edits }: Omit<CellEditorProps, 'onCard'>) {
  const t = useT();
  const language = useLanguage();
  const { save, reread, close, isOpen } = edits;
  const [base, setBase] = useState(() => edits.draft()?.row ?? row);
  const [typed, setTyped] = useState(() => edits.draft()?.typed ?? typedOf(column, base));
  const [error, setError] = useState<string>();
  const [busy, setBusy] = useState(false);
  const keep = (text: string, version = base): void => {
    edits.keep({ typed: text, row: version });
    setTyped(text);
    setBase(version);
    setError(undefined);
  };
  const explain = async (failure: unknown, text: string): Promise<string> => {
    if (!(failure instanceof ApiError) || failure.code !== 'stale') {
      const reason = failure instanceof ApiError ? failure.fields[column.name] : undefined;
      return reason === undefined ? messageOf(failure) : say(language, reason);
    }
    const now = await reread(base.id).catch(() => undefined);
    if (!now) return messageOf(failure);
    keep(text, now);
    return t('tables.stale_cell', { value: typedOf(column, now) || '–' });
  };
  const submit = async (text: string, step: number | undefined): Promise<void> => {
    if (busy) return;
    if (text === typedOf(column, base)) {
      close(step);
      return;
    }
    setBusy(true);
    try {
      await save(base, column, text);
      close(step);
    } catch (failure) {
      // Its field has given way to that of another cell: what was typed is told instead.
      if (!isOpen()) {
        toastFailure(t('tables.cell_failed', { column: column.name, id: base.id, typed: text }), failure);
        return;
      }
      const reason = await explain(failure, text);
      setBusy(false);
      setError(reason);
    }
  };
  return { typed, error, busy, keep, submit, close };
}

/** A field in the place of a cell, by the kind of its column: Enter and Tab save, Esc gives the former value back; on a card two buttons do. */
export function CellEditor(props: CellEditorProps) {
  const { column, onCard } = props;
  const t = useT();
  const { typed, error, busy, keep, submit, close } = useCellEditor(props);
  const id = useId();
  const onKeyDown = (event: KeyboardEvent<HTMLElement>): void => {
    if (event.defaultPrevented || event.nativeEvent.isComposing) return;
    if (event.key === 'Escape') close(0);
    else if (event.key === 'Enter') void submit(typed, 0);
    else if (event.key === 'Tab' && !onCard) void submit(typed, event.shiftKey ? -1 : 1);
    else return;
    event.preventDefault();
    event.stopPropagation();
  };
  // Another window may have the focus for a while. A value that was refused waits for a decision.
  const onBlur = (): void => {
    if (!onCard && document.hasFocus() && error === undefined) void submit(typed, undefined);
  };
  const input: CellInputProps = {
    value: typed,
    onChange: (value, final = false) => {
      keep(value);
      if (final && !onCard) void submit(value, 0);
    },
    field: {
      'aria-label': column.name,
      'aria-invalid': error !== undefined,
      'aria-describedby': error === undefined ? undefined : id,
      readOnly: busy,
      onKeyDown,
      onBlur,
    },
  };
  return (
    <div className="cell-editor" aria-busy={busy}>
      {fieldOf(column, input)}
      {error !== undefined && (
        <div className="cell-error" role="alert" id={id}>
          <Message text={error} />
        </div>
      )}
      {onCard && (
        <div className="cell-acts">
          <BusyButton
            size="small"
            intent="primary"
            busy={busy}
            text={t('team.save')}
            onClick={() => void submit(typed, 0)}
          />
          <Button size="small" text={t('ui.cancel')} disabled={busy} onClick={() => close(0)} />
        </div>
      )}
    </div>
  );
}

/** The field stands where the focus was. */
const takeFocus = (field: HTMLElement | null): void => field?.focus();

function fieldOf(column: TableColumn, { value, onChange, field }: CellInputProps): ReactElement {
  if (column.references !== null) {
    return <ReferenceInput table={column.references} value={value} onChange={onChange} field={field} />;
  }
  if (column.options) {
    const { readOnly, ...select } = field;
    return (
      <div className="bp6-html-select">
        <select
          {...select}
          ref={takeFocus}
          disabled={readOnly}
          value={value}
          onChange={(event) => onChange(event.target.value)}
        >
          {column.nullable && <option value="">–</option>}
          {column.options.map((option) => (
            <option key={option}>{option}</option>
          ))}
        </select>
      </div>
    );
  }
  return (
    <input
      {...field}
      className="bp6-input"
      ref={takeFocus}
      type={column.kind === 'time' ? 'date' : 'text'}
      inputMode={column.kind === 'integer' ? 'numeric' : undefined}
      autoComplete="off"
      spellCheck={false}
      size={Math.min(60, Math.max(12, value.length + 2))}
      value={value}
      onFocus={(event) => event.target.select()}
      onChange={(event) => onChange(event.target.value)}
    />
  );
}
