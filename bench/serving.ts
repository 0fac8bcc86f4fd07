import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { closeDatabase, execute, openDatabase, transaction } from '../db/index.ts';
import { migrate } from '../db/migrate.ts';
import { createSetupToken } from '../src/services/access/session.ts';
import { startChild } from '../test/support/child.ts';
import { PASSWORD, request } from '../test/support/server.ts';
import type { Load, LoadResult } from './http-load.ts';

const run = promisify(execFile);
const root = fileURLToPath(new URL('..', import.meta.url));

/** The product and its peer, each in its own process, on one database file. */
export interface Serving {
  /** The database's file. */
  file: string;
  port: number;
  barePort: number;
  /** The headers of the product's calls. */
  headers: Record<string, string>;
  close: () => Promise<void>;
}

/** Fills the file with a portfolio of `count` domains of the first user, one project per hundred. */
async function fill(count: number): Promise<void> {
  await transaction(async () => {
    const bind = { count };
    const numbers = `WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < $count)`;
    const time = `'2026-01-01T00:00:00.000Z'`;
    await execute(
      `INSERT INTO servers (name, ssh_host, ssh_user, ssh_password, created_at) VALUES ('one', '192.0.2.1', 'root', '', ${time})`,
    );
    await execute(
      `${numbers} INSERT INTO projects (id, user_id, name, created_at, last_reserve)
       SELECT i, 1, 'project ' || i, ${time}, 'off' FROM n WHERE i * 100 <= $count`,
      bind,
    );
    await execute(
      `${numbers} INSERT INTO domains (user_id, project_id, domain_name, unicode_name, file_path, type, transfer_type,
         transfer_dns, server_id, status, http_status_code, last_http_check_at, expired_at, created_at, updated_at)
       SELECT 1, 1 + (i - 1) / 100, char(97 + i % 26, 97 + i * 7 % 26, 97 + i * 11 % 26) || '-shop-' || i || '.example',
         char(97 + i % 26, 97 + i * 7 % 26, 97 + i * 11 % 26) || '-shop-' || i || '.example',
         '/var/www/www-root/data/www/shop-' || i, 'main', 'auto', 'off', 1, 'available', 200, ${time},
         '2027-01-01T00:00:00.000Z', ${time}, ${time} FROM n`,
      bind,
    );
  });
}

/** Starts both on a portfolio of `count` domains. */
export async function startServing(count: number): Promise<Serving> {
  const folder = mkdtempSync(join(tmpdir(), 'seo-admin-bench-'));
  const file = join(folder, 'seo-admin.sqlite');
  await openDatabase(file);
  await migrate();
  const token = await createSetupToken();
  const product = startChild(join(root, 'test/children/serve.ts'), [folder]);
  const url = await product.line();
  const { body } = await request({ url }, 'POST /api/setup', { body: { token, login: 'bench', password: PASSWORD } });
  await fill(count);
  await closeDatabase();
  const bare = startChild(join(root, 'bench/bare-server.ts'), [file]);
  const barePort = Number(await bare.line());
  return {
    file,
    port: Number(new URL(url).port),
    barePort,
    headers: { authorization: body.token as string },
    close: async () => {
      await Promise.all([product.kill(), bare.kill()]);
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

let seed = 0;

/** Loads a server from a separate process. */
export async function loadServer(load: Load): Promise<LoadResult> {
  const args = ['--import', 'tsx', join(root, 'bench/http-load.ts'), JSON.stringify(load), String(++seed)];
  const { stdout } = await run(process.execPath, args, { cwd: root });
  return JSON.parse(stdout) as LoadResult;
}

/** Returns the median. */
export const median = (values: number[]): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;

/** Returns how many ms work takes. */
export const timed = async (work: () => Promise<void>): Promise<number> => {
  const start = performance.now();
  await work();
  return performance.now() - start;
};
