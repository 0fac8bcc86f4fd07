// The migration folds the check rows of an older version, which stored one row per look.
import { statSync } from 'node:fs';
import type { CheckDayRow } from '../../src/shared/checks/tables.ts';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { closeDatabase, execute, openDatabase, select, transaction } from '../../db/index.ts';
import { appliedMigrations, migrate } from '../../db/migrate.ts';
import { migrations } from '../../db/migrations/index.ts';
import { closeDays, listCheckDays, listChecks } from '../../src/services/checks/check-history.ts';
import { SYSTEM } from '../../src/services/access/scope.ts';
import { placeOf, plainDays, plainStretches, type PlainLook } from '../support/check-model.ts';
import { startDatabase } from '../support/database.ts';

const DOMAINS = 35;
const DAYS = 30;

let database: Awaited<ReturnType<typeof startDatabase>>;
beforeEach(async () => {
  database = await startDatabase();
});
afterEach(() => database.close());

/** Makes a database of the version before, with hourly checks until now; `pad` makes each check larger. Returns its path. */
async function makeOld(pad: string): Promise<string> {
  const file = `${database.file}.old`;
  await closeDatabase();
  await openDatabase(file);
  const later = migrations.splice(migrations.findIndex(({ name }) => name === '0011-history'));
  try {
    await migrate();
    await transaction(async () => {
      await execute(`INSERT INTO users (id, login, password, role, created_at) VALUES (1, 'ann', '', 'admin', '')`);
      await execute(
        `WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${DOMAINS})
         INSERT INTO domains (id, user_id, domain_name, unicode_name, file_path, type, transfer_type, transfer_dns, status, created_at, updated_at)
         SELECT i * 3, 1, 'd' || i || '.example', '', '', 'main', 'auto', 'off', 'available', '', '' FROM n`,
      );
      // Each domain keeps its verdict for a period of its own length; the seventh domain has no checks.
      await execute(
        `WITH RECURSIVE h (i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM h WHERE i < ${DAYS * 24}),
           looks AS (SELECT d.id, h.i, (h.i / (d.id * 5 % 37 + 3) * (d.id + 11)) % 7 AS kind, (h.i * d.id * 7919) % 397 AS spread
             FROM h CROSS JOIN domains d WHERE d.id <> 21)
         INSERT INTO checks (domain_id, kind, verdict, http_status_code, ms, detail, checked_at)
         SELECT id, 'http', CASE kind WHEN 0 THEN 'timeout' WHEN 1 THEN '503' ELSE '200' END,
           CASE kind WHEN 0 THEN NULL WHEN 1 THEN 503 ELSE 200 END, 20 + spread,
           CASE WHEN kind > 4 THEN 'https://www' || kind || '.example/' || spread || $pad END,
           strftime('%Y-%m-%dT%H:%M:00.000Z', 'now', '-' || (${DAYS * 24} - i) || ' hours') FROM looks ORDER BY i, id`,
        { pad },
      );
      await execute(
        `INSERT INTO checks (domain_id, kind, verdict, detail, list_version, list_fetched_at, checked_at)
         SELECT domain_id, 'blocklist', CASE WHEN verdict = '503' THEN 'blocked' ELSE 'available' END,
           CASE WHEN verdict = '503' THEN 'entry' END, 'v' || id, checked_at, checked_at FROM checks WHERE kind = 'http' ORDER BY id`,
      );
    });
  } finally {
    migrations.push(...later);
  }
  return file;
}

const oldLooks = (): Promise<PlainLook[]> =>
  select<PlainLook>(
    'SELECT domain_id, kind, verdict, http_status_code AS code, ms, detail, checked_at AS at FROM checks ORDER BY id',
  );

async function expectFolded(looks: readonly PlainLook[]): Promise<void> {
  for (const id of new Set(looks.map(({ domain_id }) => domain_id))) {
    const { data } = await listChecks(SYSTEM, id);
    for (const kind of ['http', 'blocklist'] as const) {
      const found = data.filter((row) => row.kind === kind);
      expect(
        found.map(({ verdict, detail, since, checked_at, repeats }) => {
          return { verdict, place: placeOf(kind, detail), since, checked_at, repeats };
        }),
      ).toEqual(plainStretches(looks, id, kind));
    }
    expect((await listCheckDays(SYSTEM, id)).data).toEqual(plainDays(looks, id));
  }
}

const newestLooks = () =>
  select<{ domain_id: number; seen: string }>(
    `SELECT d.id AS domain_id, (SELECT json_group_array(json_array(c.verdict, c.list_version)) FROM
       (SELECT * FROM checks WHERE domain_id = d.id AND kind = 'blocklist' ORDER BY id DESC LIMIT 3) c) AS seen
     FROM domains d ORDER BY d.id`,
  );

/** The unbroken run of "blocked" looks at the newest end of each history. */
const witnesses = (rows: { domain_id: number; seen: string }[]) =>
  rows.map(({ domain_id, seen }) => {
    const looks = JSON.parse(seen) as [string, string][];
    const end = looks.findIndex(([verdict]) => verdict !== 'blocked');
    return { domain_id, looks: end === -1 ? looks : looks.slice(0, end) };
  });

/** Runs the migration and interrupts it after two slices. */
async function foldHalf(): Promise<void> {
  const place = migrations.findIndex(({ name }) => name === '0011-history');
  const whole = migrations[place]!;
  let slices = 0;
  const broken = async (): Promise<boolean> => {
    slices += 1;
    if (slices === 3) throw new Error('interrupted');
    return whole.slice!();
  };
  migrations[place] = { ...whole, slice: broken };
  await expect(migrate()).rejects.toThrow('interrupted');
  migrations[place] = whole;
  expect(await appliedMigrations()).not.toContain(whole.name);
}

test('folded checks say the same as the rows did, also where the migration is interrupted', async () => {
  await makeOld('');
  const looks = await oldLooks();
  expect(looks.length).toBeGreaterThan(48_000);
  const before = witnesses(await newestLooks());
  expect(before.filter(({ looks }) => looks.length === 3).length).toBeGreaterThan(1);
  await foldHalf();
  expect(await migrate()).toContain('0011-history');
  await expectFolded(looks);
  expect(witnesses(await newestLooks())).toEqual(before);
  expect(await select('PRAGMA foreign_key_check')).toEqual([]);
});

test('checks that an older version stores while the migration is interrupted are not lost', async () => {
  await makeOld('');
  await foldHalf();
  // Domain 3 is folded, 105 is not yet, and 21 had no checks.
  const at = [new Date(Date.now() - 86_400_000).toISOString(), new Date().toISOString()];
  await transaction(() =>
    execute(
      `INSERT INTO checks (domain_id, kind, verdict, http_status_code, ms, checked_at)
       SELECT d.id, 'http', '418', 418, 1234, a.value FROM json_each($at) a CROSS JOIN domains d WHERE d.id IN (3, 21, 105) ORDER BY a.value`,
      { at: JSON.stringify(at) },
    ),
  );
  const looks = await oldLooks();
  await migrate();
  for (const id of [3, 21, 105]) {
    const { data } = await listChecks(SYSTEM, id);
    expect(data.filter(({ verdict }) => verdict === '418').map(({ checked_at, ms }) => [checked_at, ms])).toEqual(
      at.toReversed().map((time) => [time, 1234]),
    );
  }
  await closeDays();
  for (const id of [3, 21, 105]) {
    const plain = ({ day, checks, up, worst_ms }: CheckDayRow) => ({ day, checks, up, worst_ms });
    expect((await listCheckDays(SYSTEM, id)).data.map(plain)).toEqual(plainDays(looks, id).map(plain));
  }
});

test('looks at a deleted domain do not stop the migration', async () => {
  await makeOld('');
  // The state after a tool deleted rows with foreign keys off.
  await transaction(async () => {
    await execute('CREATE TABLE orphaned AS SELECT * FROM checks');
    await execute('DROP TABLE checks');
    await execute('ALTER TABLE orphaned RENAME TO checks');
    await execute('CREATE INDEX checks_domain ON checks (domain_id, id)');
    await execute('DELETE FROM domains WHERE id IN (6, 105)');
  });
  const looks = (await oldLooks()).filter(({ domain_id }) => domain_id !== 6 && domain_id !== 105);
  await migrate();
  await expectFolded(looks);
  expect(await select('PRAGMA foreign_key_check')).toEqual([]);
});

test('the migration shrinks the file by the space that the rows took', async () => {
  const file = await makeOld('x'.repeat(6_000));
  const size = (): number => statSync(file).size;
  const before = size();
  expect(before).toBeGreaterThan(40_000_000);
  await migrate();
  await closeDatabase();
  expect(size()).toBeLessThan(before / 5);
});
