// Repairs of a day, and trends of the last thirty days.
import { expect, test } from 'vitest';
import { recordEvents } from '../../../db/events.ts';
import { execute, transaction } from '../../../db/index.ts';
import { readTriage } from '../../../src/services/triage/triage.ts';
import { DAY_MS } from '../../../src/shared/time.ts';
import { ANN, at, BOB, NOW, useTriage } from './world.ts';

useTriage();

test('repairs of a day and the trends are those of the own names', async () => {
  await transaction(() =>
    recordEvents([
      { kind: 'domain_down', name: 'd1.example', domain_id: 1 },
      { kind: 'domain_up', name: 'd1.example', domain_id: 1 },
      { kind: 'domain_up', name: 'd2.example', domain_id: 2 },
      { kind: 'domain_blocked', name: 'd7.example', domain_id: 7 },
    ]),
  );
  await transaction(() =>
    execute(
      `INSERT INTO transfer_history (project_id, main_domain_id, transfer_domain_id, main_domain_name, transfer_domain_name, action, created_at)
       VALUES (1, 3, 5, 'd3.example', 'd5.example', 'auto', $now)`,
      { now: at(-2) },
    ),
  );
  const { repaired, trends } = await readTriage(ANN);
  expect(repaired.counts).toEqual({ up: 2, unblocked: 0, moved: 1 });
  expect(repaired.list.map(({ kind, name, count }) => [kind, name, count])).toEqual([
    ['up', 'd1.example', 2],
    ['moved', 'd3.example', 1],
  ]);
  expect([trends.down.total, trends.moved.total, trends.blocked.total]).toEqual([1, 1, null]);
  const ofBob = await readTriage(BOB);
  expect(ofBob.repaired.counts).toEqual({ up: 0, unblocked: 0, moved: 0 });
  expect(ofBob.trends.blocked.total).toBe(1);
});

/** Adds repairs of domains: how many seconds each took, and how many ms ago it ended. */
const addRepairs = (repairs: readonly (readonly [number, number, number])[]): Promise<void> =>
  transaction(async () => {
    await execute(
      `INSERT INTO notices (kind, level, cause, cause_name, subjects, open_subjects, opened_at, changed_at)
       VALUES ('domain_down', 'critical', '', '', 3, 0, $now, $now)`,
      { now: at(-1) },
    );
    for (const [id, seconds, ago] of repairs) {
      const to = NOW - ago;
      await execute(
        `INSERT INTO notice_subjects (notice_id, subject, domain_id, name, params, opened_at, closed_at)
         VALUES ((SELECT max(id) FROM notices), 'domain:' || $text, $id, '', '{}', $from, $to)`,
        { text: String(id), id, from: new Date(to - seconds * 1000).toISOString(), to: new Date(to).toISOString() },
      );
    }
  });

test('the time to repair is the median of a day', async () => {
  await addRepairs([
    [1, 600, 0],
    [2, 1200, 0],
    [3, 3600, 0],
  ]);
  const { trends } = await readTriage(ANN, NOW);
  expect(trends.repair.total).toBe(1200);
  expect(trends.repair.values.at(-1)).toBe(1200);
});

test('the time to repair of an even number of repairs is between the two in the middle, of all days together as well', async () => {
  await addRepairs([
    [1, 9, 0],
    [2, 100, 0],
    [3, 31, DAY_MS],
    [7, 50_000, 0],
  ]);
  const { trends } = await readTriage(ANN, NOW);
  expect(trends.repair.values.slice(-3)).toEqual([null, 31, 55]);
  expect(trends.repair.total).toBe(31);
});
