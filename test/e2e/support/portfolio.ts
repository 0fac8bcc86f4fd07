import { execute, transaction } from '../../../db/index.ts';
import type { DomainRow } from '../../../src/shared/portfolio/tables.ts';
import { webRoot } from '../../../src/shared/portfolio/domains.ts';
import { toUnicode } from '../../../src/shared/portfolio/domain-name.ts';

const DAY = 86_400_000;

/** Returns the time in `days` days, as stored in the database. */
export const inDays = (days: number): string => new Date(Date.now() + days * DAY).toISOString();

/** A row of the portfolio; by default a main domain that answered an hour ago and is not listed. */
export type Seed = Partial<DomainRow> & Pick<DomainRow, 'domain_name'>;

const rowOf = (user_id: number, seed: Seed): Record<string, unknown> => ({
  user_id,
  unicode_name: toUnicode(seed.domain_name),
  file_path: webRoot(seed.domain_name),
  type: 'main',
  transfer_type: 'auto',
  transfer_dns: 'off',
  status: 'available',
  last_block_check_at: inDays(-1 / 24),
  http_status_code: 200,
  last_http_check_at: inDays(-1 / 24),
  created_at: inDays(-100),
  updated_at: inDays(-1),
  ...seed,
});

/** Inserts rows into a table of the open database, bypassing the API; a missing field is NULL. */
export async function insert(table: string, rows: readonly object[]): Promise<void> {
  const fields = [...new Set(rows.flatMap((row) => Object.keys(row)))];
  const values = fields.map((field) => `value ->> '${field}'`).join(', ');
  const sql = `INSERT INTO ${table} (${fields.join(', ')}) SELECT ${values} FROM json_each($rows)`;
  await transaction(() => execute(sql, { rows: JSON.stringify(rows) }));
}

/** Inserts domains, 20,000 of them at once. */
export const seedDomains = (user: number, seeds: readonly Seed[]): Promise<void> =>
  insert(
    'domains',
    seeds.map((seed) => rowOf(user, seed)),
  );

/** Inserts projects, with the ids 1, 2, 3… in a database without any. */
export const seedProjects = (user_id: number, names: readonly string[]): Promise<void> =>
  insert(
    'projects',
    names.map((name) => ({ user_id, name, created_at: inDays(-200) })),
  );

/** Inserts a small portfolio with domains for every list of the dashboard, in projects 1 and 2 and in none. */
export async function seedPortfolio(user: number): Promise<void> {
  await seedProjects(user, ['Вулкан', 'Радуга', 'Пустой']);
  await seedDomains(user, [
    { domain_name: 'vulkan-club.ru', project_id: 1, status: 'blocked', expired_at: inDays(3) },
    { domain_name: 'vulkan-play.com', project_id: 1, type: 'transfer', transfer_type: 'manual' },
    { domain_name: 'xn--80aaxitdbjk.xn--p1ai', project_id: 1, type: 'transfer', expired_at: inDays(0) },
    { domain_name: 'raduga-slots.ru', project_id: 2, http_status_code: 503, google_indexation: 1 },
    { domain_name: 'raduga-online.net', project_id: 2, http_status_code: null, http_error: 'dns_not_found' },
    {
      domain_name: 'old-check.org',
      http_status_code: 404,
      last_http_check_at: inDays(-3),
      expired_at: inDays(-10),
      google_indexation: 1,
      yandex_indexation: 1,
      last_check_indexation: inDays(-1),
    },
    { domain_name: 'never-checked.info', http_status_code: null, last_http_check_at: null, last_block_check_at: null },
    { domain_name: 'a-rather-long-name-of-a-site-that-has-to-fit-into-its-cell-too1.example', project_id: 2 },
  ]);
}

/** Inserts two operations: one half done by another process, and one whose result is held for a person. */
export async function seedOperations(user_id: number): Promise<void> {
  const common = { user_id, kind: 'check', input: '{}', steps: '[]', total: 240, created_at: inDays(0) };
  const held = { count: 64, total: 240, list_version: 'x' };
  await insert('operations', [
    {
      ...common,
      subject: 'a',
      state: 'succeeded',
      done: 240,
      failed: 0,
      message: JSON.stringify({ key: 'check.held', params: held }),
      held: JSON.stringify(held),
      finished_at: inDays(0),
    },
    {
      ...common,
      subject: 'b',
      state: 'running',
      done: 120,
      failed: 3,
      message: JSON.stringify({ key: 'check.started' }),
      lease_owner: 'another process',
      lease_until: inDays(1),
    },
  ]);
}
