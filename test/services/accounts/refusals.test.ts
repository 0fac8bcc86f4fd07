// A login that the service outside refuses, found by several processes at once.
import { afterEach, beforeEach, expect, test } from 'vitest';
import { execute, select, transaction } from '../../../db/index.ts';
import { startChild, type Child } from '../../support/child.ts';
import { startDatabase, type TestDatabase } from '../../support/database.ts';
import { noticed, recorded } from '../notices/recorded.ts';

let database: TestDatabase;
let children: Child[] = [];
beforeEach(async () => {
  database = await startDatabase();
});
afterEach(async () => {
  await Promise.all(children.map((child) => child.kill()));
  children = [];
  await database.close();
});

test('is kept in its row, and told once', async () => {
  await transaction(() =>
    execute(
      `INSERT INTO cloudflare_accounts (id, name, email, api_key, created_at, cf_accounts) VALUES (1, 'Main', '', '', '', '[]')`,
    ),
  );
  children = Array.from({ length: 3 }, () => startChild('test/children/access/refused.ts', [database.file, '1']));
  for (const child of children) expect(await child.line()).toBe('asked');
  for (const child of children) child.process.kill('SIGUSR2');
  for (const child of children) expect(await child.line()).toBe('noted');
  expect(await recorded('account_refused')).toEqual(['account_refused Main']);
  const [row] = await select<{ check_error: string }>('SELECT check_error FROM cloudflare_accounts');
  expect(JSON.parse(row?.check_error ?? '{}')).toMatchObject({ key: 'provider.credentials' });
  expect(await noticed()).toHaveLength(1);
});
