// Audited writes and `db copy` while the disk is full: the error says so, nothing is half written, the next try works.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, expect, test } from 'vitest';
import { closeDatabase, execute, openDatabase, select, transaction } from '../../../db/index.ts';
import { isStorageTrouble } from '../../../src/lib/database-trouble.ts';
import { migrate } from '../../../db/migrate.ts';
import { troubleOf } from '../../../src/lib/database-trouble.ts';
import { SYSTEM } from '../../../src/services/access/scope.ts';
import { insertUser } from '../../../src/services/access/users.ts';
import { verifyAudit } from '../../../src/services/audit/audit.ts';
import { copyDatabase } from '../../../src/services/system/copy.ts';
import { mountSmallDisk } from '../../support/small-disk.ts';

const disk = mountSmallDisk(8);
afterEach(async () => {
  await closeDatabase();
  for (const name of ['write', 'copy']) rmSync(join(disk.dir, name), { recursive: true, force: true });
});
afterAll(() => disk.remove());

const add = (login: string): Promise<number> => transaction(() => insertUser({ login, role: 'user' }, 'no hash'));

/** Writes until a write fails, and returns the error. */
async function addUntilRefused(prefix: string): Promise<{ stored: number; error: unknown }> {
  for (let stored = 0; ; stored += 1) {
    try {
      await add(`${prefix}-${stored}`);
    } catch (error) {
      return { stored, error };
    }
  }
}

/** Returns the logins of the users and those of the audit, in the order in which they were written. */
async function written(): Promise<{ users: string[]; audited: string[] }> {
  const users = await select<{ login: string }>('SELECT login FROM users ORDER BY id');
  const audited = await select<{ object_name: string }>('SELECT object_name FROM audit ORDER BY id');
  return { users: users.map(({ login }) => login), audited: audited.map(({ object_name }) => object_name) };
}

test.skipIf(!disk.isMounted)(
  'a write on a full disk leaves neither the row nor its audit (needs root to mount a tmpfs)',
  async () => {
    const folder = join(disk.dir, 'write');
    mkdirSync(folder);
    await openDatabase(join(folder, 'seo-admin.sqlite'));
    await migrate();
    const stored = ['first'];
    await add('first');
    for (const round of ['a', 'b']) {
      disk.fill();
      const refused = await addUntilRefused(round);
      expect([troubleOf(refused.error), isStorageTrouble(refused.error)]).toEqual(['full', true]);
      stored.push(...Array.from({ length: refused.stored }, (_, index) => `${round}-${index}`));
      await expect(add('again')).rejects.toMatchObject({ code: 'SQLITE_FULL' });
      expect(await written()).toEqual({ users: stored, audited: stored });
      disk.free();
      stored.push(`after ${round}`);
      await add(`after ${round}`);
      expect(await written()).toEqual({ users: stored, audited: stored });
      expect(await verifyAudit(SYSTEM)).toMatchObject({ rows: stored.length, fault: null });
    }
  },
);

test.skipIf(!disk.isMounted)(
  'a copy onto a full disk leaves an empty database, and works once there is room (needs root to mount a tmpfs)',
  async () => {
    const folder = mkdtempSync(join(tmpdir(), 'seo-admin-copy-'));
    const from = { databaseFile: join(folder, 'seo-admin.sqlite') };
    const to = { databaseFile: join(disk.dir, 'copy', 'seo-admin.sqlite') };
    const blocker = join(disk.dir, 'blocker');
    try {
      await openDatabase(from.databaseFile);
      await migrate();
      await add('first');
      const value = 'x'.repeat(2_500_000);
      await transaction(() => execute(`INSERT INTO installation (name, value) VALUES ('large', $value)`, { value }));
      await closeDatabase();

      // Room for the tables, but not for all rows.
      writeFileSync(blocker, Buffer.alloc(5.5 * 2 ** 20));
      await expect(copyDatabase(from, to)).rejects.toMatchObject({ code: 'SQLITE_FULL' });
      await openDatabase(to.databaseFile);
      expect(await written()).toEqual({ users: [], audited: [] });
      await closeDatabase();

      rmSync(blocker);
      const { tables } = await copyDatabase(from, to);
      expect(tables.find(({ table }) => table === 'audit')?.rows).toBe(1);
      await openDatabase(to.databaseFile);
      expect(await written()).toEqual({ users: ['first'], audited: ['first'] });
      await add('second');
      expect(await verifyAudit(SYSTEM)).toMatchObject({ rows: 2, fault: null });
    } finally {
      rmSync(folder, { recursive: true });
    }
  },
);
