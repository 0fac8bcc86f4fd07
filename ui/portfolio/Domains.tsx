import { Button, HTMLSelect } from '@blueprintjs/core';
import { AddIcon, DownloadIcon } from '../kit/icons.tsx';
import { lazy, Suspense, useMemo, useState } from 'react';
import { Link } from 'react-router-dom';
import { DOMAIN_FILTERS, domainFilter, type DomainType, type DomainView } from '../../src/shared/portfolio/domains.ts';
import type { Key } from '../../src/shared/i18n/index.ts';
import { call, useCall } from '../kit/api.ts';
import { BusyButton } from '../kit/BusyButton.tsx';
import { Chips } from '../kit/Chips.tsx';
import { DataTable, type Column } from '../kit/table/DataTable.tsx';
import { EmptyState } from '../kit/EmptyState.tsx';
import { useManagedDomains } from './managedDomains.tsx';
import { saveFile } from '../kit/saveFile.ts';
import { Screen } from '../kit/Screen.tsx';
import { SearchField } from '../kit/form/SearchField.tsx';
import { NoData } from '../kit/Status.tsx';
import { T } from '../kit/T.tsx';
import { toastFailure } from '../kit/toasts.tsx';
import { useKeys } from '../kit/useKeys.ts';
import { totalOf, useFirstPage, type RowsSource } from '../kit/table/useRows.ts';
import { useUrlState } from '../kit/useUrlState.ts';
import { useFormats, useT } from '../kit/language.ts';
import { useSession } from '../kit/session.ts';
import './Domains.css';
import { Loading } from '../kit/Loading.tsx';

const NewDomain = lazy(async () => ({ default: (await import('../domains/Domain.tsx')).NewDomain }));

const NO_FILTERS = { search: '', status: 'all', project: '', server: '', type: '' };
const VIEW = { ...NO_FILTERS, sort: '' };
type View = typeof VIEW;

const STATUS_LABELS: Record<(typeof DOMAIN_FILTERS)[number], Key> = {
  all: 'dashboard.total',
  active: 'dashboard.active',
  blocked: 'dashboard.blocked',
  broken: 'dashboard.broken',
  expired: 'dashboard.expired',
};

const USER: readonly Column<DomainView>[] = [
  { id: 'user', header: 'sites.user', sort: 'user_login', cell: (domain) => domain.user_login ?? <NoData /> },
];

interface FiltersProps {
  view: View;
  onView: (change: Partial<View>) => void;
}

/** The filters. The counts of the states cover the whole portfolio, so they are hidden while another filter is set. */
function Filters({ view, onView }: FiltersProps) {
  const t = useT();
  const { data: counts } = useCall('GET /api/dashboard');
  const { data: projects } = useCall('GET /api/user_projects');
  const { data: servers } = useCall('GET /api/servers');
  const isWhole = [view.search, view.project, view.server, view.type].every((value) => value === '');
  return (
    <>
      <div className="filters">
        <SearchField slash label={t('sites.search')} value={view.search} onChange={(search) => onView({ search })} />
        <HTMLSelect
          aria-label={t('sites.project')}
          value={view.project}
          onChange={(event) => onView({ project: event.target.value })}
          options={[
            { value: '', label: t('sites.any_project') },
            ...(projects?.data ?? []).map(({ id, name }) => ({ value: String(id), label: name })),
          ]}
        />
        <HTMLSelect
          aria-label={t('sites.server')}
          value={view.server}
          onChange={(event) => onView({ server: event.target.value })}
          options={[
            { value: '', label: t('sites.any_server') },
            ...(servers?.data ?? []).map(({ id, name }) => ({ value: String(id), label: name })),
          ]}
        />
        <HTMLSelect
          aria-label={t('sites.type')}
          value={view.type}
          onChange={(event) => onView({ type: event.target.value })}
          options={[
            { value: '', label: t('sites.any_type') },
            { value: 'main', label: t('list.type_main') },
            { value: 'transfer', label: t('list.type_transfer') },
          ]}
        />
      </div>
      <Chips
        label={t('sites.status')}
        chips={DOMAIN_FILTERS.map((value) => ({
          value,
          label: <T k={STATUS_LABELS[value]} />,
          count: isWhole ? counts?.[value] : undefined,
        }))}
        value={domainFilter(view.status)}
        onChange={(status) => onView({ status })}
      />
    </>
  );
}

/** Returns the filters as the query of the call. */
const queryOf = ({ search, status, project, server, type, sort }: View) => ({
  search: search || undefined,
  status: status === 'all' ? undefined : status,
  project_id: Number(project) || undefined,
  server_id: Number(server) || undefined,
  type: (type || undefined) as DomainType | undefined,
  sort: sort || undefined,
});

function useDomains(view: View): RowsSource<DomainView> {
  const { search, status, project, server, type, sort } = view;
  return useMemo(() => {
    const query = queryOf({ search, status, project, server, type, sort });
    return {
      key: ['GET /api/domains', query],
      load: (page, signal) => call('GET /api/domains', { query: { ...query, ...page }, signal }),
    };
  }, [search, status, project, server, type, sort]);
}

/** Exports the filtered list as a file that a Russian Excel opens as a table. */
function ExportButton({ view }: { view: View }) {
  const t = useT();
  const [busy, setBusy] = useState(false);
  const save = async (): Promise<void> => {
    setBusy(true);
    try {
      const query = { ...queryOf(view), sort: undefined, delimiter: 'semicolon', bom: 'on' };
      const { filename, csv } = await call('GET /api/domains_export', { query });
      saveFile(filename, new Blob([csv], { type: 'text/csv' }));
    } catch (error) {
      toastFailure(t('sites.export_failed'), error);
    }
    setBusy(false);
  };
  return <BusyButton busy={busy} icon={<DownloadIcon />} text={<T k="sites.export" />} onClick={() => void save()} />;
}

const ImportLink = () => (
  <Link to="/import" className="bp6-button">
    <T k="sites.import" />
  </Link>
);

/** Stands in place of an empty list. `onReset` removes the filters; absent, none is set. */
function NoDomains({ onReset }: { onReset: (() => void) | undefined }) {
  return onReset ? (
    <EmptyState action={<Button text={<T k="sites.reset" />} onClick={onReset} />}>
      <T k="ui.nothing_found" />
    </EmptyState>
  ) : (
    <EmptyState action={<ImportLink />}>
      <T k="sites.empty" />
    </EmptyState>
  );
}

/** The whole portfolio; the server searches, filters, sorts and pages, and the view is in the URL. */
export function Domains() {
  const t = useT();
  const formats = useFormats();
  const isAdmin = useSession().user?.role === 'admin';
  const [view, setView] = useUrlState(VIEW);
  const [adding, setAdding] = useState(false);
  const { columns, dialogs } = useManagedDomains({ filter: 'expired', more: isAdmin ? USER : undefined, place: 'top' });
  const source = useDomains(view);
  const total = totalOf(useFirstPage(source).data);
  const isNarrowed = Object.entries(NO_FILTERS).some(([name, value]) => view[name as keyof View] !== value);
  useKeys({ KeyN: () => setAdding(true) });
  const add = (
    <Button intent="primary" icon={<AddIcon />} text={<T k="projects.add_domain" />} onClick={() => setAdding(true)} />
  );
  return (
    <Screen
      title="nav.all_sites"
      actions={
        <>
          <ImportLink />
          <ExportButton view={view} />
          {add}
        </>
      }
    >
      <Filters view={view} onView={setView} />
      <div aria-live="polite">
        {total !== undefined && (
          <h2 className="bp6-heading found">
            <T k="sites.found" n={total} count={formats.number(total)} />
          </h2>
        )}
      </div>
      <div className="domains">
        <DataTable
          height="page"
          label={t('nav.all_sites')}
          source={source}
          columns={columns}
          sort={view.sort}
          onSort={(sort) => setView({ sort })}
          failed="list.failed"
          empty={<NoDomains onReset={isNarrowed ? () => setView(NO_FILTERS) : undefined} />}
        />
      </div>
      {dialogs}
      <Suspense fallback={<Loading />}>
        {adding && <NewDomain projectId={Number(view.project) || null} place="top" onClose={() => setAdding(false)} />}
      </Suspense>
    </Screen>
  );
}
