// Migration 0051 gives each attached name its place after the domains that were there, by one look at all of them.
import { afterEach, beforeEach, expect, test } from 'vitest';
import { closeDatabase, dialect, executeUnaudited, openDatabase, select, transaction } from '../../../db/index.ts';
import { migrate } from '../../../db/migrate.ts';
import { migrations } from '../../../db/migrations/index.ts';
import { emptyPlace, startDatabase, type TestDatabase } from '../../support/database.ts';
import { dropDatabase } from '../../support/postgres/template.ts';
import { randomOf } from '../../support/random-bulk.ts';

const NAME = '0051-claims-of-attachments';

let database: TestDatabase;
let place: string;
beforeEach(async () => {
  database = await startDatabase();
  place = await emptyPlace(database.folder);
  await closeDatabase();
  await openDatabase(place);
});
afterEach(async () => {
  await closeDatabase();
  await dropDatabase(place);
  await database.close();
});

const write = (sql: string, rows: unknown): Promise<unknown> =>
  transaction(() => executeUnaudited('migration', sql, { rows: JSON.stringify(rows) }));

test('an attached name comes after the last row of the domains that were there, also where it is older than all', async () => {
  const random = randomOf(51);
  // Few days, so that many are alike, not quite in the order of the rows.
  const day = (from: number, to: number): string =>
    `2026-01-${String(Math.floor(from + random() * (to - from))).padStart(2, '0')}`;
  const domains = Array.from({ length: 60 }, (_, index) => ({
    id: index * 2 + 5,
    day: day(5 + index / 5, 8 + index / 5),
  }));
  const attached = Array.from({ length: 60 }, (_, index) => ({ name: `old${index}.com`, day: day(1, 24) }));
  const later = migrations.splice(migrations.findIndex(({ name }) => name === NAME));
  try {
    await migrate();
    await write(
      `INSERT INTO users (id, login, password, role, active, created_at)
       SELECT CAST(value ->> 'id' AS INTEGER), value ->> 'login', '', 'user', 1, '' FROM json_each($rows)`,
      [{ id: 1, login: 'ann' }],
    );
    await write(
      `INSERT INTO domains (id, user_id, domain_name, unicode_name, file_path, type, transfer_type, transfer_dns, status, created_at, updated_at)
       SELECT CAST(value ->> 'id' AS INTEGER), 1, 'a' || (value ->> 'id') || '.com', 'a', '/', 'main', 'auto', 'off', 'available',
         value ->> 'day', '' FROM json_each($rows)`,
      domains,
    );
    await write(
      `INSERT INTO attachments (domain_name, forward_to, created_at)
       SELECT value ->> 'name', 'none.com', value ->> 'day' FROM json_each($rows)`,
      attached,
    );
  } finally {
    migrations.push(...later);
  }
  await migrate();
  const claims = await select<{ domain_name: string; name_claim: number }>(
    'SELECT domain_name, name_claim FROM attachments ORDER BY id',
  );
  const expected = attached.map((one) => ({
    domain_name: one.name,
    name_claim: Math.max(0, ...domains.filter((domain) => domain.day <= one.day).map(({ id }) => id)),
  }));
  expect(claims).toEqual(expected);
  expect(new Set(expected.map(({ name_claim }) => name_claim)).size).toBeGreaterThan(3);
});

test('no domain is looked at once for each attached name', async () => {
  await migrate();
  const { statements = [] } = migrations.find(({ name }) => name === NAME) ?? {};
  const first = statements.find((statement) => statement.startsWith('UPDATE attachments'));
  const explain = dialect() === 'sqlite' ? 'EXPLAIN QUERY PLAN' : 'EXPLAIN';
  const plan = JSON.stringify(await select(`${explain} ${first}`));
  expect(plan).not.toMatch(/CORRELATED|SubPlan/);
  expect(plan).toContain('domains');
});
