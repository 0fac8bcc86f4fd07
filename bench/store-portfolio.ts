import { join } from 'node:path';
import { execute, openDatabase, transaction } from '../db/index.ts';
import { migrate } from '../db/migrate.ts';

/** Creates a database with so many domains; returns its file. */
export async function openPortfolio(folder: string, domains: number): Promise<string> {
  const file = join(folder, `${domains}.sqlite`);
  await openDatabase(file);
  await migrate();
  await transaction(async () => {
    await execute(
      `INSERT INTO users (id, login, password, role, active, created_at) VALUES (1, 'bench', '', 'admin', 1, '')`,
    );
    await execute(`INSERT INTO installation (name, value) VALUES ('bench', '')`);
  });
  await addDomains(0, domains);
  return file;
}

/** Adds domains with the ids after `from` up to `to`. */
export const addDomains = (from: number, to: number): Promise<number> =>
  transaction(() =>
    execute(
      `WITH RECURSIVE n (i) AS (SELECT $from + 1 UNION ALL SELECT i + 1 FROM n WHERE i < $to)
       INSERT INTO domains (id, user_id, domain_name, unicode_name, file_path, type, transfer_type, transfer_dns, status,
         last_http_check_at, last_block_check_at, created_at, updated_at)
       SELECT i, 1, 'shop-' || i || '.example', 'shop-' || i || '.example', '/var/www/www-root/data/www/shop-' || i || '.example', 'main',
         'auto', 'off', 'available', '', '', '2026-01-01T00:00:00.000Z', '2026-01-01T00:00:00.000Z' FROM n`,
      { from, to },
    ),
  );

/** Returns a generator of random numbers, equal for equal seeds. */
export function random(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 48_271) % 2_147_483_647;
    return state / 2_147_483_647;
  };
}
