import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { acting, SYSTEM_ASKER, type Door } from '../../../db/acting.ts';
import { hashOf } from '../../../db/audit-chain.ts';
import { note } from '../../../db/audit.ts';
import { dialect, execute, select, transaction } from '../../../db/index.ts';
import { listAudit, verifyAudit } from '../../../src/services/audit/audit.ts';
import { selected } from '../../../src/services/audit/rows.ts';
import { pruneAudit } from '../../../src/services/audit/prune.ts';
import { SYSTEM } from '../../../src/services/access/scope.ts';
import type { AuditSelection } from '../../../src/shared/audit/audit.ts';
import type { AuditRow } from '../../../src/shared/audit/tables.ts';
import { addUser, startDatabase, type TestDatabase } from '../../support/database.ts';

let database: TestDatabase;
beforeEach(async () => {
  database = await startDatabase();
});
afterEach(() => database.close());

const write = (login: string, count: number): Promise<void> =>
  acting({ id: 1, login }, { name: 'cli', call: 'test' }, () =>
    transaction(async () => {
      for (let index = 0; index < count; index += 1) {
        note({ action: 'update', object: 'projects', id: index + 1, name: `Проект ${index}`, after: { name: login } });
      }
    }),
  );

/** Changes the audit as somebody would who has the database in his hands. */
const tamper = (...statements: string[]): Promise<void> =>
  transaction(async () => {
    const guards = [dialect() === 'sqlite' ? 'audit_no_update' : 'audit_no_change', 'audit_no_delete'];
    for (const guard of guards) await execute(`DROP TRIGGER ${guard}${dialect() === 'sqlite' ? '' : ' ON audit'}`);
    for (const statement of statements) await execute(statement);
  });

const verdict = async () => (await verifyAudit(SYSTEM)).fault;
const lastRow = async (): Promise<AuditRow> =>
  (await select<AuditRow>('SELECT * FROM audit ORDER BY id DESC LIMIT 1'))[0]!;

describe('a verification', () => {
  test('finds an untouched audit intact, and tells its last row', async () => {
    expect(await verifyAudit(SYSTEM)).toEqual({ rows: 0, last_id: 0, last_hash: '', fault: null });
    await write('anna', 3);
    await write('bob', 1);
    const { id, hash } = await lastRow();
    expect(await verifyAudit(SYSTEM)).toEqual({ rows: 4, last_id: 4, last_hash: hash, fault: null });
    expect((await verifyAudit(SYSTEM, { id, hash })).fault).toBeNull();
  });

  test.each([
    [`UPDATE audit SET login = 'bob' WHERE id = 3`, { id: 3, kind: 'changed' }],
    [`UPDATE audit SET after = NULL WHERE id = 1`, { id: 1, kind: 'changed' }],
    [`UPDATE audit SET at = '2020-01-01T00:00:00.000Z' WHERE id = 5`, { id: 5, kind: 'changed' }],
    [`UPDATE audit SET hash = 'x' WHERE id = 5`, { id: 5, kind: 'changed' }],
    ['DELETE FROM audit WHERE id = 2', { id: 2, kind: 'missing' }],
    ['DELETE FROM audit WHERE id = 5', { id: 5, kind: 'missing' }],
    ['DELETE FROM audit WHERE id > 2', { id: 3, kind: 'missing' }],
    ['DELETE FROM audit', { id: 1, kind: 'missing' }],
    ['DELETE FROM audit_head', { id: 1, kind: 'extra' }],
    [`UPDATE audit_head SET hash = 'x'`, { id: 5, kind: 'changed' }],
  ])('names the first row that does not fit after %s', async (statement, fault) => {
    await write('anna', 5);
    await tamper(statement);
    expect(await verdict()).toEqual(fault);
  });

  test('finds a row that was added with a hash that fits', async () => {
    await write('anna', 2);
    const last = await lastRow();
    const added = { ...last, id: 3, login: 'mallory' };
    const columns = Object.keys(added).join(', ');
    await transaction(() =>
      execute(
        `INSERT INTO audit (${columns}) VALUES (${Object.keys(added)
          .map((name) => `$${name}`)
          .join(', ')})`,
        { ...added, hash: hashOf(last.hash, added) },
      ),
    );
    expect(await verdict()).toEqual({ id: 3, kind: 'extra' });
  });

  test('finds a chain that was made anew only against a row that was noted elsewhere', async () => {
    await write('anna', 5);
    const { id, hash } = await lastRow();
    await tamper(
      'DELETE FROM audit WHERE id > 3',
      `UPDATE audit_head SET last_id = 3, hash = (SELECT hash FROM audit WHERE id = 3)`,
    );
    expect(await verdict()).toBeNull();
    expect((await verifyAudit(SYSTEM, { id, hash })).fault).toEqual({ id: 4, kind: 'missing' });
    await write('anna', 2);
    expect(await verdict()).toBeNull();
    expect((await verifyAudit(SYSTEM, { id, hash })).fault).toEqual({ id: 5, kind: 'changed' });
  });

  test('reads the whole of a long audit', async () => {
    await write('anna', 4_500);
    expect(await verifyAudit(SYSTEM)).toMatchObject({ rows: 4_500, fault: null });
    await tamper(`UPDATE audit SET outcome = 'failed' WHERE id = 4321`);
    expect(await verdict()).toEqual({ id: 4321, kind: 'changed' });
  });

  test('finds nothing while others write', async () => {
    await write('anna', 2_500);
    const writing = Promise.all(Array.from({ length: 20 }, () => write('bob', 5)));
    for (let round = 0; round < 5; round += 1) expect(await verdict()).toBeNull();
    await writing;
    expect(await verifyAudit(SYSTEM)).toMatchObject({ rows: 2_600, fault: null });
  });
});

describe('the list', () => {
  const ids = async (selection: AuditSelection, part = { limit: 50, offset: 0 }) => {
    const { data, total } = await listAudit(SYSTEM, selection, part);
    return [total, ...data.map(({ id }) => id)];
  };

  test('is selected by user, door, object and time, the newest first, in parts', async () => {
    await write('Anna', 2);
    await write('bob', 1);
    await acting({ id: null, login: 'system' }, { name: 'schedule', call: 'purge' }, () =>
      transaction(async () =>
        note({ action: 'update', object: 'domains', ids: [4, 5, 6], after: { project_id: null } }),
      ),
    );
    expect(await ids({})).toEqual([4, 4, 3, 2, 1]);
    expect(await ids({}, { limit: 2, offset: 1 })).toEqual([4, 3, 2]);
    expect(await ids({ user: 'anna' })).toEqual([2, 2, 1]);
    expect(await ids({ door: 'schedule' })).toEqual([1, 4]);
    expect(await ids({ object: 'projects', object_id: 1 })).toEqual([2, 3, 1]);
    expect(await ids({ object: 'domains', object_id: 5 })).toEqual([1, 4]);
    expect(await ids({ object: 'domains', object_id: 7 })).toEqual([0]);
    expect(await ids({ since: '2999-01-01T00:00:00.000Z' })).toEqual([0]);
    expect(await ids({ since: '2020-01-01T00:00:00.000Z', user: 'bob' })).toEqual([1, 3]);
  });

  test.each(['anna', 'ANNA', 'nobody', 'вера', 'Вера'])(
    'is read for the login %s in the order of its index',
    async (user) => {
      for (const login of ['Anna', 'Вера']) await addUser(login);
      const { sql, bind } = await selected({ user });
      const rows = `SELECT * FROM audit WHERE ${sql} ORDER BY id DESC LIMIT 50`;
      const plan = await transaction(async () => {
        if (dialect() === 'sqlite') return select(`EXPLAIN QUERY PLAN ${rows}`, bind);
        // PostgreSQL reads a table of a few rows as a whole.
        for (const off of ['seqscan', 'bitmapscan']) await execute(`SET LOCAL enable_${off} = off`);
        return select(`EXPLAIN ${rows}`, bind);
      });
      expect(JSON.stringify(plan)).not.toMatch(/MULTI-INDEX|SubPlan/);
      expect(await select(rows, bind)).toEqual([]);
    },
  );

  test('has the values as they were, and is for administrators', async () => {
    await write('anna', 1);
    const { data } = await listAudit(SYSTEM, {}, { limit: 1, offset: 0 });
    expect(data[0]).toMatchObject({ object_name: 'Проект 0', before: null, after: { name: 'anna' }, object_ids: null });
    const user = { id: 2, login: 'bob', role: 'user' as const };
    await expect(listAudit(user, {}, { limit: 1, offset: 0 })).rejects.toMatchObject({ kind: 'forbidden' });
    await expect(verifyAudit(user)).rejects.toMatchObject({ kind: 'forbidden' });
  });
});

describe('an audit whose oldest rows were deleted', () => {
  const DOOR: Door = { name: 'schedule', call: 'purge' };
  const NEXT_YEAR = new Date(Date.now() + 365 * 86_400_000).toISOString();
  const prune = (before = NEXT_YEAR): Promise<void> => acting(SYSTEM_ASKER, DOOR, () => pruneAudit(before));

  test('is intact from there on, tells who has deleted what, and is pruned again', async () => {
    await write('anna', 3_000);
    const { id, hash } = await lastRow();
    await prune();
    expect(await select('SELECT id, object, action, object_name FROM audit')).toEqual([
      { id: 3_001, object: 'audit', action: 'delete', object_name: '1–3000' },
    ]);
    expect(await verifyAudit(SYSTEM)).toMatchObject({ rows: 1, last_id: 3_001, fault: null });
    expect((await verifyAudit(SYSTEM, { id, hash })).fault).toBeNull();
    expect((await verifyAudit(SYSTEM, { id, hash: 'x' })).fault).toEqual({ id, kind: 'changed' });
    await write('bob', 2);
    await prune();
    expect(await verifyAudit(SYSTEM)).toMatchObject({ rows: 1, last_id: 3_004, fault: null });
  });

  test('keeps what is younger, and deletes nothing twice', async () => {
    await write('anna', 3);
    await prune('2020-01-01T00:00:00.000Z');
    expect(await verifyAudit(SYSTEM)).toMatchObject({ rows: 3, last_id: 3, fault: null });
    await expect(transaction(() => execute('DELETE FROM audit WHERE id = 1'))).rejects.toThrow('never changed');
  });

  test.each([
    [`UPDATE audit_anchor SET hash = 'x'`, { id: 6, kind: 'changed' }],
    ['DELETE FROM audit_anchor', { id: 1, kind: 'missing' }],
    ['UPDATE audit_anchor SET last_id = 4', { id: 5, kind: 'missing' }],
  ])('is broken after %s', async (statement, fault) => {
    await write('anna', 5);
    await prune();
    await write('anna', 2);
    await tamper(statement);
    expect(await verdict()).toEqual(fault);
  });

  test('is broken where rows went without a decision, though the anchor fits', async () => {
    await write('anna', 5);
    await tamper(
      'INSERT INTO audit_anchor (id, last_id, hash) SELECT 1, id, hash FROM audit WHERE id = 3',
      'DELETE FROM audit WHERE id <= 3',
    );
    expect(await verdict()).toEqual({ id: 1, kind: 'missing' });
  });

  test('is intact where the deletion was interrupted, and is deleted to the end the next time', async () => {
    await write('anna', 5);
    const { hash } = await lastRow();
    await acting(SYSTEM_ASKER, DOOR, () =>
      transaction(async () => note({ action: 'delete', object: 'audit', after: { last_id: 5, hash } })),
    );
    await tamper(
      'INSERT INTO audit_anchor (id, last_id, hash) SELECT 1, id, hash FROM audit WHERE id = 2',
      'DELETE FROM audit WHERE id <= 2',
    );
    expect(await verifyAudit(SYSTEM)).toMatchObject({ rows: 4, fault: null });
    await prune();
    expect(await verifyAudit(SYSTEM)).toMatchObject({ rows: 1, last_id: 7, fault: null });
  });
});
