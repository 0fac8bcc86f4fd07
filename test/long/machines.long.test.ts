// A server is killed during a bulk run on one machine, and one on another machine goes on with it. On SQLite both are on the same one.
import { copyFileSync, existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { startSwitch } from '../../src/services/dns/protection.ts';
import { SYSTEM } from '../../src/services/access/scope.ts';
import { operationRow } from '../../src/operations/lease.ts';
import { startBulk, type Bulk } from '../support/bulk.ts';
import { startChild, type Child } from '../support/child.ts';

const ZONES = 200;

let bulk: Bulk;
let folder: string;
const children: Child[] = [];
afterEach(async () => {
  await Promise.all(children.map((child) => child.kill()));
  await bulk.close();
  rmSync(folder, { recursive: true, force: true });
});

async function serveIn(dataDir: string): Promise<Child> {
  const child = startChild('test/children/serve.ts', [dataDir, JSON.stringify({ cloudflareUrl: bulk.fake.url })]);
  children.push(child);
  await child.line();
  return child;
}

/** A data directory of another machine: the address of the database and the key, nothing else. */
function anotherMachine(): string {
  folder = mkdtempSync(join(tmpdir(), 'seo-admin-machine-'));
  const { dataDir, databaseUrl } = bulk.config;
  if (databaseUrl === undefined) return dataDir;
  for (const name of ['seo-admin.config.json', 'key']) {
    if (existsSync(join(dataDir, name))) copyFileSync(join(dataDir, name), join(folder, name));
  }
  return folder;
}

test('a bulk run of a killed server is ended by a server on another machine, and nothing is done twice', async () => {
  bulk = await startBulk({ accounts: 2, zonesEach: ZONES / 2, latencyMs: 60 });
  const written = (): string[] => bulk.fake.requests.filter(({ method }) => method === 'PATCH').map(({ path }) => path);
  const one = await serveIn(bulk.config.dataDir);
  const { id } = await startSwitch(SYSTEM, { kind: 'under_attack', action: 'enable' });
  await expect.poll(() => written().length, { interval: 20 }).toBeGreaterThan(20);
  await one.kill();
  const killed = Date.now();
  const before = written().length;
  expect(before).toBeLessThan(ZONES);
  await serveIn(anotherMachine());
  await expect.poll(() => written().length, { timeout: 120_000, interval: 100 }).toBeGreaterThan(before + 5);
  const began = Math.round((Date.now() - killed) / 1_000);
  await expect.poll(async () => (await operationRow(id)).state, { timeout: 300_000, interval: 500 }).toBe('succeeded');
  console.log(
    `machines: killed after ${before} of ${ZONES} zones, gone on with after ${began} s, ended after ${Math.round((Date.now() - killed) / 1_000)} s`,
  );
  const writes = written();
  expect([writes.length, new Set(writes).size]).toEqual([ZONES, ZONES]);
});
