import { Button, Callout, Switch } from '@blueprintjs/core';
import { useEffect, useMemo, useState } from 'react';
import { Link } from 'react-router-dom';
import type { Key } from '../../src/shared/i18n/index.ts';
import type { JobName } from '../../src/shared/system/job-names.ts';
import type { JobResult } from '../../src/shared/system/schedules.ts';
import { call, refresh, useCall, type AnswerOf } from '../kit/api.ts';
import { EditIcon } from '../kit/icons.tsx';
import { IconAction } from '../kit/IconAction.tsx';
import { useFormats, useT } from '../kit/language.ts';
import { Panel } from '../kit/Panel.tsx';
import { Status, type State } from '../kit/Status.tsx';
import { Message, T } from '../kit/T.tsx';
import { DataTable, type Column } from '../kit/table/DataTable.tsx';
import { DateTime } from '../kit/table/DateTime.tsx';
import type { RowsSource } from '../kit/table/useRows.ts';
import { toast, toastFailure } from '../kit/toasts.tsx';
import { ScheduleForm } from './ScheduleForm.tsx';
import { jobName, secondsBetween, whenText } from './scheduleTexts.ts';
import './Schedule.css';

const LIST = 'GET /api/schedules';
type Answered = AnswerOf<typeof LIST>;
type Job = Answered['data'][number] & { id: number };

const RUNNING_MS = 2_000;
const IDLE_MS = 20_000;

const STATES: Record<JobResult | 'running', State> = {
  ok: 'healthy',
  failed: 'broken',
  skipped: 'unknown',
  running: 'running',
};

/** When a job runs, in words, and its quiet times. */
function When({ job }: { job: Job }) {
  const t = useT();
  const { quiet_from: from, quiet_until: until } = job;
  return (
    <>
      {whenText(t, job)}
      {from !== null && until !== null && (
        <div className="muted">
          <T k="schedule.quiet" from={from} until={until} />
        </div>
      )}
    </>
  );
}

/** When the last run began, and how long it took. */
function Last({ job: { started_at, ended_at } }: { job: Job }) {
  const t = useT();
  if (started_at === null) return <span className="muted">{t('schedule.never')}</span>;
  return (
    <>
      <DateTime iso={started_at} />
      {ended_at !== null && (
        <div className="muted">{t('schedule.took', { seconds: secondsBetween(started_at, ended_at) })}</div>
      )}
    </>
  );
}

/** Whether the address outside was called after the last run. */
function Heartbeat({ job: { heartbeat, heartbeat_at, heartbeat_error } }: { job: Job }) {
  const formats = useFormats();
  if (heartbeat === '') return null;
  if (heartbeat_error !== null) {
    return (
      <div className="schedule-unheard">
        <T k="schedule.heartbeat_unheard" error={heartbeat_error} />
      </div>
    );
  }
  return heartbeat_at === null ? null : (
    <div className="muted">
      <T k="schedule.heartbeat_called" at={formats.dateTime(heartbeat_at)} />
    </div>
  );
}

/** How the last run ended, or that one goes on. */
function Result({ job }: { job: Job }) {
  const state = job.is_running ? 'running' : job.result;
  if (state === null) return null;
  return (
    <>
      <Status state={STATES[state]}>
        <T k={`schedule.state_${state}`} />
      </Status>
      {!job.is_running && job.message !== null && (
        <div className="schedule-message">
          <Message text={job.message} />
        </div>
      )}
      {job.operation_id !== null && (
        <div>
          <Link to={`/operations?operation=${job.operation_id}`}>
            <T k="schedule.operation" id={job.operation_id} />
          </Link>
        </div>
      )}
      <Heartbeat job={job} />
    </>
  );
}

/** Switches a job on or off at once. */
function Active({ job: { name, active } }: { job: Job }) {
  const t = useT();
  const [busy, setBusy] = useState(false);
  const change = async (): Promise<void> => {
    setBusy(true);
    try {
      await call('PUT /api/schedules/:name', { params: { name }, body: { active: !active } });
      await refresh(LIST);
    } catch (error) {
      toastFailure(t('schedule.save_failed'), error);
    }
    setBusy(false);
  };
  return (
    <Switch
      className="schedule-switch"
      checked={active}
      aria-label={t('schedule.active_of', { job: jobName(t, name) })}
      aria-busy={busy}
      onChange={() => !busy && void change()}
    />
  );
}

/** Runs a job now. */
function RunNow({ job: { name, is_running } }: { job: Job }) {
  const t = useT();
  const [busy, setBusy] = useState(false);
  const job = jobName(t, name);
  const run = async (): Promise<void> => {
    setBusy(true);
    try {
      await call('POST /api/schedules/:name/run', { params: { name }, body: {} });
      toast.success(t('schedule.started', { job }));
    } catch (error) {
      toastFailure(t('schedule.run_failed', { job }), error);
    }
    await refresh(LIST);
    setBusy(false);
  };
  return (
    <Button
      size="small"
      disabled={busy || is_running}
      aria-label={t('schedule.run_of', { job })}
      text={<T k="schedule.run" />}
      onClick={() => void run()}
    />
  );
}

const columnsOf = (
  edit: (name: JobName) => void,
  nameOf: (name: JobName) => string,
  editText: string,
): Column<Job>[] => [
  { id: 'job', header: 'schedule.job', card: 'title', cell: ({ name }) => nameOf(name) },
  { id: 'when', header: 'schedule.when', cell: (job) => <When job={job} /> },
  {
    id: 'next',
    header: 'schedule.next',
    cell: ({ next_at }) =>
      next_at === null ? (
        <span className="muted">
          <T k="schedule.not_planned" />
        </span>
      ) : (
        <DateTime iso={next_at} />
      ),
  },
  { id: 'last', header: 'schedule.last', cell: (job) => <Last job={job} /> },
  { id: 'result', header: 'schedule.result', cell: (job) => <Result job={job} /> },
  { id: 'active', header: 'schedule.active', card: 'status', cell: (job) => <Active job={job} /> },
  {
    id: 'acts',
    header: 'schedule.run',
    cell: (job) => (
      <span className="schedule-acts">
        <RunNow job={job} />
        <IconAction icon={<EditIcon />} action={editText} name={nameOf(job.name)} onClick={() => edit(job.name)} />
      </span>
    ),
  },
];

/** Says that no process runs the schedule. */
function Off({ scheduler: { is_on, seen_at } }: Pick<Answered, 'scheduler'>) {
  const formats = useFormats();
  if (is_on) return null;
  const said: [Key, Record<string, string>] =
    seen_at === null ? ['schedule.off', {}] : ['schedule.off_since', { at: formats.dateTime(seen_at) }];
  return (
    <Callout intent="warning" className="schedule-off">
      <T k={said[0]} {...said[1]} />
    </Callout>
  );
}

// Its key is that of the call, so that a refreshed list replaces its rows without a gap.
const SOURCE: RowsSource<Job> = {
  key: [LIST],
  load: async (_page, signal) => {
    const { data, total } = await call(LIST, { signal });
    return { data: data.map((job, index) => Object.assign({ id: index + 1 }, job)), total };
  },
};

/** Refreshes the list, more often while a job runs. */
function useRefreshed(isRunning: boolean): void {
  useEffect(() => {
    const timer = setInterval(() => void refresh(LIST), isRunning ? RUNNING_MS : IDLE_MS);
    return () => clearInterval(timer);
  }, [isRunning]);
}

/** The jobs that run by themselves: when, how they ended, on or off. */
export function Schedule() {
  const t = useT();
  const [edited, setEdited] = useState<JobName>();
  const { data } = useCall(LIST);
  useRefreshed(data?.data.some(({ is_running }) => is_running) ?? false);
  const columns = useMemo(() => columnsOf(setEdited, (name) => jobName(t, name), t('schedule.edit')), [t]);
  const chosen = data?.data.find(({ name }) => name === edited);
  return (
    <Panel title={<T k="schedule.title" />} flush>
      {data && <Off scheduler={data.scheduler} />}
      <DataTable
        label={t('schedule.caption')}
        source={SOURCE}
        columns={columns}
        empty={null}
        failed="schedule.failed"
        height="page"
      />
      {chosen && <ScheduleForm job={chosen} onClose={() => setEdited(undefined)} />}
    </Panel>
  );
}
