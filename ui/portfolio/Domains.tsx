import { Button } from '@blueprintjs/core';
import { AddIcon, DownloadIcon } from '../kit/icons.tsx';
import { lazy, Suspense, useMemo, useState } from 'react';
import { Link } from 'react-router-dom';
import type { DomainView } from '../../src/shared/portfolio/domains.ts';
import { call } from '../kit/api.ts';
import { BusyButton } from '../kit/BusyButton.tsx';
import { DataTable, type Column } from '../kit/table/DataTable.tsx';
import { domainCells } from './cells.ts';
import { DomainFilters, DOMAINS_VIEW, NO_FILTERS, queryOf, sortOf, type DomainsView } from './DomainFilters.tsx';
import { EmptyState } from '../kit/EmptyState.tsx';
import { ListTools } from '../kit/list/ListTools.tsx';
import { useListLayout } from '../kit/list/useListLayout.ts';
import { useManagedDomains } from './managedDomains.tsx';
import { saveFile } from '../kit/saveFile.ts';
import { Screen } from '../kit/Screen.tsx';
import { NoData } from '../kit/Status.tsx';
import { T } from '../kit/T.tsx';
import { toastFailure } from '../kit/toasts.tsx';
import { useAsked } from '../kit/useAsked.ts';
import { useAllKey } from './bulk/useAllKey.ts';
import { useKeys } from '../kit/useKeys.ts';
import { totalOf, useFirstPage, type RowsSource } from '../kit/table/useRows.ts';
import { useUrlState } from '../kit/useUrlState.ts';
import { useFormats, useT } from '../kit/language.ts';
import { BulkBar } from './bulk/BulkBar.tsx';
import { useChosen } from './bulk/useChosen.ts';
import { useGiveBack } from './bulk/useGiveBack.tsx';
import { useSession } from '../kit/session.ts';
import './Domains.css';
import { Loading } from '../kit/Loading.tsx';

const NewDomain = lazy(async () => ({ default: (await import('../domains/Domain.tsx')).NewDomain }));

const USER: readonly Column<DomainView>[] = [
  {
    id: 'user',
    fields: ['user_login'],
    width: 96,
    priority: 7,
    header: 'sites.user',
    sort: 'user_login',
    cell: (domain) => domain.user_login ?? <NoData />,
  },
];

// The URL parameters that make a view.
const FIELDS = [...Object.keys(DOMAINS_VIEW), 'columns'];

const nameOf = ({ unicode_name }: DomainView): string => unicode_name;

function useDomains(view: DomainsView): RowsSource<DomainView> {
  return useMemo(() => {
    const query = queryOf(view);
    return {
      key: ['GET /api/domains', query],
      load: (page, signal) => call('GET /api/domains', { query: { ...query, ...page }, signal }),
    };
  }, [view]);
}

/** Returns a function that saves the filtered list as a file that a Russian Excel opens as a table; with `fields`, their columns alone. */
function useExport(view: DomainsView, fields?: readonly string[]): { busy: boolean; save: () => void } {
  const t = useT();
  const [busy, setBusy] = useState(false);
  const save = async (): Promise<void> => {
    setBusy(true);
    try {
      const query = { ...queryOf(view), fields: fields?.join(','), delimiter: 'semicolon', bom: 'on' };
      const { filename, csv } = await call('GET /api/domains_export', { query });
      saveFile(filename, new Blob([csv], { type: 'text/csv' }));
    } catch (error) {
      toastFailure(t('sites.export_failed'), error);
    }
    setBusy(false);
  };
  return { busy, save: () => void save() };
}

/** Exports the filtered list with what an import takes. */
function ExportButton({ view }: { view: DomainsView }) {
  const { busy, save } = useExport(view);
  return <BusyButton busy={busy} icon={<DownloadIcon />} text={<T k="sites.export" />} onClick={save} />;
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

function Actions({ view, onAdd }: { view: DomainsView; onAdd: () => void }) {
  return (
    <>
      <ImportLink />
      <ExportButton view={view} />
      <Button intent="primary" icon={<AddIcon />} text={<T k="projects.add_domain" />} onClick={onAdd} />
    </>
  );
}

/** How many domains were found, also for screen readers; nothing while it is not known. */
function Found({ total }: { total: number | undefined }) {
  const formats = useFormats();
  return (
    <div aria-live="polite">
      {total !== undefined && (
        <h2 className="bp6-heading found">
          <T k="sites.found" n={total} count={formats.number(total)} />
        </h2>
      )}
    </div>
  );
}

/** The whole portfolio; the server searches, filters, sorts and pages, and the view is in the URL. */
export function Domains() {
  const t = useT();
  const isAdmin = useSession().user?.role === 'admin';
  const [view, setView] = useUrlState(DOMAINS_VIEW);
  const [asked, ask] = useAsked();
  const { columns, dialogs } = useManagedDomains({ filter: 'expired', more: isAdmin ? USER : undefined, place: 'top' });
  const layout = useListLayout('sites', columns);
  const seen = useExport(
    view,
    layout.columns.filter(({ only }) => only !== 'card').flatMap(({ fields = [] }) => fields),
  );
  const cellMenu = useMemo(() => domainCells(t, view.cells, (cells) => setView({ cells })), [t, view.cells, setView]);
  const source = useDomains(view);
  const total = totalOf(useFirstPage(source).data);
  const chosen = useChosen(view, total ?? 0);
  const { line, tell } = useGiveBack();
  const isChosen = chosen.isAll || chosen.count > 0;
  const isNarrowed = Object.entries(NO_FILTERS).some(([name, value]) => view[name as keyof DomainsView] !== value);
  useKeys({ KeyN: () => ask('new') });
  useAllKey({ list: '.domains .rows', isBegun: isChosen, onAll: chosen.chooseAll });
  return (
    <Screen title="nav.all_sites" actions={<Actions view={view} onAdd={() => ask('new')} />}>
      <DomainFilters view={view} onView={setView} />
      <div className="list-line">
        <Found total={total} />
        <ListTools layout={layout} fields={FIELDS} csv={seen} />
      </div>
      {line}
      <div className={isChosen ? 'domains with-bar' : 'domains'}>
        <DataTable
          oneLine
          height="page"
          label={t('nav.all_sites')}
          source={source}
          columns={layout.columns}
          density={layout.settings.density}
          isLoading={layout.isPending}
          cellMenu={cellMenu}
          sort={sortOf(view)}
          onSort={(sort) => setView({ sort })}
          selection={chosen.selection}
          name={nameOf}
          failed="list.failed"
          empty={<NoDomains onReset={isNarrowed ? () => setView(NO_FILTERS) : undefined} />}
        />
      </div>
      {isChosen && <BulkBar chosen={chosen} view={view} total={total ?? 0} onDone={tell} />}
      {dialogs}
      <Suspense fallback={<Loading />}>
        {asked === 'new' && <NewDomain projectId={Number(view.project) || null} place="top" onClose={() => ask('')} />}
      </Suspense>
    </Screen>
  );
}
