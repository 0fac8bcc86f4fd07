// The portfolio of a demo, and rows that are hard to carry, copied from SQLite to PostgreSQL and back.
import { randomBytes } from 'node:crypto';
import { existsSync, mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, expect, inject, test } from 'vitest';
import { closeDatabase, execute, openDatabase, select, transaction } from '../../../db/index.ts';
import { migrate } from '../../../db/migrate.ts';
import { startDemo } from '../../../src/demo/index.ts';
import { databaseAddress } from '../../../src/lib/database-address.ts';
import { copyDatabase } from '../../../src/services/system/copy.ts';
import { AppError } from '../../../src/shared/errors.ts';
import { TABLES } from '../../../src/shared/tables.ts';
import { startChild } from '../../support/child.ts';
import { dump } from '../../support/database.ts';
import { dropDatabase, emptyDatabase } from '../../support/postgres/template.ts';
import { temporaryConfig } from '../../support/server.ts';

const HARD = `'quoted' "double" \\back\\slash \\u0000 \n\r\t 🦊 пример ﷽ \u007F {"a":[1,null]}`;

interface Place {
  databaseFile: string;
  databaseUrl?: string;
}

let folder: string;
let from: Place;
let server: Place;
const file = (name: string): Place => ({ databaseFile: join(folder, `${name}.sqlite`) });

async function inside<T>(place: Place, work: () => Promise<T>): Promise<T> {
  await openDatabase(databaseAddress(place));
  try {
    return await work();
  } finally {
    await closeDatabase();
  }
}
const write = (place: Place, sql: string, bind = {}): Promise<number> =>
  inside(place, () => transaction(() => execute(sql, bind)));

const rowsIn = async (place: Place): Promise<Record<string, unknown[]>> => {
  const all = JSON.parse(await inside(place, () => dump([]))) as Record<string, unknown[]>;
  // The ledger's times are those of each database.
  delete all['migrations'];
  return all;
};

beforeAll(async () => {
  const config = temporaryConfig();
  folder = config.dataDir;
  const demo = await startDemo(config, { size: 40, frozen: false });
  await demo.close();
  from = { databaseFile: demo.config.databaseFile };
  await inside(from, () =>
    transaction(async () => {
      await execute(`INSERT INTO installation (name, value) VALUES ('hard', $hard), ('empty', '')`, { hard: HARD });
      await execute(`UPDATE template_archives SET archive = $archive`, { archive: randomBytes(200_000) });
      await execute(`INSERT INTO setup_links (token_hash, expires_at) VALUES ('x', 'y')`);
      await execute(`DELETE FROM setup_links`);
      await execute(`UPDATE domains SET updated_at = updated_at, domain_name = 'renamed-' || domain_name WHERE id = 3`);
      await execute(
        `INSERT INTO checks (domain_id, kind, verdict, ms, checked_at, repeats)
         SELECT d.id, 'http', '200', n.value, '2026-01-01T00:00:00.000Z', 1 FROM domains d, json_each($each) n`,
        { each: JSON.stringify(Array.from({ length: 200 }, (_, index) => index)) },
      );
    }),
  );
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

beforeEach(async () => {
  server = { databaseFile: join(folder, 'unused'), databaseUrl: await emptyDatabase(inject('postgres')) };
});
afterEach(() => dropDatabase(server.databaseUrl ?? ''));

test('a copy, or its rehearsal, that is stopped at once says so, and makes no file', async () => {
  for (const dryRun of [true, false]) {
    const target = file(`stopped-${String(dryRun)}`);
    const copying = copyDatabase(from, target, { dryRun, signal: AbortSignal.abort(new Error('stopped')) });
    await expect(copying).rejects.toThrow('stopped');
    expect(existsSync(target.databaseFile)).toBe(false);
  }
});

test('a portfolio that goes from SQLite to PostgreSQL and back is the same row by row', async () => {
  const before = await rowsIn(from);
  const there = await copyDatabase(from, server);
  expect(there.tables.map(({ table }) => table).toSorted()).toEqual([...TABLES.keys()].toSorted());
  for (const { table, rows } of there.tables) expect([table, rows]).toEqual([table, before[table]?.length]);
  expect(await rowsIn(server)).toEqual(before);
  const target = file('back');
  const back = await copyDatabase(server, target);
  expect(back.tables).toEqual(there.tables);
  expect(await rowsIn(target)).toEqual(before);
  expect(statSync(target.databaseFile).mode & 0o077).toBe(0);
});

test('ids go on after those that were given, also after those of deleted rows', async () => {
  const add = `INSERT INTO setup_links (token_hash, expires_at) VALUES ('x', 'y') RETURNING id`;
  const next = (place: Place) =>
    inside(place, () => transaction(async () => (await select<{ id: number }>(add))[0]?.id ?? 0));
  await copyDatabase(from, server);
  const given = await next(server);
  expect(given).toBeGreaterThan(1);
  const target = file('ids');
  await copyDatabase(server, target);
  expect(await next(target)).toBe(given + 1);
  // Claims are numbers of the same sequence as the ids of domains.
  const claimed = async (place: Place): Promise<number> => {
    await write(place, `UPDATE domains SET domain_name = 'again-' || domain_name WHERE id = 4`);
    const [row] = await inside(place, () =>
      select<{ name_claim: number }>('SELECT name_claim FROM domains WHERE id = 4'),
    );
    return row?.name_claim ?? 0;
  };
  const [most] = await inside(from, () =>
    select<{ n: number }>('SELECT max(max(id), max(COALESCE(name_claim, 0))) AS n FROM domains'),
  );
  expect(await claimed(server)).toBe((most?.n ?? 0) + 1);
});

test('a rehearsal counts the rows and writes nothing', async () => {
  const { tables } = await copyDatabase(from, server, { dryRun: true });
  expect(tables.find(({ table }) => table === 'domains')?.rows).toBe((await rowsIn(from))['domains']?.length);
  expect(await inside(server, () => dump([]))).toBe('{}');
  const target = file('never');
  await copyDatabase(from, target, { dryRun: true });
  expect(existsSync(target.databaseFile)).toBe(false);
});

test('a target with rows, of other migrations or of somebody else is refused and stays as it is', async () => {
  await copyDatabase(from, server);
  const before = await rowsIn(server);
  await write(server, `UPDATE installation SET value = 'ours' WHERE name = 'hard'`);
  await expect(copyDatabase(from, server)).rejects.toMatchObject({ kind: 'conflict', key: 'copy.not_empty' });
  await expect(copyDatabase(from, from)).rejects.toMatchObject({ kind: 'invalid', key: 'copy.itself' });
  await write(server, `UPDATE installation SET value = $hard WHERE name = 'hard'`, { hard: HARD });
  expect(await rowsIn(server)).toEqual(before);
  await write(server, `INSERT INTO migrations (name, applied_at) VALUES ('9999-later', '')`);
  await expect(copyDatabase(from, server)).rejects.toMatchObject({ key: 'copy.other_migrations' });
  await expect(copyDatabase(server, file('later'))).rejects.toMatchObject({ key: 'database.newer' });
  await write(server, `DELETE FROM migrations WHERE name >= '0011'`);
  await expect(copyDatabase(server, file('later'))).rejects.toMatchObject({ key: 'copy.pending' });
  const other = { ...server, databaseUrl: await emptyDatabase(inject('postgres')) };
  await write(other, 'CREATE TABLE theirs (id INTEGER)');
  await expect(copyDatabase(from, other)).rejects.toMatchObject({ kind: 'conflict', key: 'copy.not_empty' });
  expect(Object.keys(await rowsIn(other))).toEqual(['theirs']);
  await dropDatabase(other.databaseUrl);
});

test('a source that a process uses is refused', async () => {
  await copyDatabase(from, server);
  const [file1, folder1] = [from.databaseFile, mkdtempSync(join(tmpdir(), 'copy-'))];
  for (const [source, to] of [
    [from, { ...server, databaseUrl: await emptyDatabase(inject('postgres')) }],
    [server, file('used')],
  ] as const) {
    const child = startChild('test/children/hold-lock.ts', [
      source === from ? file1 : databaseAddress(source),
      join(folder1, 'never'),
    ]);
    expect(await child.line()).toBe('ready');
    await expect(copyDatabase(source, to)).rejects.toMatchObject({ kind: 'busy' });
    await child.kill();
    await dropDatabase(databaseAddress(to));
  }
  rmSync(folder1, { recursive: true });
});

test('a text with a zero byte is refused by PostgreSQL by name, and nothing is copied', async () => {
  const zero = file('zero');
  await copyDatabase(from, zero);
  await write(zero, `UPDATE installation SET value = $zero WHERE name = 'hard'`, { zero: 'a\0b' });
  await expect(copyDatabase(zero, server)).rejects.toMatchObject({
    key: 'copy.zero_byte',
    params: { table: 'installation' },
  });
  for (const rows of Object.values(await rowsIn(server))) expect(rows).toEqual([]);
});

test('a copy that differs from its source is taken back', async () => {
  await inside(server, migrate);
  await write(
    server,
    `CREATE FUNCTION spoil() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN NEW.value := NEW.value || ''!''; RETURN NEW; END'`,
  );
  await write(server, 'CREATE TRIGGER spoil BEFORE INSERT ON installation FOR EACH ROW EXECUTE FUNCTION spoil()');
  await expect(copyDatabase(from, server)).rejects.toMatchObject({
    key: 'copy.differs',
    params: { table: 'installation' },
  });
  for (const rows of Object.values(await rowsIn(server))) expect(rows).toEqual([]);
});

test('a copy that is killed at any table leaves the target empty, and is made again', async () => {
  await inside(server, migrate);
  const hang = `CREATE FUNCTION hang() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN PERFORM pg_sleep(3600); RETURN NULL; END'`;
  await write(server, hang);
  for (const table of ['users', 'checks']) {
    await write(server, `CREATE TRIGGER hang BEFORE INSERT ON ${table} EXECUTE FUNCTION hang()`);
    const child = startChild('test/children/copy.ts', [from.databaseFile, databaseAddress(server)]);
    await inside(server, async () => {
      const hanging = `FROM pg_stat_activity WHERE datname = current_database() AND wait_event = 'PgSleep'`;
      await expect.poll(() => select(`SELECT 1 ${hanging}`)).toHaveLength(1);
      await child.kill();
      // The server would notice at the end of the statement.
      await select(`SELECT pg_terminate_backend(pid) ${hanging}`);
    });
    for (const rows of Object.values(await rowsIn(server))) expect(rows).toEqual([]);
    await write(server, `DROP TRIGGER hang ON ${table}`);
  }
  await write(server, 'DROP FUNCTION hang');
  await copyDatabase(from, server);
  expect(await rowsIn(server)).toEqual(await rowsIn(from));
});

test('a copy to SQLite that is killed at any moment leaves the target whole or without rows', async () => {
  await copyDatabase(from, server);
  const whole = await rowsIn(from);
  for (let round = 0; round < 4; round += 1) {
    const target = file(`killed-${round}`);
    const child = startChild('test/children/copy.ts', [databaseAddress(server), target.databaseFile]);
    await Promise.race([
      child.line().catch(() => ''),
      new Promise((resolve) => setTimeout(resolve, 250 + round * 200)),
    ]);
    await child.kill();
    const found = existsSync(target.databaseFile) ? await rowsIn(target) : {};
    const isWhole = Object.entries(found).some(([table, rows]) => TABLES.has(table) && rows.length > 0);
    expect(isWhole ? found : whole).toEqual(whole);
    // PostgreSQL may take a moment to see that the killed process is gone: until then its database is in use.
    const busy = (error: unknown): string => (error instanceof AppError ? error.kind : String(error));
    await expect.poll(() => isWhole || copyDatabase(server, target).then(() => true, busy)).toBe(true);
    expect(await rowsIn(target)).toEqual(whole);
  }
});

test('a target whose migrations were cut off is filled, though one of them has left a note for the next', async () => {
  const target = file('cut');
  await inside(target, migrate);
  await write(target, 'CREATE TABLE checks_fold (domain_id INTEGER NOT NULL, mark INTEGER NOT NULL)');
  await write(target, 'INSERT INTO checks_fold VALUES (0, 0)');
  await copyDatabase(from, target);
  expect(await rowsIn(target)).toMatchObject(await rowsIn(from));
});
