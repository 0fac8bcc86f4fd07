// A project that loses its last reserve, by whatever cause, is told once, and its notice ends when there is one again.
import { afterEach, beforeEach, expect, test } from 'vitest';
import { execute, select, transaction } from '../../../db/index.ts';
import { titleOf } from '../../../src/services/notices/content.ts';
import { groupPending, listNotices } from '../../../src/services/notices/notices.ts';
import { recordReserves } from '../../../src/services/transfers/reserve-looks.ts';
import { renderMessage } from '../../../src/shared/i18n/index.ts';
import { startDatabase, type TestDatabase } from '../../support/database.ts';
import { addPortfolio } from './world.ts';

let database: TestDatabase;
beforeEach(async () => {
  database = await startDatabase();
  await addPortfolio({ domains: 4, reserves: [2, 4], ofBob: [3, 4] });
  await recordReserves();
});
afterEach(() => database.close());

const change = (sql: string) => transaction(() => execute(`UPDATE domains SET ${sql}`));
const recorded = async () =>
  (await select<{ kind: string; name: string }>('SELECT kind, name FROM events ORDER BY id')).map(
    ({ kind, name }) => `${kind} ${name}`,
  );
const DAY_MS = 86_400_000;
const inDays = (days: number): string => new Date(Date.now() + days * DAY_MS).toISOString();

test.each([
  ['is blocked', `status = 'blocked' WHERE id = 2`],
  ['is removed', `deleted_at = '2026-01-01T00:00:00.000Z' WHERE id = 2`],
  ['goes to another project', `project_id = 2 WHERE id = 2`],
  ['is to be moved by hand alone', `transfer_type = 'manual' WHERE id = 2`],
  ['is about to expire', `expired_at = '${inDays(3)}' WHERE id = 2`],
])('a project whose last reserve %s is told once', async (_cause, sql) => {
  expect(await recorded()).toEqual([]);
  await change(sql);
  await Promise.all([recordReserves(), recordReserves()]);
  await recordReserves();
  expect(await recorded()).toEqual(['no_reserve P1']);
});

test('a reserve that visitors get no https from is none, once it had two days for its first certificate', async () => {
  const looked = (fault: string | null) =>
    transaction(async () => {
      await execute('DELETE FROM certificates');
      await execute(
        `INSERT INTO certificates (domain_id, side, domain_name, names_ok, fault, not_after, looked_at)
         VALUES (2, 'edge', 'd2.example', 1, $fault, $not_after, $now)`,
        { fault, not_after: inDays(60), now: inDays(0) },
      );
    });
  await change(`created_at = '${inDays(-1)}' WHERE id = 2`);
  await looked('untrusted');
  await recordReserves();
  expect(await recorded()).toEqual([]);
  await change(`created_at = '${inDays(-3)}' WHERE id = 2`);
  await recordReserves();
  await recordReserves();
  expect(await recorded()).toEqual(['no_reserve P1']);
  await looked(null);
  await recordReserves();
  expect(await recorded()).toEqual(['no_reserve P1', 'reserve_ready P1']);
});

test('a project that never had a reserve, or has no main domain, is not told', async () => {
  await change(`status = 'blocked' WHERE id = 4`);
  await change(`type = 'transfer', transfer_type = 'manual' WHERE id = 3`);
  await transaction(() =>
    execute(`INSERT INTO projects (id, user_id, name, created_at, last_reserve) VALUES (3, 1, 'P3', '', 'off')`),
  );
  await recordReserves();
  await recordReserves();
  expect(await recorded()).toEqual([]);
});

test('the notice lasts, under the name the project had, until there is a reserve again', async () => {
  const notices = () =>
    select<{ kind: string; closed_at: string | null }>('SELECT kind, closed_at FROM notices ORDER BY id');
  await change(`status = 'blocked' WHERE id = 2`);
  await recordReserves();
  await groupPending(new Date(Date.now() + 60_000));
  expect(await notices()).toEqual([{ kind: 'no_reserve', closed_at: null }]);
  await transaction(() => execute(`UPDATE projects SET name = 'Renamed' WHERE id = 1`));
  await change(`status = 'available' WHERE id = 2`);
  await recordReserves();
  expect(await recorded()).toEqual(['no_reserve P1', 'reserve_ready Renamed']);
  await groupPending(new Date(Date.now() + 60_000));
  const [ended, ...others] = await notices();
  expect(ended?.closed_at).not.toBeNull();
  expect(others).toEqual([]);
  const [told] = (await listNotices({ id: 2, login: 'ann', role: 'user' }, {})).notices;
  const subject = { n: 1, name: told!.first_name, params: told!.params };
  expect(renderMessage('en', titleOf(told!, subject, true))).toBe('P1 has a reserve again');
});
