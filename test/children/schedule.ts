// A process that runs the schedule of one hourly job on a database: prints a line when a run begins, `planned` when it is planned.
import { openDatabase, select } from '../../db/index.ts';
import { createLog } from '../../src/lib/log.ts';
import { startSchedule } from '../../src/operations/schedule.ts';

const [database = '', holds = ''] = process.argv.slice(2);
await openDatabase(database);
const run = async (): Promise<void> => {
  console.log('run');
  if (holds === 'hold') await new Promise((resolve) => setTimeout(resolve, 600_000));
};
const schedule = startSchedule([{ name: 'one', cron: '0 * * * *', run }], createLog('silent'));
// The schedule itself keeps no process alive.
setInterval(() => undefined, 60_000);
process.once('SIGTERM', () => void schedule.stop().then(() => process.exit(0)));
for (;;) {
  const [row] = await select<{ next_at: string | null }>(`SELECT next_at FROM schedule_runs WHERE name = 'one'`);
  if (row?.next_at) break;
  await new Promise((resolve) => setTimeout(resolve, 50));
}
console.log('planned');
