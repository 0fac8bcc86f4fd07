// Rows that are due are found by the indexes of the few that are open, among all that are kept for months; reading every row would find the same.
import { afterEach, beforeEach, expect, test } from 'vitest';
import { dialect, execute, select, transaction } from '../../../db/index.ts';
import { DUE, listDue } from '../../../src/services/notices/delivery-rows.ts';
import { ANY_DUE, hasDue, listUntold, UNTOLD } from '../../../src/services/notices/rows.ts';
import type { EventKind } from '../../../src/shared/notices/events.ts';
import { startDatabase, type TestDatabase } from '../../support/database.ts';

let database: TestDatabase;
beforeEach(async () => {
  database = await startDatabase();
});
afterEach(() => database.close());

const at = (minute: number): string => new Date(Date.UTC(2026, 10, 20, 12, minute)).toISOString();
const LASTING: EventKind[] = ['domain_down', 'no_reserve'];
const TIMES = { calm: at(30), grown: at(30), momentary: at(30) };

const planOf = (sql: string, bind: Record<string, string | number | null>): Promise<string> =>
  transaction(async () => {
    const isSqlite = dialect() === 'sqlite';
    // PostgreSQL reads a table of a few rows as a whole.
    if (!isSqlite) await execute('SET LOCAL enable_seqscan = off');
    return JSON.stringify(await select(`${isSqlite ? 'EXPLAIN QUERY PLAN' : 'EXPLAIN'} ${sql}`, bind));
  });

/** Whether a plan reads a table from one end to the other. */
const readsAll = (plan: string, table: string): boolean => new RegExp(`SCAN ${table}"|Seq Scan on ${table}`).test(plan);

test('deliveries that are due are found by the index of those that are open', async () => {
  const plan = await planOf(DUE, { now: at(0), limit: 20, channel: 'email' });
  expect(plan).toContain('notice_deliveries_due');
  expect(readsAll(plan, 'notice_deliveries')).toBe(false);
});

test('notices that are to be told or closed are found by the indexes of what is new or open', async () => {
  const kinds = JSON.stringify(LASTING);
  const untold = await planOf(UNTOLD, { ended: '[1]', grown: at(0) });
  for (const index of ['notices_new', 'notices_open']) expect(untold).toContain(index);
  const due = await planOf(ANY_DUE, { kinds, ...TIMES });
  for (const index of ['notices_new', 'notices_open']) expect(due).toContain(index);
  for (const plan of [untold, due]) expect(readsAll(plan, 'notices')).toBe(false);
});

test('due are the deliveries that wait no longer and those whose sender has not come back, the oldest first', async () => {
  await transaction(async () => {
    for (const state of ['queued', 'sending', 'sent', 'failed']) {
      for (const due of [1, 9, 5]) {
        for (const lease of [null, at(1), at(9)]) {
          await execute(
            `INSERT INTO notice_deliveries (kind, channel, state, due_at, lease_until, created_at, changed_at)
             VALUES ('test', $channel, $state, $due, $lease, '', '')`,
            { state, lease, due: at(due), channel: due === 5 ? 'email' : 'telegram' },
          );
        }
      }
    }
  });
  for (const channel of [null, 'email', 'telegram']) {
    const plain = await select(
      `SELECT * FROM notice_deliveries WHERE ((state = 'queued' AND due_at <= $now) OR (state = 'sending' AND lease_until < $now))
         AND ($channel IS NULL OR channel = $channel) ORDER BY due_at, id`,
      { now: at(5), channel },
    );
    expect(plain.length).toBeGreaterThan(0);
    expect(await listDue(at(5), 100, channel)).toEqual(plain);
  }
});

const PLAIN_UNTOLD = `told_at IS NULL OR (closed_at IS NULL AND subjects > told_subjects AND told_at < $grown)
  OR (id IN (SELECT CAST(value AS INTEGER) FROM json_each($ended)) AND id IN (SELECT notice_id FROM notice_subjects WHERE closed_at IS NOT NULL AND silent = 0))`;

test('to be told are new notices, those that grew, and those that end now other than silently, in the order of their numbers', async () => {
  await transaction(async () => {
    for (const told of [null, at(10), at(40)]) {
      for (const closed of [null, at(20), at(50)]) {
        for (const kind of [...LASTING, 'transfer_ended']) {
          for (const subjects of [1, 2]) {
            await execute(
              `INSERT INTO notices (kind, level, cause, cause_name, subjects, open_subjects, told_subjects, told_at, opened_at, changed_at, closed_at)
               VALUES ($kind, 'critical', '', '', $subjects, 0, 1, $told, '', '', $closed)`,
              { kind, subjects, told, closed },
            );
          }
        }
      }
    }
  });
  const ids = (await select<{ id: number }>('SELECT id FROM notices WHERE closed_at IS NOT NULL ORDER BY id')).map(
    ({ id }) => id,
  );
  const ended = ids.filter((_, n) => n % 2 === 0);
  await transaction(async () => {
    for (const [n, notice_id] of ids.entries()) {
      await execute(
        `INSERT INTO notice_subjects (notice_id, subject, name, params, opened_at, closed_at, silent) VALUES ($notice_id, 's', '', '{}', '', $closed, $silent)`,
        { notice_id, closed: n % 3 === 0 ? null : at(20), silent: n % 5 === 0 ? 1 : 0 },
      );
    }
  });
  const bind = { ended: JSON.stringify(ended), grown: at(30) };
  const plain = await select(`SELECT * FROM notices WHERE ${PLAIN_UNTOLD} ORDER BY id`, bind);
  expect(plain.length).toBeGreaterThan(10);
  expect(await listUntold(ended, at(30))).toEqual(plain);
});

test.each<
  [
    string,
    boolean,
    Partial<Record<'told_at' | 'closed_at' | 'kind' | 'opened_at' | 'changed_at', string | null>> & {
      subjects?: number;
      flapping?: number;
    },
  ]
>([
  ['is new', true, { told_at: null }],
  ['is open and told', true, {}],
  ['is of a kind that is over at once, and young', false, { kind: 'transfer_ended', opened_at: at(40) }],
  ['is of a kind that is over at once, and old', true, { kind: 'transfer_ended', opened_at: at(10) }],
  ['flaps', false, { flapping: 1, changed_at: at(40) }],
  ['flapped', true, { flapping: 1, changed_at: at(10) }],
  ['grew', true, { flapping: 1, changed_at: at(40), subjects: 2 }],
  ['is closed and told', false, { closed_at: at(5), subjects: 2 }],
])('a notice that %s is due: %s', async (_title, isDue, change) => {
  const row = {
    kind: 'domain_down',
    told_at: at(10),
    closed_at: null,
    opened_at: at(0),
    changed_at: at(0),
    subjects: 1,
    flapping: 0,
    ...change,
  };
  await transaction(() =>
    execute(
      `INSERT INTO notices (kind, level, cause, cause_name, flapping, subjects, open_subjects, told_subjects, told_at, opened_at, changed_at, closed_at)
       VALUES ($kind, 'critical', '', '', $flapping, $subjects, 0, 1, $told_at, $opened_at, $changed_at, $closed_at)`,
      row,
    ),
  );
  expect(await hasDue(LASTING, TIMES)).toBe(isDue);
});
