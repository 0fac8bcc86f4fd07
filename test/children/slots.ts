// One of several schedulers of a job of every minute, in a time that passes quickly, by a clock that is wrong by up to 45 s and set at
// every look. Prints the slots that it has claimed.
import { openDatabase, transaction } from '../../db/index.ts';
import { BARE, ruleOf, turnOf } from '../../src/operations/schedule.ts';
import { insertRun, listRuns } from '../../src/operations/schedule/rows.ts';
import { storeEnd } from '../../src/operations/schedule/run.ts';

const SLOT_MS = 60_000;
const WRONG_MS = 90_000;

const [database = '', began = '0', slotMs = '4'] = process.argv.slice(2);
const rule = ruleOf({ cron: '* * * * *' });
const now = (): number => {
  const passed = ((Date.now() - Number(began)) / Number(slotMs)) * SLOT_MS;
  return Math.round(Number(began) + passed + (Math.random() - 0.5) * WRONG_MS);
};
await openDatabase(database);
await transaction(() => insertRun('one'));
for (;;) {
  const row = (await listRuns()).find(({ name }) => name === 'one');
  const { turn } = await turnOf({ name: 'one' }, rule, 0, row, now());
  if (!turn) {
    await new Promise((resolve) => setTimeout(resolve, 1));
    continue;
  }
  console.log(row?.next_at);
  await storeEnd(turn.held, { result: 'ok' }, BARE);
}
