import { readBackups } from '../services/system/backups/overview.ts';
import { listSchedules, previewSchedule, setSchedule } from '../services/system/schedules.ts';
import { startJob } from '../services/system/schedule-runs.ts';
import type { Render } from '../shared/i18n/index.ts';
import type { BackupsView } from '../shared/system/backups.ts';
import { ScheduleInput, type ScheduleView } from '../shared/system/schedules.ts';
import { Nothing, route } from './http/route.ts';

const rendered = ({ message, ...view }: ScheduleView, render: Render): ScheduleView<string> => ({
  ...view,
  message: message && render(message),
});

const renderedBackups = ({ rows, notes, ...view }: BackupsView, render: Render): BackupsView<string> => ({
  ...view,
  rows: rows.map(({ message, ...row }) => Object.assign(row, { message: message && render(message) })),
  notes: notes.map(render),
});

export const schedules = {
  'GET /api/backups': route({
    access: 'admin',
    summary:
      'How the backups stand: the last one, its copies elsewhere and its trial restore, what asks for a person first',
    run: async ({ actor, render }) => ({ data: renderedBackups(await readBackups(actor), render) }),
  }),
  'GET /api/schedules': route({
    access: 'admin',
    summary: 'The jobs that run by themselves: when, how the last run ended, and whether a process runs the schedule',
    run: async ({ actor, render }) => {
      const { data, ...rest } = await listSchedules(actor);
      return { data: data.map((view) => rendered(view, render)), ...rest };
    },
  }),
  'PUT /api/schedules/:name': route({
    access: 'admin',
    summary: 'Set when a job runs; fields that are absent stay',
    body: ScheduleInput,
    run: async ({ actor, params, body, render }) => ({
      data: rendered(await setSchedule(actor, params['name'] ?? '', body), render),
    }),
  }),
  'POST /api/schedules/:name/preview': route({
    access: 'admin',
    summary: 'The next five runs of a job, as it would be with these settings',
    body: ScheduleInput,
    run: async ({ actor, params, body }) => ({ data: await previewSchedule(actor, params['name'] ?? '', body) }),
  }),
  'POST /api/schedules/:name/run': route({
    access: 'admin',
    summary: 'Run a job now, beside its times; 409 where it runs already',
    body: Nothing,
    run: async ({ actor, params, server }) => {
      await startJob(actor, params['name'] ?? '', server.log);
      return { data: { started: true } };
    },
  }),
};
