// The audit after a backup was put in the place of a database that had gone on since.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { closeDatabase, openDatabase, select, transaction } from '../../../db/index.ts';
import { loadKey } from '../../../src/lib/key.ts';
import { SYSTEM } from '../../../src/services/access/scope.ts';
import { insertUser } from '../../../src/services/access/users.ts';
import { verifyAudit } from '../../../src/services/audit/audit.ts';
import { backupDatabase } from '../../../src/services/system/backups/backup.ts';
import { restoreDatabase } from '../../../src/services/system/backups/restore.ts';
import type { KnownRow } from '../../../src/shared/audit/audit.ts';
import { newDatabase } from '../../support/database.ts';

let folder = '';
let files = { databaseFile: '', keyFile: '' };
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'seo-admin-audit-'));
  files = { databaseFile: join(folder, 'seo-admin.sqlite'), keyFile: join(folder, 'key') };
  loadKey(files.keyFile);
  await openDatabase(await newDatabase(folder));
});
afterEach(async () => {
  await closeDatabase();
  rmSync(folder, { recursive: true });
});

const add = (login: string): Promise<number> => transaction(() => insertUser({ login, role: 'user' }, 'no hash'));
const faultOf = async (known?: KnownRow) => (await verifyAudit(SYSTEM, known)).fault;

test('the chain of a restored backup is whole and goes on; a row that was noted elsewhere tells the cut', async () => {
  for (const login of ['a', 'b', 'c']) await add(login);
  const { last_id: kept, last_hash } = await verifyAudit(SYSTEM);
  const copy = join(folder, 'copy.sqlite');
  await backupDatabase(files, copy, false);
  for (const login of ['d', 'e']) await add(login);
  const after = await verifyAudit(SYSTEM);
  const known = { id: after.last_id, hash: after.last_hash };
  expect([kept, after.last_id, await faultOf(known)]).toEqual([3, 5, null]);

  await closeDatabase();
  await restoreDatabase(files, copy);
  await openDatabase(files.databaseFile);
  expect(await verifyAudit(SYSTEM)).toEqual({ rows: 3, last_id: 3, last_hash, fault: null });
  expect(await faultOf({ id: 3, hash: last_hash })).toBeNull();
  expect(await faultOf(known)).toEqual({ id: 4, kind: 'missing' });

  // The process that had written the rows after the backup goes on from those of the backup.
  for (const login of ['f', 'g', 'h']) await add(login);
  expect(await faultOf()).toBeNull();
  expect(await faultOf({ id: 3, hash: last_hash })).toBeNull();
  expect(await faultOf(known)).toEqual({ id: 5, kind: 'changed' });
  const names = await select<{ object_name: string }>('SELECT object_name FROM audit ORDER BY id');
  expect(names.map(({ object_name }) => object_name)).toEqual(['a', 'b', 'c', 'f', 'g', 'h']);
});
