import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { acting } from '../../../db/acting.ts';
import { closeDatabase, openDatabase, select } from '../../../db/index.ts';
import { readLedger } from '../../../src/providers/blocklist/directory.ts';
import { verifyAudit } from '../../../src/services/audit/audit.ts';
import { SYSTEM } from '../../../src/services/access/scope.ts';
import {
  acceptBlocklist,
  blocklistStatus,
  rollBackBlocklist,
  updateBlocklist,
} from '../../../src/services/checks/blocklist.ts';
import { auditListDecisions } from '../../../src/services/checks/list-audit.ts';
import type { AuditRow } from '../../../src/shared/audit/tables.ts';
import { startChild } from '../../support/child.ts';
import { startDatabase, type TestDatabase } from '../../support/database.ts';

let database: TestDatabase;
let dir = '';
beforeEach(async () => {
  database = await startDatabase();
  dir = join(database.folder, 'blocklist');
});
afterEach(() => database.close());

const asAnna = <T>(work: () => Promise<T>): Promise<T> =>
  acting({ id: 7, login: 'anna' }, { name: 'api', call: 'POST /api/blocklist', address: '192.0.2.1' }, work);

function load(names: number, accept = false) {
  const file = join(database.folder, 'list.txt');
  writeFileSync(file, Array.from({ length: names }, (_, i) => `name-${i}.example\n`).join(''));
  return updateBlocklist(dir, { file, accept });
}

const version = async (): Promise<string | null> => (await blocklistStatus(dir)).list_version;

const rows = async () =>
  (await select<AuditRow>('SELECT * FROM audit ORDER BY id')).map((row) => {
    const [before, after] = [row.before, row.after].map(
      (text) => text && (JSON.parse(text) as { names: number; list_version: string }),
    );
    return [row.login, row.door, row.action, before && before.names, after && after.names, row.outcome];
  });

/** Decides in another process, which is killed at a point. */
async function decideAndDie(decision: 'accept' | 'rollback', point: string): Promise<void> {
  process.env['SEO_ADMIN_CRASH_AT'] = point;
  const child = startChild('test/children/list.ts', [database.file, dir, decision]);
  delete process.env['SEO_ADMIN_CRASH_AT'];
  await new Promise((resolve) => child.process.once('exit', resolve));
  expect(child.process.signalCode).toBe('SIGKILL');
}

test('decisions about the list are audited: who, through which door, from which list to which', async () => {
  await asAnna(() => load(100));
  await asAnna(() => load(101));
  await expect(asAnna(() => load(10))).rejects.toMatchObject({ kind: 'refused' });
  await asAnna(() => acceptBlocklist(dir));
  await asAnna(() => rollBackBlocklist(dir));
  await asAnna(() => load(50, true));
  // The same list again is no decision.
  await asAnna(() => load(50));
  await auditListDecisions(dir);
  await auditListDecisions(dir);
  expect(await rows()).toEqual([
    ['anna', 'api', 'update', null, 100, 'done'],
    ['anna', 'api', 'update', 100, 101, 'done'],
    ['anna', 'api', 'accept', 101, 10, 'done'],
    ['anna', 'api', 'restore', 10, 101, 'done'],
    ['anna', 'api', 'accept', 101, 50, 'done'],
  ]);
  const [last] = await select<AuditRow>('SELECT * FROM audit ORDER BY id DESC LIMIT 1');
  expect(last).toMatchObject({
    user_id: 7,
    call: 'POST /api/blocklist',
    address: '192.0.2.1',
    object: 'blocklist',
    object_name: await version(),
  });
  expect(await verifyAudit(SYSTEM)).toMatchObject({ rows: 5, fault: null });
  expect(readLedger(dir).decisions).toEqual([]);
});

test.each([
  ['before the list is exchanged', 'blocklist:noted', 'failed'],
  ['after the list was exchanged', 'blocklist:switched', 'done'],
  ['after the audit was written', 'blocklist:audited', 'done'],
] as const)('a process that is killed %s leaves the truth, and one row of it', async (_, point, outcome) => {
  await load(100);
  await load(10).catch(() => undefined);
  await auditListDecisions(dir);
  const before = await version();
  await decideAndDie('accept', point);
  expect((await version()) === before).toBe(outcome === 'failed');
  await auditListDecisions(dir);
  await auditListDecisions(dir);
  expect((await rows()).slice(1)).toEqual([['anna', 'cli', 'accept', 100, 10, outcome]]);
});

test('a decision that a crash has prevented stays one when the same is decided again', async () => {
  await load(100);
  await load(101);
  await decideAndDie('rollback', 'blocklist:noted');
  await rollBackBlocklist(dir);
  await auditListDecisions(dir);
  expect((await rows()).slice(2)).toEqual([
    ['anna', 'cli', 'restore', 101, 100, 'failed'],
    ['system', 'test', 'restore', 101, 100, 'done'],
  ]);
});

test('decisions without a database are audited once there is one', async () => {
  await closeDatabase();
  await load(100);
  await openDatabase(database.file);
  await auditListDecisions(dir);
  expect(await rows()).toEqual([['system', 'test', 'update', null, 100, 'done']]);
});

test('two that audit at once write one row', async () => {
  await load(100);
  await Promise.all([auditListDecisions(dir), auditListDecisions(dir)]);
  await auditListDecisions(dir);
  expect(await rows()).toHaveLength(1);
});
