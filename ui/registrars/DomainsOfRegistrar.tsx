import { Button } from '@blueprintjs/core';
import { useMemo, useState } from 'react';
import type { AnswerOf } from '../kit/api.ts';
import { queries, useCall } from '../kit/api.ts';
import { BusyButton } from '../kit/BusyButton.tsx';
import { Chips } from '../kit/Chips.tsx';
import { InfoDialog } from '../kit/dialog/InfoDialog.tsx';
import { ExpiryDate } from '../domains/DomainState.tsx';
import { SearchField } from '../kit/form/SearchField.tsx';
import { AddIcon, DownloadIcon, RefreshIcon } from '../kit/icons.tsx';
import { useFormats, useT } from '../kit/language.ts';
import { saveFile } from '../kit/saveFile.ts';
import { DataTable, Failed, Skeleton, type Column } from '../kit/table/DataTable.tsx';
import { localRows } from '../kit/table/useRows.ts';
import { T } from '../kit/T.tsx';
import type { Key } from '../../src/shared/i18n/index.ts';
import { ImportNew } from './ImportNew.tsx';
import { csvOf, narrowRows, rowsByView, VIEWS, type RegistrarRow, type View } from './registrarRows.ts';
import './DomainsOfRegistrar.css';

const CALL = 'GET /api/registrars/:id';
type Answer = AnswerOf<typeof CALL>;

const COLUMNS: readonly Column<RegistrarRow>[] = [
  {
    id: 'domain',
    header: 'registrars.column_domain',
    sort: 'domain',
    card: 'title',
    cell: ({ domain, unicode }) => (
      <span className="domain-name" title={domain} translate="no">
        {unicode}
      </span>
    ),
  },
  {
    id: 'expiry',
    header: 'registrars.column_expiry',
    sort: 'expiry',
    cell: ({ domain, expiredAt, suspect_date }) => (
      <ExpiryDate domain_name={domain} expired_at={expiredAt} suspect_date={suspect_date} />
    ),
  },
  {
    id: 'here',
    header: 'registrars.column_here',
    cell: ({ here }) => <T k={here ? 'registrars.here_yes' : 'registrars.here_no'} />,
  },
];

const VIEW_LABELS: Record<View, Key> = {
  all: 'registrars.view_all',
  new: 'registrars.view_new',
  gone: 'registrars.view_gone',
};
const NONE: Record<View, Key> = {
  all: 'registrars.domains_none',
  new: 'registrars.new_none',
  gone: 'registrars.gone_none',
};

// Columns with the same value in every row of a view are left out.
const COLUMNS_OF: Record<View, readonly Column<RegistrarRow>[]> = {
  all: COLUMNS,
  new: COLUMNS.filter(({ id }) => id !== 'here'),
  gone: COLUMNS.filter(({ id }) => id === 'domain'),
};

interface ListProps {
  answer: Answer;
  /** When it was told or marked: with it the rows change. */
  at: number;
  refetch: () => void;
  isFetching: boolean;
}

/** Holds the view, search and sort of a registrar's domains, and returns the rows to show. */
function useShown(answer: Answer, at: number) {
  const [view, setView] = useState<View>('all');
  const [search, setSearch] = useState('');
  const [sort, setSort] = useState('expiry');
  const rows = useMemo(() => rowsByView(answer), [answer]);
  const shown = useMemo(() => narrowRows(rows[view], search, sort), [rows, view, search, sort]);
  const source = useMemo(
    () => localRows([CALL, 'rows', answer.id, { view, search, sort, at }], shown),
    [answer.id, view, search, sort, at, shown],
  );
  return { rows, shown, source, view, setView, search, setSearch, sort, setSort };
}

interface ToolsProps extends Pick<ListProps, 'answer' | 'refetch' | 'isFetching'> {
  shown: readonly RegistrarRow[];
  search: string;
  onSearch: (search: string) => void;
  /** Of domains that are not here. */
  unknown: number;
  onImport: () => void;
}

function Tools({ answer, refetch, isFetching, shown, search, onSearch, unknown, onImport }: ToolsProps) {
  const t = useT();
  const save = (): void => saveFile(`domains-${answer.type}.csv`, new Blob([csvOf(shown)], { type: 'text/csv' }));
  return (
    <div className="filters registrar-tools">
      <SearchField label={t('registrars.domains_search')} value={search} onChange={onSearch} />
      <BusyButton
        icon={<RefreshIcon />}
        busy={isFetching}
        text={<T k="registrars.domains_refresh" />}
        onClick={refetch}
      />
      <Button icon={<DownloadIcon />} disabled={shown.length === 0} text={<T k="sites.export" />} onClick={save} />
      {unknown > 0 && (
        <Button
          intent="primary"
          icon={<AddIcon />}
          text={<T k="registrars.import_new" n={unknown} />}
          onClick={onImport}
        />
      )}
    </div>
  );
}

/** The domains of a registrar as it has told them. */
function List({ answer, at, refetch, isFetching }: ListProps) {
  const t = useT();
  const formats = useFormats();
  const { rows, shown, source, view, setView, search, setSearch, sort, setSort } = useShown(answer, at);
  const [importing, setImporting] = useState(false);
  const markHere = (added: ReadonlySet<string>): void => {
    const queryKey = [CALL, { params: { id: answer.id } }];
    const mark = (at: Answer['domains'][number]) => ({ ...at, here: at.here || added.has(at.domain) });
    queries.setQueryData<Answer>(queryKey, (now) => now && { ...now, domains: now.domains.map(mark) });
    // A list that is being read now was made before the import.
    if (queries.isFetching({ queryKey }) > 0) refetch();
  };
  const tools = { answer, refetch, isFetching, shown, search };
  return (
    <>
      {!answer.can_edit && (
        <p className="muted">
          <T k="registrars.not_all" />
        </p>
      )}
      <Chips
        label={t('registrars.domains_title')}
        chips={VIEWS.map((value) => ({ value, label: <T k={VIEW_LABELS[value]} />, count: rows[value].length }))}
        value={view}
        onChange={setView}
      />
      <Tools {...tools} onSearch={setSearch} unknown={rows.new.length} onImport={() => setImporting(true)} />
      {view === 'gone' && rows.gone.length > 0 && (
        <p className="muted">
          <T k="registrars.gone_help" />
        </p>
      )}
      <output className="visually-hidden">
        {search !== '' && t('registrars.domains_found', { n: shown.length, total: formats.number(rows[view].length) })}
      </output>
      <DataTable
        label={t('registrars.domains_title')}
        source={source}
        columns={COLUMNS_OF[view]}
        sort={sort}
        onSort={setSort}
        failed="registrars.domains_failed"
        empty={search === '' ? NONE[view] : 'ui.nothing_found'}
      />
      {importing && (
        <ImportNew registrar={answer} rows={rows.new} onDone={markHere} onClose={() => setImporting(false)} />
      )}
    </>
  );
}

interface DialogProps {
  id: number;
  /** The registrar, as far as it is known already. */
  registrar: { name: string; type: string } | undefined;
  onClose: () => void;
}

/** The list of domains of a registrar, asked of it now. */
export function DomainsOfRegistrar({ id, registrar, onClose }: DialogProps) {
  const t = useT();
  const { data, dataUpdatedAt, error, isFetching, refetch } = useCall(CALL, { params: { id } });
  const { name = '', type = '' } = data ?? registrar ?? {};
  return (
    <InfoDialog width={860} title={<T k="registrars.domains_of" name={name} />} onClose={onClose}>
      {data && <List answer={data} at={dataUpdatedAt} refetch={() => void refetch()} isFetching={isFetching} />}
      {!data && (!error || isFetching) && (
        <>
          <output className="muted">
            <T k="registrars.domains_asking" type={type} />
          </output>
          <Skeleton label={t('ui.loading')} />
        </>
      )}
      {error && !isFetching && (
        <Failed sentence="registrars.domains_failed" reason={error.message} retry={() => void refetch()} />
      )}
    </InfoDialog>
  );
}
