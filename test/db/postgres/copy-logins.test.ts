// Logins that SQLite has told apart and PostgreSQL does not.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { closeDatabase, execute, openDatabase, select, transaction } from '../../../db/index.ts';
import { migrate } from '../../../db/migrate.ts';
import { copyDatabase } from '../../../src/services/system/copy.ts';
import { dropDatabase, emptyDatabase } from '../../support/postgres/template.ts';

let folder: string;
let databaseUrl: string;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'seo-admin-logins-'));
  databaseUrl = await emptyDatabase(inject('postgres'));
});
afterAll(async () => {
  await dropDatabase(databaseUrl);
  rmSync(folder, { recursive: true, force: true });
});

test('logins that differ in the case of Cyrillic letters are refused by name, and nothing is copied', async () => {
  const databaseFile = join(folder, 'from.sqlite');
  await openDatabase(databaseFile);
  await migrate();
  const user = `INSERT INTO users (login, password, role, created_at) VALUES ($login, '', 'user', '')`;
  await transaction(async () => {
    for (const login of ['борис', 'Борис', 'вера', 'boris']) await execute(user, { login });
  });
  await closeDatabase();
  const to = { databaseFile: join(folder, 'unused'), databaseUrl };
  await expect(copyDatabase({ databaseFile }, to)).rejects.toMatchObject({
    kind: 'refused',
    key: 'copy.same_logins',
    params: { logins: expect.stringMatching(/^(борис – Борис|Борис – борис)$/) },
  });
  await openDatabase(databaseUrl);
  expect(await select('SELECT login FROM users')).toEqual([]);
  await closeDatabase();
});
