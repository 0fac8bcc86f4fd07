import { Tag, type Intent } from '@blueprintjs/core';
import { AddIcon, EditIcon, ErrorIcon, RemoveIcon } from '../kit/icons.tsx';
import { useMemo, type ReactElement } from 'react';
import { registrarKind } from '../../src/shared/accounts/registrars.ts';
import { expiryDay } from '../../src/shared/portfolio/expiry-day.ts';
import { hasIdn, toUnicode } from '../../src/shared/portfolio/domain-name.ts';
import type { Key } from '../../src/shared/i18n/index.ts';
import type { FieldChange, ImportAction, StagedView } from '../../src/shared/portfolio/imports.ts';
import { useAccounts } from '../accounts/calls.ts';
import { useFormats, useT } from '../kit/language.ts';
import { DataTable, type Column } from '../kit/table/DataTable.tsx';
import { FIELD_LABELS } from './ImportColumns.tsx';
import { NoData } from '../kit/Status.tsx';
import { T } from '../kit/T.tsx';
import { localRows } from '../kit/table/useRows.ts';

type Row = StagedView & { id: number };

const ACTIONS: Record<ImportAction, { intent: Intent; icon: ReactElement; label: Key }> = {
  create: { intent: 'success', icon: <AddIcon />, label: 'import.action_create' },
  update: { intent: 'primary', icon: <EditIcon />, label: 'import.action_update' },
  skip: { intent: 'none', icon: <RemoveIcon />, label: 'import.action_skip' },
  error: { intent: 'danger', icon: <ErrorIcon />, label: 'import.action_error' },
};

function ActionTag({ action }: { action: ImportAction }) {
  const { intent, icon, label } = ACTIONS[action];
  return (
    <Tag minimal intent={intent} icon={icon}>
      <T k={label} />
    </Tag>
  );
}

const WORDS: Record<string, Key> = {
  main: 'list.type_main',
  transfer: 'list.type_transfer',
  auto: 'list.mode_auto',
  manual: 'list.mode_manual',
};

/** `name`: the domain, whose registry says on which day a time is. */
function Change({ name: domain_name, change: { field, from, to } }: { name: string; change: FieldChange }) {
  const t = useT();
  const formats = useFormats();
  const { accounts = [] } = useAccounts(registrarKind);
  const shown = (value: string): string => {
    if (field === 'expired_at') return formats.day(expiryDay({ domain_name, expired_at: value }));
    if (field === 'registrars_id') return accounts.find(({ id }) => String(id) === value)?.name ?? value;
    const word = field === 'type' || field === 'transfer_type' ? WORDS[value] : undefined;
    return word === undefined ? value : t(word);
  };
  const name = t(FIELD_LABELS[field]);
  return from === null ? (
    <T k="import.value" field={name} to={shown(to)} />
  ) : (
    <T k="import.change" field={name} from={shown(from)} to={shown(to)} />
  );
}

function Details({ row: { domain_name, changes, messages } }: { row: Row }) {
  if (changes.length + messages.length === 0) return <NoData />;
  return (
    <ul className="import-details">
      {messages.map(({ key, params, field }) => (
        <li key={`${field} ${key}`}>
          <T k={key} {...params} />
        </li>
      ))}
      {changes.map((change) => (
        <li key={change.field}>
          <Change name={domain_name ?? ''} change={change} />
        </li>
      ))}
    </ul>
  );
}

const COLUMNS: readonly Column<Row>[] = [
  { id: 'line', header: 'import.line_column', cell: ({ line }) => line },
  {
    id: 'domain',
    header: 'import.field_domain_name',
    card: 'title',
    cell: ({ domain_name: name, cells }) =>
      name === null ? (
        <span className="muted">{cells.find((cell) => cell.trim() !== '')?.slice(0, 80)}</span>
      ) : (
        <span translate="no">
          {toUnicode(name)} {hasIdn(name) && <span className="muted">{name}</span>}
        </span>
      ),
  },
  { id: 'action', header: 'import.what_column', card: 'status', cell: ({ action }) => <ActionTag action={action} /> },
  { id: 'details', header: 'import.details_column', cell: (row) => <Details row={row} /> },
];

/** Lists rows of a file with their planned result. `run` identifies the preview. */
export function ImportRows({ rows, run }: { rows: readonly StagedView[]; run: number }) {
  const t = useT();
  const source = useMemo(
    () =>
      localRows<Row>(
        ['import', run],
        rows.map((row, id) => ({ ...row, id })),
      ),
    [rows, run],
  );
  return (
    <DataTable
      label={t('import.rows')}
      source={source}
      columns={COLUMNS}
      failed="import.read_failed"
      empty="import.empty"
    />
  );
}
