import { HTMLSelect } from '@blueprintjs/core';
import { useState, type KeyboardEvent } from 'react';
import { Link } from 'react-router-dom';
import type { TableInfo } from '../../src/shared/system/table-editor.ts';
import { useCall } from '../kit/api.ts';
import { EmptyState } from '../kit/EmptyState.tsx';
import { SearchField } from '../kit/form/SearchField.tsx';
import { useT } from '../kit/language.ts';
import { LogLink } from '../audit/LogLink.tsx';
import { Screen } from '../kit/Screen.tsx';
import { T } from '../kit/T.tsx';
import { Failed, Skeleton } from '../kit/table/DataTable.tsx';
import { useNarrow } from '../kit/useNarrow.ts';
import { useUrlState } from '../kit/useUrlState.ts';
import { TableRows } from './TableRows.tsx';
import './Tables.css';

const VIEW = { table: '', search: '', sort: '', id: '' };
export type View = typeof VIEW;

interface PickerProps {
  tables: readonly TableInfo[];
  chosen: string;
}

/** Moves the focus with ↑ and ↓ through the search field and the links. */
function onArrow(event: KeyboardEvent<HTMLElement>): void {
  if (event.code !== 'ArrowDown' && event.code !== 'ArrowUp') return;
  const stops = [...event.currentTarget.querySelectorAll<HTMLElement>('input, a')];
  stops[stops.indexOf(event.target as HTMLElement) + (event.code === 'ArrowDown' ? 1 : -1)]?.focus();
  event.preventDefault();
}

function TableList({ tables, chosen }: PickerProps) {
  const t = useT();
  const [search, setSearch] = useState('');
  const found = tables.filter(({ name }) => name.includes(search.toLowerCase()));
  return (
    // Key presses bubble up from the links inside.
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- see above
    <nav aria-label={t('tables.list')} className="table-list" onKeyDown={onArrow}>
      <SearchField label={t('tables.find')} value={search} onChange={setSearch} />
      <ul translate="no">
        {found.map(({ name }) => (
          <li key={name}>
            <Link to={{ search: `table=${name}` }} aria-current={name === chosen ? 'true' : undefined}>
              {name}
            </Link>
          </li>
        ))}
      </ul>
      {found.length === 0 && (
        <EmptyState>
          <T k="ui.nothing_found" />
        </EmptyState>
      )}
    </nav>
  );
}

function TableSelect({ tables, chosen, onChoose }: PickerProps & { onChoose: (name: string) => void }) {
  const t = useT();
  return (
    <HTMLSelect
      fill
      aria-label={t('tables.list')}
      value={chosen}
      onChange={(event) => onChoose(event.target.value)}
      options={[{ value: '', label: t('tables.select') }, ...tables.map(({ name }) => ({ value: name, label: name }))]}
    />
  );
}

/** The table editor: the tables at the left, the rows of the chosen one beside. The choice is in the URL. */
export function Tables() {
  const t = useT();
  const narrow = useNarrow();
  const [view, setView] = useUrlState(VIEW);
  const { data: tables, error, refetch } = useCall('GET /api/tables');
  const chosen = tables?.find(({ name }) => name === view.table);
  return (
    <Screen title="nav.tables" actions={<LogLink />}>
      {error && <Failed sentence="tables.tables_failed" reason={error.message} retry={() => void refetch()} />}
      {!tables && !error && <Skeleton label={t('ui.loading')} />}
      {tables && (
        <div className={narrow ? 'tables-narrow' : 'tables'}>
          {narrow ? (
            <TableSelect tables={tables} chosen={view.table} onChoose={(table) => setView({ ...VIEW, table })} />
          ) : (
            <TableList tables={tables} chosen={view.table} />
          )}
          <div>
            {chosen ? (
              <TableRows key={chosen.name} table={chosen} view={view} onView={setView} />
            ) : (
              <EmptyState>
                <T k="tables.select" />
              </EmptyState>
            )}
          </div>
        </div>
      )}
    </Screen>
  );
}
