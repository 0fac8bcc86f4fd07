import { Button, HTMLSelect, InputGroup } from '@blueprintjs/core';
import { useId, useMemo, useState } from 'react';
import { DOORS } from '../../src/shared/audit/audit.ts';
import { TABLES } from '../../src/shared/tables.ts';
import { call } from '../kit/api.ts';
import { BusyButton } from '../kit/BusyButton.tsx';
import { SearchField } from '../kit/form/SearchField.tsx';
import { DownloadIcon } from '../kit/icons.tsx';
import { useT } from '../kit/language.ts';
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
import './Log.css';

const VIEW = { user: '', door: '', object: '', name: '', since: '', until: '' };
type View = typeof VIEW;

// What is audited: the tables of decisions, and the blocklist, which is a file.
const OBJECTS = [
  'blocklist',
  ...[...TABLES.values()].flatMap(({ name, writes }) => ('machine' in writes ? [] : [name])),
];

const dayStart = (day: string, after = 0): string | undefined => {
  if (day === '') return undefined;
  const [year = 0, month = 1, date = 1] = day.split('-').map(Number);
  return new Date(year, month - 1, date + after).toISOString();
};

/** Returns a view as the server takes it; its days are the reader's, both included. */
function queryOf({ user, door, object, name, since, until }: View) {
  return {
    user: user || undefined,
    door: DOORS.find((one) => one === door),
    object: object || undefined,
    name: name || undefined,
    since: dayStart(since),
    until: dayStart(until, 1),
  };
}

/** Returns the rows that a view shows. */
function sourceOf(view: View): RowsSource<Entry> {
  const query = queryOf(view);
  return {
    key: ['GET /api/audit', query],
    load: (page, signal) => call('GET /api/audit', { query: { ...query, ...page }, signal }),
  };
}

const columnsOf = (open: (entry: Entry) => void): Column<Entry>[] => [
  { id: 'at', header: 'log.at', cell: ({ at }) => <DateTime iso={at} /> },
  { id: 'who', header: 'log.who', cell: ({ login }) => login },
  { id: 'door', header: 'log.door', cell: ({ door }) => <T k={`log.door_${door}`} /> },
  { id: 'action', header: 'log.action', cell: ({ action }) => <T k={`log.action_${action}`} /> },
  {
    id: 'object',
    header: 'log.object',
    card: 'title',
    cell: (entry) => (
      <Button variant="minimal" size="small" className="log-object" onClick={() => open(entry)}>
        {entry.object} <b>{entry.object_name ?? (entry.object_id === null ? '' : `#${entry.object_id}`)}</b>
        <span className="visually-hidden">
          {' '}
          <T k="log.open" id={entry.id} />
        </span>
      </Button>
    ),
  },
  { id: 'outcome', header: 'log.outcome', card: 'status', cell: ({ outcome }) => <T k={`log.outcome_${outcome}`} /> },
];

interface DayProps {
  name: 'since' | 'until';
  value: string;
  onChange: (day: string) => void;
}

function Day({ name, value, onChange }: DayProps) {
  const id = useId();
  return (
    <span className="log-day">
      <label htmlFor={id}>
        <T k={`log.${name}`} />
      </label>
      <InputGroup id={id} type="date" value={value} onChange={(event) => onChange(event.target.value)} />
    </span>
  );
}

function Filters({ view, onView }: { view: View; onView: (change: Partial<View>) => void }) {
  const t = useT();
  return (
    <div className="log-filters">
      <SearchField slash label={t('log.name')} value={view.name} onChange={(name) => onView({ name })} />
      <SearchField label={t('log.user')} value={view.user} onChange={(user) => onView({ user })} />
      <HTMLSelect
        aria-label={t('log.door')}
        value={view.door}
        onChange={(event) => onView({ door: event.target.value })}
        options={[
          { value: '', label: t('log.any_door') },
          ...DOORS.filter((door) => door !== 'test').map((door) => ({ value: door, label: t(`log.door_${door}`) })),
        ]}
      />
      <HTMLSelect
        aria-label={t('log.object')}
        value={view.object}
        onChange={(event) => onView({ object: event.target.value })}
        options={[{ value: '', label: t('log.any_object') }, ...OBJECTS.toSorted()]}
      />
      <Day name="since" value={view.since} onChange={(since) => onView({ since })} />
      <Day name="until" value={view.until} onChange={(until) => onView({ until })} />
    </div>
  );
}

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
      <h2 className={total === undefined ? 'visually-hidden' : 'bp6-heading found'}>
        {total === undefined ? t('nav.log') : <T k="log.count" n={total} />}
      </h2>
      <DataTable
        height="page"
        label={t('nav.log')}
        source={source}
        columns={columns}
        failed="log.failed"
        empty={<EmptyList none="log.none" onReset={isNarrowed ? () => setView(VIEW) : undefined} />}
      />
      {opened && <LogEntry entry={opened} onClose={() => setOpened(undefined)} />}
    </Screen>
  );
}
