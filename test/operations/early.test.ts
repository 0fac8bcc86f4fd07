// A change that is refused as too early: it waits, and has changed nothing.
import { afterEach, beforeEach, expect, test } from 'vitest';
import { select } from '../../db/index.ts';
import { registerFlows, runOperation } from '../../src/operations/engine.ts';
import type { Act } from '../../src/operations/flow.ts';
import { itemFlow } from '../../src/operations/items.ts';
import { enqueue } from '../../src/operations/queue.ts';
import { Waiting, type WaitPace } from '../../src/operations/waiting.ts';
import { AppError } from '../../src/shared/errors.ts';
import type { OperationItemRow } from '../../src/shared/operations/tables.ts';
import { startDatabase } from '../support/database.ts';

let database: Awaited<ReturnType<typeof startDatabase>>;
/** The stored item, as it was at each look. */
let seen: OperationItemRow[];
beforeEach(async () => {
  seen = [];
  database = await startDatabase();
});
afterEach(() => database.close());

const stored = async (): Promise<OperationItemRow> =>
  (await select<OperationItemRow>('SELECT * FROM operation_items'))[0]!;

/** Runs an operation of one item, whose act performs this until a value is set. Returns the item as it ended. */
async function run(perform: () => Promise<void>): Promise<OperationItemRow> {
  let isSet = false;
  const act: Act = {
    name: 'act',
    class: 'set',
    look: async () => {
      seen.push(await stored());
      const make = async (): Promise<void> => {
        await perform();
        isSet = true;
      };
      return isSet ? null : { before: '', after: 'new', perform: make };
    },
  };
  registerFlows([itemFlow('early', { open: async () => undefined, acts: () => [act] })]);
  const items = [{ item: 'a', lane: 'one', data: {} }];
  const message = { key: 'check.started' } as const;
  const asked = { kind: 'early', subject: 'all', user_id: null, input: {}, message, items };
  await runOperation((await enqueue(asked, true)).id);
  return stored();
}

const early = (pace: WaitPace): Waiting =>
  new Waiting(() => ({ key: 'operation.not_begun' }), pace, { cause: new AppError('refused', 'operation.unclear') });

test('it is tried again ever less often, and fails as it was refused once its time is over', async () => {
  const times: number[] = [];
  const ended = await run(async () => {
    times.push(performance.now());
    throw early({ everyMs: 1, limitMs: 300, grows: true });
  });
  expect(seen[1]).toMatchObject({ state: 'queued', acts: '[]', attempt: 0, not_before: expect.any(String) });
  expect(ended).toMatchObject({ state: 'failed', error_key: 'operation.unclear', acts: '[]', waiting: null });
  const pauses = times.map((time, index) => time - (times[index - 1] ?? time));
  // Three hundred pauses of a millisecond would fit.
  expect(pauses.length).toBeLessThan(30);
  expect(Math.max(...pauses)).toBeGreaterThan(50);
});

test('it is made once it is not too early any more, and counts once', async () => {
  let left = 2;
  const ended = await run(async () => {
    left -= 1;
    if (left >= 0) throw early({ everyMs: 1, limitMs: 60_000 });
  });
  expect(ended).toMatchObject({ state: 'done', error: null, waiting: null });
  expect(JSON.parse(ended.acts)).toMatchObject([{ name: 'act', state: 'done' }]);
});
