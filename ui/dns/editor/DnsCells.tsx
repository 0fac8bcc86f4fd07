import { HTMLSelect, InputGroup, Switch, Tag, type Intent } from '@blueprintjs/core';
import { TrashIcon, UndoIcon } from '../../kit/icons.tsx';
import { useId, type ReactNode } from 'react';
import { EDITABLE_TYPES, fullRecordName, isProxiable, type EditableType } from '../../../src/shared/dns/dns.ts';
import { say, type Key } from '../../../src/shared/i18n/index.ts';
import { useLanguage, useT } from '../../kit/language.ts';
import type { DraftFields, DraftRow, Edit, RowChange } from './dnsDraft.ts';
import { IconAction } from '../../kit/IconAction.tsx';
import { T } from '../../kit/T.tsx';

/** One record of the editor. `number` is its position in the list, from 1. */
export interface RecordProps {
  row: DraftRow;
  number: number;
  zone: string;
  change: RowChange;
  faults: Partial<Record<'name' | 'content', string>>;
  /** The record was just added: its name field takes the focus. */
  isFresh: boolean;
  /** Nothing can be edited for now; the focus stays where it is. */
  isLocked: boolean;
  onEdit: (edit: Edit) => void;
  /** The focus left a field: its faults may be shown from now on. */
  onLeave: (key: string) => void;
}

/** The cells of a record, by column. */
export interface RecordCells {
  change: ReactNode;
  type: ReactNode;
  name: ReactNode;
  content: ReactNode;
  proxy: ReactNode;
  actions: ReactNode;
}

const CHANGES = {
  added: { intent: 'success', sign: '+', text: 'dns_editor.added' },
  changed: { intent: 'warning', sign: '±', text: 'dns_editor.changed' },
  deleted: { intent: 'danger', sign: '−', text: 'dns_editor.deleted' },
} as const satisfies Record<Exclude<RowChange, 'none'>, { intent: Intent; sign: string; text: Key }>;

function ChangeTag({ change }: { change: RowChange }) {
  if (change === 'none')
    return (
      <span className="visually-hidden">
        <T k="dns_editor.unchanged" />
      </span>
    );
  const { intent, sign, text } = CHANGES[change];
  return (
    <Tag minimal intent={intent}>
      {sign} <T k={text} />
    </Tag>
  );
}

interface TextCellProps extends RecordProps {
  field: 'name' | 'content';
  title?: string;
}

function TextCell({ row, number, field, faults, title, isFresh, isLocked, onEdit, onLeave }: TextCellProps) {
  const t = useT();
  const language = useLanguage();
  const helpId = useId();
  const fault = faults[field];
  return (
    <>
      <InputGroup
        fill
        data-field={field}
        aria-label={t('dns_editor.of_record', { field: t(`dns_editor.${field}`), n: number })}
        aria-invalid={fault !== undefined}
        aria-describedby={fault === undefined ? undefined : helpId}
        aria-required
        intent={fault === undefined ? 'none' : 'danger'}
        value={row[field]}
        title={title}
        disabled={row.isDeleted}
        readOnly={isLocked}
        // oxlint-disable-next-line jsx-a11y/no-autofocus -- a record that was added by hand a moment ago
        autoFocus={isFresh && field === 'name'}
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        onChange={(event) => onEdit({ do: 'set', key: row.key, change: { [field]: event.target.value } })}
        onBlur={() => onLeave(row.key)}
      />
      {fault !== undefined && (
        <div id={helpId} className="bad cell-fault">
          {say(language, fault)}
        </div>
      )}
    </>
  );
}

function TypeCell({ row, number, isLocked, onEdit }: RecordProps) {
  const t = useT();
  return (
    <HTMLSelect
      fill
      data-field="type"
      aria-label={t('dns_editor.of_record', { field: t('dns_editor.type'), n: number })}
      value={row.type}
      disabled={row.isDeleted}
      aria-disabled={isLocked}
      onChange={(event) =>
        onEdit({
          do: 'set',
          key: row.key,
          change: { type: event.target.value as EditableType } satisfies Partial<DraftFields>,
        })
      }
      options={[...EDITABLE_TYPES]}
    />
  );
}

function ProxyCell({ row, number, isLocked, onEdit }: RecordProps) {
  const t = useT();
  if (!isProxiable(row.type))
    return (
      <span className="no-data" title={t('dns.not_proxiable')}>
        <span aria-hidden="true">—</span>
        <span className="visually-hidden">{t('dns.not_proxiable')}</span>
      </span>
    );
  return (
    <Switch
      data-field="proxied"
      aria-label={t('dns_editor.of_record', { field: t('dns_editor.proxy'), n: number })}
      checked={row.proxied}
      disabled={row.isDeleted}
      aria-disabled={isLocked}
      onChange={(event) => onEdit({ do: 'set', key: row.key, change: { proxied: event.target.checked } })}
    />
  );
}

/** Shows the TTL, comment and tags of a record, which the editor leaves unchanged. */
function More({ row: { was } }: RecordProps) {
  const t = useT();
  if (was === null) return null;
  // 1 means automatic.
  const parts = [was.ttl === 1 ? '' : t('dns_editor.ttl', { n: was.ttl }), was.comment ?? '', was.tags.join(', ')];
  const text = parts.filter(Boolean).join(' · ');
  return text === '' ? null : <div className="muted cell-more">{text}</div>;
}

/** The acts on a record. The last button stays the same one when its act changes, so that it keeps the focus. */
function ActionsCell({ row, number, change, onEdit }: RecordProps) {
  const t = useT();
  const name = t('dns_editor.record', { n: number });
  const { key } = row;
  const revert = { icon: <UndoIcon />, action: t('dns_editor.revert'), onClick: () => onEdit({ do: 'revert', key }) };
  const remove = { icon: <TrashIcon />, action: t('dns_editor.delete'), onClick: () => onEdit({ do: 'delete', key }) };
  const last = change === 'deleted' ? revert : remove;
  return (
    <span className="record-actions">
      {change === 'changed' && <IconAction {...revert} name={name} />}
      <IconAction {...last} name={name} />
    </span>
  );
}

/** Returns the cells of a record, for a table row and for a card alike. */
export const cellsOf = (props: RecordProps): RecordCells => ({
  change: <ChangeTag change={props.change} />,
  type: <TypeCell {...props} />,
  name: <TextCell {...props} field="name" title={fullRecordName(props.row.name, props.zone)} />,
  content: (
    <>
      <TextCell {...props} field="content" title={props.row.content} />
      <More {...props} />
    </>
  ),
  proxy: <ProxyCell {...props} />,
  actions: <ActionsCell {...props} />,
});
