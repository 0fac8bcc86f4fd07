import { afterEach, beforeEach, expect, test } from 'vitest';
import { commitCount, execute, select, transaction } from '../../../db/index.ts';
import { cancelOperation, enqueue } from '../../../src/operations/queue.ts';
import { SYSTEM } from '../../../src/services/access/scope.ts';
import { accountLane } from '../../../src/services/accounts/lanes.ts';
import { startCheck } from '../../../src/services/checks/checks.ts';
import { purge } from '../../../src/services/system/purge.ts';
import { addUser, startDatabase, type TestDatabase } from '../../support/database.ts';

let database: TestDatabase;
beforeEach(async () => {
  database = await startDatabase();
});
afterEach(() => database.close());

const daysAgo = (days: number): string => new Date(Date.now() - days * 86_400_000).toISOString();
const CHILDREN = ['operation_items', 'operation_locks', 'operation_uses', 'check_runs'];

/** Queues work and a check, cancels both, and dates their end. */
async function endedAgo(days: number): Promise<number[]> {
  const { id } = await enqueue({
    kind: 'test',
    subject: String(days),
    user_id: null,
    input: {},
    message: { key: 'check.started' },
    items: [{ item: 'a', ...accountLane(7), data: {} }],
    locks: [{ kind: 'domain', name: 'a.com' }],
  });
  const ids = [id, (await startCheck(SYSTEM, { steps: ['http'] })).id];
  for (const one of ids) {
    await cancelOperation(one);
    await transaction(() =>
      execute('UPDATE operations SET finished_at = $at WHERE id = $one', { one, at: daysAgo(days) }),
    );
  }
  return ids;
}

test('a purge deletes operations of more than ninety days ago with all that belongs to them, and no younger ones', async () => {
  await endedAgo(91);
  const kept = await endedAgo(89);
  await purge();
  expect(await select('SELECT id FROM operations ORDER BY id')).toEqual(kept.map((id) => ({ id })));
  for (const table of CHILDREN) {
    const left = await select<{ operation_id: number }>(`SELECT operation_id FROM ${table}`);
    expect([table, left]).toEqual([table, [{ operation_id: table === 'check_runs' ? kept[1] : kept[0] }]]);
  }
});

test('a purge deletes grouped events after the month of the trends, closed notices after ninety days with all that belongs to them, and no open one', async () => {
  await transaction(async () => {
    for (const days of [32, 30]) {
      await execute(
        `INSERT INTO events (kind, level, name, cause, params, at) VALUES ('job_failed', 'warning', $name, '', '{}', $at)`,
        { name: `job ${days}`, at: daysAgo(days) },
      );
    }
    for (const [id, opened, closed] of [
      [1, 100, 91],
      [2, 100, 89],
      [3, 400, null],
    ] as const) {
      const closed_at = closed === null ? null : daysAgo(closed);
      await execute(
        `INSERT INTO notices (id, kind, level, cause, cause_name, flapping, subjects, open_subjects, opened_at, changed_at, closed_at)
         VALUES ($id, 'job_failed', 'warning', '', '', 0, 1, 0, $at, $at, $closed_at)`,
        { id, at: daysAgo(opened), closed_at },
      );
      await execute(
        `INSERT INTO notice_subjects (notice_id, subject, name, params, opened_at) VALUES ($id, 'name:a', 'a', '{}', $at)`,
        { id, at: daysAgo(opened) },
      );
    }
    for (const [notice_id, days] of [
      [1, 100],
      [2, 100],
      [3, 400],
      [null, 91],
      [null, 89],
    ] as const) {
      await execute(
        `INSERT INTO notice_deliveries (notice_id, kind, channel, state, due_at, attempts, created_at, changed_at)
         VALUES ($notice_id, 'opened', 'email', 'sent', $at, 1, $at, $at)`,
        { notice_id, at: daysAgo(days) },
      );
    }
  });
  await purge();
  expect(await select('SELECT name FROM events')).toEqual([{ name: 'job 30' }]);
  for (const [sql, ids] of [
    ['SELECT id FROM notices ORDER BY id', [2, 3]],
    ['SELECT notice_id AS id FROM notice_subjects ORDER BY notice_id', [2, 3]],
    ['SELECT COALESCE(notice_id, 0) AS id FROM notice_deliveries ORDER BY 1', [0, 2, 3]],
  ] as const) {
    expect((await select<{ id: number }>(sql)).map(({ id }) => id)).toEqual(ids);
  }
});

/** Purges, and returns in how many transactions. */
async function commitsOfPurge(): Promise<number> {
  const before = commitCount();
  await purge();
  return commitCount() - before;
}

test('rows of one notice or one reading are deleted a part at a time, and not all at once with it', async () => {
  const usual = await commitsOfPurge();
  const [at, many] = [daysAgo(91), 'WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 4500)'];
  await transaction(() =>
    execute(
      `INSERT INTO notices (id, kind, level, cause, cause_name, flapping, subjects, open_subjects, opened_at, changed_at, closed_at)
       VALUES (1, 'domain_down', 'warning', '', '', 0, 4500, 0, $at, $at, $at)`,
      { at },
    ),
  );
  await transaction(() =>
    execute(
      `INSERT INTO notice_subjects (notice_id, subject, name, params, opened_at)
       ${many} SELECT 1, 'domain:' || i, 'name', '{}', $at FROM n`,
      { at },
    ),
  );
  expect(await commitsOfPurge()).toBeGreaterThan(usual + 3);
  expect(await select('SELECT id FROM notices')).toEqual([]);
  const [reading] = await endedAgo(91);
  const { id: ann } = await addUser('ann');
  await transaction(async () => {
    await execute(`INSERT INTO projects (id, name, user_id, created_at) VALUES (9, 'shop', $ann, $at)`, { ann, at });
    await execute(
      `INSERT INTO keywords (project_id, value, normalized, tags, created_at) ${many} SELECT 9, 'w' || i, 'w' || i, '[]', $at FROM n`,
      { at },
    );
    await execute(
      `INSERT INTO search_queries (keyword_id, engine, region, device) SELECT id, 'yandex', '213', 'desktop' FROM keywords`,
    );
    await execute(
      `INSERT INTO search_failures (operation_id, query_id, day, error) SELECT $reading, id, 1, '{}' FROM search_queries`,
      { reading },
    );
  });
  expect(await commitsOfPurge()).toBeGreaterThan(usual + 6);
  expect(await select('SELECT operation_id FROM search_failures')).toEqual([]);
});

test('a purge deletes automatic decisions of more than ninety days ago but for the last about each domain', async () => {
  const { id: ann } = await addUser('ann');
  await transaction(async () => {
    for (const id of [1, 2]) {
      await execute(
        `INSERT INTO domains (id, user_id, domain_name, unicode_name, file_path, type, transfer_type, transfer_dns, status, created_at, updated_at)
         VALUES ($id, $ann, $name, $name, '', 'main', 'auto', 'off', 'blocked', $at, $at)`,
        { id, ann, name: `site-${id}.com`, at: daysAgo(200) },
      );
    }
    for (const [domain, days] of [
      [1, 120],
      [1, 91],
      [1, 89],
      [2, 150],
      [2, 120],
    ] as const) {
      await execute(
        `INSERT INTO transfer_decisions (domain_id, decision, reason, created_at) VALUES ($domain, 'declined', '{}', $at)`,
        { domain, at: daysAgo(days) },
      );
    }
  });
  await purge();
  const left = await select<{ domain_id: number; created_at: string }>(
    'SELECT domain_id, created_at FROM transfer_decisions ORDER BY id',
  );
  const ages = left.map((row) => [row.domain_id, Math.round((Date.now() - Date.parse(row.created_at)) / 86_400_000)]);
  expect(ages).toEqual([
    [1, 89],
    [2, 120],
  ]);
});

test('a purge drops what an import has kept for its undo once it is undone or its thirty days are over, and the import stays', async () => {
  const { id: user } = await addUser('ann');
  const kept = '{"domains":[],"projects":[7]}';
  await transaction(async () => {
    for (const [id, days, undone] of [
      [1, 31, null],
      [2, 29, null],
      [3, 1, daysAgo(0)],
    ]) {
      await execute(
        `INSERT INTO imports (id, user_id, source, created, updated, before, created_at, undone_at)
         VALUES ($id, $user, 'list.csv', 1, 0, $kept, $at, $undone)`,
        { id, user, kept, at: daysAgo(Number(days)), undone },
      );
    }
  });
  await purge();
  expect(await select('SELECT id, before FROM imports ORDER BY id')).toEqual([
    { id: 1, before: '{}' },
    { id: 2, before: kept },
    { id: 3, before: '{}' },
  ]);
});
