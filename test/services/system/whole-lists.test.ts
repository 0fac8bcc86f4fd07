// Lists that are asked for as a whole are read and written part by part: they are the same, and others have their turn in between.
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { execute, select, transaction } from '../../../db/index.ts';
import { SYSTEM } from '../../../src/services/access/scope.ts';
import { listItems } from '../../../src/services/operations/operations.ts';
import { exportChosen, exportDomains } from '../../../src/services/portfolio/domain-export.ts';
import { listDomains } from '../../../src/services/portfolio/domain-lists.ts';
import { parseJsonText } from '../../../src/services/portfolio/json.ts';
import { listAllRows, listRows } from '../../../src/services/system/table-views.ts';
import { startDatabase, type TestDatabase } from '../../support/database.ts';

const MANY = 4_100;
const COMMA = { delimiter: 'comma', bom: 'off' } as const;

let database: TestDatabase;
beforeAll(async () => {
  database = await startDatabase();
  await transaction(async () => {
    await execute(`INSERT INTO users (id, login, password, role, created_at) VALUES (1, 'ann', '', 'admin', '')`);
    await execute(
      `WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < $many)
       INSERT INTO domains (id, user_id, domain_name, unicode_name, file_path, type, transfer_type, transfer_dns, status, created_at, updated_at)
       SELECT i, 1, 'd' || ($many - i) || '.example', 'd' || ($many - i) || '.example', '/', 'main', 'manual', 'off',
         CASE WHEN i > 4000 THEN 'blocked' ELSE 'available' END, '', '' FROM n`,
      { many: MANY },
    );
    await execute('UPDATE domains SET deleted_at = $at WHERE id = 17', { at: '2026-11-20T12:00:00.000Z' });
    await execute(
      `INSERT INTO operations (id, kind, subject, input, state, steps, message, created_at)
       VALUES (1, 'tls', 'some', '{}', 'succeeded', '[]', '{}', '')`,
    );
    await execute(
      `INSERT INTO operation_items (operation_id, item, lane, data, state, acts, changed_at, lock_name)
       SELECT 1, 'tls ' || domain_name, 'l', '{}', CASE WHEN id < 60 THEN 'failed' ELSE 'done' END, '[]', '', domain_name FROM domains`,
    );
  });
});
afterAll(() => database.close());

/** Does work, and returns the most rows of it that were read or written as one JSON. */
async function mostAtOnce(work: () => Promise<unknown>): Promise<number> {
  const parse = vi.spyOn(JSON, 'parse');
  const stringify = vi.spyOn(JSON, 'stringify');
  try {
    await work();
    const read = parse.mock.results.map(({ value }) => (value as { data?: unknown } | null)?.data);
    const written = stringify.mock.calls.map(([value]) => value as unknown);
    return Math.max(0, ...[...read, ...written].map((rows) => (Array.isArray(rows) ? rows.length : 0)));
  } finally {
    parse.mockRestore();
    stringify.mockRestore();
  }
}

const lines = (csv: string): string[] =>
  csv
    .split('\r\n')
    .slice(1, -1)
    .map((line) => line.split(',')[0] ?? '');

test('an export has every domain of a list in its order, under one line of headers', async () => {
  const names = async (sort?: string): Promise<string[]> =>
    parseJsonText(await listDomains(SYSTEM, {}, { sort })).data.map(({ domain_name }) => domain_name);
  const all = await names();
  expect(all).toHaveLength(MANY - 1);
  expect(lines(await exportDomains(SYSTEM))).toEqual(all);
  expect(lines(await exportDomains(SYSTEM, { sort: 'domain_name' }))).toEqual(await names('domain_name'));
  expect(lines(await exportDomains(SYSTEM, { status: 'blocked' }))).toHaveLength(100);
  expect(lines(await exportDomains(SYSTEM, { search: 'no such name' }))).toEqual([]);
  const chosen = await exportChosen(SYSTEM, { filter: {} }, COMMA);
  expect(chosen).toBe(await exportDomains(SYSTEM, {}, COMMA));
  for (const work of [() => exportDomains(SYSTEM), () => exportChosen(SYSTEM, { filter: {} }, COMMA)]) {
    expect(await mostAtOnce(work)).toBe(2_000);
  }
});

test('a file with a byte order mark has one, at its beginning', async () => {
  const csv = await exportDomains(SYSTEM, {}, { delimiter: 'semicolon', bom: 'on' });
  expect(csv.lastIndexOf('\uFEFF')).toBe(0);
});

test('a table has every row once, by its number or in another order, and an empty one is an empty list', async () => {
  const rows = await listRows('domains', {});
  expect(rows).toHaveLength(MANY - 1);
  expect(parseJsonText(await listAllRows('domains', {}))).toEqual(rows);
  const sorted = parseJsonText(await listAllRows('domains', { sort: 'domain_name' }));
  expect(sorted).toEqual(await listRows('domains', { sort: 'domain_name' }));
  expect(parseJsonText(await listAllRows('domains', { search: 'd77.example' }))).toHaveLength(1);
  expect(parseJsonText(await listAllRows('servers', {}))).toEqual([]);
  expect(await mostAtOnce(() => listAllRows('domains', {}))).toBe(2_000);
});

test('the items of an operation are all there once, in their order, and so is each part of them', async () => {
  const ids = async (where = 'true'): Promise<number[]> =>
    (await select<{ id: number }>(`SELECT id FROM operation_items WHERE ${where} ORDER BY id`)).map(({ id }) => id);
  const listed = async (page: Parameters<typeof listItems>[2]): Promise<[number[], number]> => {
    const { data, total } = await listItems(SYSTEM, 1, page);
    return [data.map(({ id }) => id), total];
  };
  const all = await ids();
  expect(await listed({})).toEqual([all, MANY]);
  expect(await listed({ state: 'failed' })).toEqual([await ids(`state = 'failed'`), 59]);
  expect(await listed({ limit: 10, offset: 5 })).toEqual([all.slice(5, 15), MANY]);
  expect(await listed({ limit: 2_500, offset: 1_000 })).toEqual([all.slice(1_000, 3_500), MANY]);
  expect(await listed({ limit: 1_000 })).toEqual([all.slice(0, 1_000), MANY]);
  expect(await listed({ offset: 4_000 })).toEqual([all.slice(4_000), MANY]);
});
