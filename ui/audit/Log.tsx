import { Button } from '@blueprintjs/core';
import { useMemo, useState } from 'react';
import { call } from '../kit/api.ts';
import { BusyButton } from '../kit/BusyButton.tsx';
import { DownloadIcon } from '../kit/icons.tsx';
import { useT } from '../kit/language.ts';
import { ListTools } from '../kit/list/ListTools.tsx';
import { useListLayout } from '../kit/list/useListLayout.ts';
import { useSeenFile } from '../kit/list/useSeenFile.ts';
import { saveFile } from '../kit/saveFile.ts';
import { Screen } from '../kit/Screen.tsx';
import { T } from '../kit/T.tsx';
import { DataTable, type Column } from '../kit/table/DataTable.tsx';
import { DateTime } from '../kit/table/DateTime.tsx';
import { EmptyList } from '../kit/table/EmptyList.tsx';
import { totalOf, useFirstPage, type RowsSource } from '../kit/table/useRows.ts';
import { toast, toastFailure } from '../kit/toasts.tsx';
import { useUrlState } from '../kit/useUrlState.ts';
import { LogEntry, type Entry } from './LogEntry.tsx';
import { Filters } from './LogFilters.tsx';
import { queryOf, VIEW, type View } from './logView.ts';
import { nameOf } from './objects.ts';
import './Log.css';

// The URL parameters that make a view.
const FIELDS = [...Object.keys(VIEW), 'columns'];

/** Returns the rows that a view shows. */
function sourceOf(view: View): RowsSource<Entry> {
  const query = queryOf(view);
  return {
    key: ['GET /api/audit', query],
    load: (page, signal) => call('GET /api/audit', { query: { ...query, ...page }, signal }),
  };
}

/** The object of an entry as a button that opens the whole entry. */
function ObjectButton({ entry, open }: { entry: Entry; open: (entry: Entry) => void }) {
  const t = useT();
  const { id, object_id } = entry;
  const { object, name } = nameOf(t, entry);
  return (
    <Button variant="minimal" size="small" className="log-object" onClick={() => open(entry)}>
      {object} <b>{name ?? (object_id === null ? '' : `#${object_id}`)}</b>
      <span className="visually-hidden">
        {' '}
        <T k="log.open" id={id} />
      </span>
    </Button>
  );
}

const columnsOf = (open: (entry: Entry) => void): Column<Entry>[] => [
  { id: 'at', line: 2, width: 148, header: 'log.at', fields: ['at'], cell: ({ at }) => <DateTime iso={at} /> },
  {
    id: 'who',
    line: 2,
    width: 124,
    grow: 1,
    priority: 1,
    header: 'log.who',
    fields: ['login'],
    cell: ({ login }) => login,
  },
  {
    id: 'door',
    line: 3,
    width: 132,
    priority: 3,
    header: 'log.door',
    fields: ['door'],
    cell: ({ door }) => <T k={`log.door_${door}`} />,
  },
  {
    id: 'action',
    line: 3,
    width: 124,
    priority: 2,
    header: 'log.action',
    fields: ['action'],
    cell: ({ action }) => <T k={`log.action_${action}`} />,
  },
  {
    id: 'object',
    width: 240,
    grow: 3,
    header: 'log.object',
    fields: ['object', 'object_id', 'object_name'],
    card: 'title',
    cell: (entry) => <ObjectButton entry={entry} open={open} />,
  },
  {
    id: 'outcome',
    width: 116,
    priority: 4,
    header: 'log.outcome',
    fields: ['outcome'],
    card: 'status',
    cell: ({ outcome }) => <T k={`log.outcome_${outcome}`} />,
  },
];

/** Verifies the whole chain, and says what was found. */
function Verify() {
  const t = useT();
  const [busy, setBusy] = useState(false);
  const verify = async (): Promise<void> => {
    setBusy(true);
    try {
      const { fault, rows } = (await call('POST /api/audit/verify', { body: {} })).data;
      if (fault) toast.error(t(`audit.broken_${fault.kind}`, { id: fault.id }));
      else toast.success(t('log.intact', { rows }));
    } catch (error) {
      toastFailure(t('log.verify_failed'), error);
    }
    setBusy(false);
  };
  return <BusyButton busy={busy} text={<T k="log.verify" />} onClick={() => void verify()} />;
}

/** Downloads the rows of a view as a file that a Russian Excel opens as a table. */
function Export({ view }: { view: View }) {
  const t = useT();
  const [busy, setBusy] = useState(false);
  const save = async (): Promise<void> => {
    setBusy(true);
    try {
      const { filename, text, rows, total } = await call('GET /api/audit_export', { query: queryOf(view) });
      saveFile(filename, new Blob([text], { type: 'text/csv' }));
      if (rows < total) toast.info(t('log.export_cut', { rows, total }));
    } catch (error) {
      toastFailure(t('log.export_failed'), error);
    }
    setBusy(false);
  };
  return <BusyButton busy={busy} icon={<DownloadIcon />} text={<T k="log.export" />} onClick={() => void save()} />;
}

/** The log: who has done what, through which door. */
export function Log() {
  const t = useT();
  const [view, setView] = useUrlState(VIEW);
  const [opened, setOpened] = useState<Entry>();
  const source = useMemo(() => sourceOf(view), [view]);
  const columns = useMemo(() => columnsOf(setOpened), []);
  const layout = useListLayout('log', columns);
  const seen = useSeenFile('log', source, layout.columns);
  const isNarrowed = Object.values(view).some((value) => value !== '');
  const total = totalOf(useFirstPage(source).data);
  return (
    <Screen
      title="nav.log"
      actions={
        <>
          <Export view={view} />
          <Verify />
        </>
      }
    >
      <Filters view={view} onView={setView} />
      <div className="list-line">
        <h2 className={total === undefined ? 'visually-hidden' : 'bp6-heading found'}>
          {total === undefined ? t('nav.log') : <T k="log.count" n={total} />}
        </h2>
        <ListTools layout={layout} fields={FIELDS} csv={seen} />
      </div>
      <DataTable
        oneLine
        height="page"
        label={t('nav.log')}
        source={source}
        columns={layout.columns}
        density={layout.settings.density}
        isLoading={layout.isPending}
        failed="log.failed"
        empty={<EmptyList none="log.none" onReset={isNarrowed ? () => setView(VIEW) : undefined} />}
      />
      {opened && (
        <LogEntry
          entry={opened}
          // Another one may be open by then: the answer of a change that is given back comes late.
          onClose={() => setOpened((now) => (now === opened ? undefined : now))}
        />
      )}
    </Screen>
  );
}
