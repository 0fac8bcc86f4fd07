import { Button, Callout } from '@blueprintjs/core';
import { useEffect, useState } from 'react';
import type { BackupState } from '../../src/shared/system/backups.ts';
import { call, refresh, useCall, type AnswerOf } from '../kit/api.ts';
import { useFormats, useT } from '../kit/language.ts';
import { Panel } from '../kit/Panel.tsx';
import { Status, type State } from '../kit/Status.tsx';
import { Message, T } from '../kit/T.tsx';
import { DataTable, type Column } from '../kit/table/DataTable.tsx';
import { DateTime } from '../kit/table/DateTime.tsx';
import type { RowsSource } from '../kit/table/useRows.ts';
import { toast, toastFailure } from '../kit/toasts.tsx';
import './Schedule.css';

const LIST = 'GET /api/backups';
type View = AnswerOf<typeof LIST>['data'];
type Row = View['rows'][number] & { id: number };
type Job = 'backup' | 'drill';

const REFRESHED_MS = 5_000;

const STATES: Record<BackupState, State> = {
  failed: 'broken',
  never: 'unknown',
  late: 'stale',
  running: 'running',
  ok: 'healthy',
};

/** When a part last went well, and how long ago. */
function Good({ row: { good_at } }: { row: Row }) {
  const formats = useFormats();
  return (
    <>
      <DateTime iso={good_at} />
      {good_at !== null && <div className="muted">{formats.ago(good_at)}</div>}
    </>
  );
}

/** Why it failed, where it is, and how large. */
function Details({ row: { message, address, proved_at, bytes } }: { row: Row }) {
  const formats = useFormats();
  return (
    <>
      {message !== null && (
        <div className="schedule-message">
          <Message text={message} />
        </div>
      )}
      {address !== null && (
        <div className="muted schedule-message" translate="no">
          {address}
        </div>
      )}
      {proved_at !== null && (
        <div className="muted">
          <T k="backups.proved" /> <DateTime iso={proved_at} />
        </div>
      )}
      {bytes !== null && <div className="muted">{formats.bytes(bytes)}</div>}
    </>
  );
}

const COLUMNS: Column<Row>[] = [
  { id: 'part', header: 'backups.part', card: 'title', cell: ({ part }) => <T k={`backups.part_${part}`} /> },
  {
    id: 'state',
    header: 'backups.state',
    card: 'status',
    cell: ({ state }) => (
      <Status state={STATES[state]}>
        <T k={`backups.state_${state}`} />
      </Status>
    ),
  },
  { id: 'good', header: 'backups.good', cell: (row) => <Good row={row} /> },
  { id: 'details', header: 'backups.details', cell: (row) => <Details row={row} /> },
];

const SOURCE: RowsSource<Row> = {
  key: [LIST],
  load: async (_page, signal) => {
    const { data } = await call(LIST, { signal });
    const rows = data.rows.map((row, index) => Object.assign({ id: index + 1 }, row));
    return { data: rows, total: rows.length };
  },
};

/** Starts a job at once. */
function Start({ job, isRunning }: { job: Job; isRunning: boolean }) {
  const t = useT();
  const [busy, setBusy] = useState(false);
  const text = t(`backups.run_${job}`);
  const start = async (): Promise<void> => {
    setBusy(true);
    try {
      await call('POST /api/schedules/:name/run', { params: { name: job }, body: {} });
      toast.success(t('schedule.started', { job: text }));
    } catch (error) {
      toastFailure(t('schedule.run_failed', { job: text }), error);
    }
    await refresh(LIST);
    setBusy(false);
  };
  return <Button size="small" disabled={busy || isRunning} text={text} onClick={() => void start()} />;
}

function Acts({ rows }: Pick<View, 'rows'>) {
  const isRunning = (job: Job): boolean => rows.some(({ part, state }) => part === job && state === 'running');
  return (
    <span className="schedule-acts">
      <Start job="backup" isRunning={isRunning('backup')} />
      <Start job="drill" isRunning={isRunning('drill')} />
    </span>
  );
}

/** Warnings about missing setup and inactive schedules, and the number and size of the kept backups. */
function Notes({ notes, kept, bytes }: View) {
  const formats = useFormats();
  return (
    <>
      {notes.map((note) => (
        <Callout key={note} intent="warning" className="schedule-off">
          <Message text={note} />
        </Callout>
      ))}
      {kept > 0 && (
        <p className="schedule-off muted">
          <T k="backups.kept" n={kept} size={formats.bytes(bytes)} />
        </p>
      )}
    </>
  );
}

/** The backups: the last one, its copies and its trial restore, with their ages; what asks for a person stands first. */
export function Backups() {
  const t = useT();
  const { data } = useCall(LIST);
  useEffect(() => {
    const timer = setInterval(() => void refresh(LIST), REFRESHED_MS);
    return () => clearInterval(timer);
  }, []);
  return (
    <Panel title={<T k="backups.title" />} aside={data && <Acts rows={data.data.rows} />} flush>
      {data && <Notes {...data.data} />}
      <DataTable label={t('backups.title')} source={SOURCE} columns={COLUMNS} empty={null} failed="backups.failed" />
    </Panel>
  );
}
