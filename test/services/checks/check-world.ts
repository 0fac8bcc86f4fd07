// Shared parts of the tests of checks: a world of real servers, and a portfolio that is checked against it.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach } from 'vitest';
import { closeDatabase, execute, openDatabase, select, transaction } from '../../../db/index.ts';
import { migrate } from '../../../db/migrate.ts';
import type { Config } from '../../../src/lib/config.ts';
import { databaseAddress } from '../../../src/lib/database-address.ts';
import { registerFlows, runOperation } from '../../../src/operations/engine.ts';
import { updateBlocklist } from '../../../src/services/checks/blocklist.ts';
import type { CheckRequest } from '../../../src/services/checks/check-targets.ts';
import { startCheck } from '../../../src/services/checks/checks.ts';
import { flows } from '../../../src/services/system/flows.ts';
import { viewOf } from '../../../src/services/operations/operation-views.ts';
import type { Actor } from '../../../src/services/access/scope.ts';
import { renderOperation, type OperationView } from '../../../src/shared/operations.ts';
import { addUser } from '../../support/database.ts';
import { newInstallation, removeInstallation } from '../../support/server.ts';
import { startWorld, type World } from '../../support/world.ts';
import { english } from '../../support/english.ts';

/** The sites that answer at once. */
export const FAST = ['up.test', 'gone.test', 'error.test', 'reset.test', 'moved.test'];
/** The sites that take four seconds. */
export const SLOW = ['slow-1.test', 'slow-2.test', 'slow-3.test'];

/** The servers of the test file that has called `useWorld`. */
export let world: World;
/** The installation of the running test. */
export let config: Config;
/** A user. */
export let ann: Actor;
/** Another user. */
export let bob: Actor;

/** Starts the servers before the tests of a file, and opens a new database with two users before each. */
export function useWorld(): void {
  beforeAll(async () => {
    const slow = Object.fromEntries(SLOW.map((name) => [name, { delayMs: 4_000 }]));
    world = await startWorld({
      'up.test': {},
      'gone.test': { status: 404 },
      'error.test': { status: 503 },
      'reset.test': { fault: 'reset' },
      'moved.test': { status: 301, location: 'http://up.test/' },
      ...slow,
    });
  });
  afterAll(() => world.close());

  beforeEach(async () => {
    world.seen.length = 0;
    config = await newInstallation({
      allowPrivate: true,
      connectTo: `:443:127.0.0.1:${world.tlsPort},:80:127.0.0.1:${world.port}`,
    });
    await openDatabase(databaseAddress(config));
    await migrate();
    registerFlows(flows);
    [ann, bob] = [await addUser('ann'), await addUser('bob')];
  });
  afterEach(async () => {
    await closeDatabase();
    await removeInstallation(config);
  });
}

/** Inserts domains in the state that adding gives them. */
export async function add(owner: Actor, names: string[]): Promise<void> {
  await transaction(() =>
    execute(
      `INSERT INTO domains (user_id, domain_name, unicode_name, file_path, type, transfer_type, transfer_dns, status, created_at, updated_at)
       SELECT $owner, value, value, '/', 'main', 'auto', 'off', 'available', '', '' FROM json_each($names)`,
      { owner: owner.id, names: JSON.stringify(names) },
    ),
  );
}

/** Runs a check to its end in this process and returns its operation. */
export async function check(actor: Actor, request: CheckRequest): Promise<OperationView> {
  const { id } = await startCheck(actor, request, true);
  return renderOperation(english, await viewOf(await runOperation(id)));
}

/** Loads a list of these names. */
export async function loadList(names: string[]): Promise<void> {
  const file = join(config.dataDir, 'list.txt');
  writeFileSync(file, `${names.join('\n')}\n`);
  await updateBlocklist(config.blocklistDir, { file, accept: true });
}

/** The values of a column of all domains, by name. */
export const stored = async (column: string): Promise<Record<string, unknown>> => {
  const rows = await select<{ name: string; value: unknown }>(
    `SELECT domain_name AS name, ${column} AS value FROM domains`,
  );
  return Object.fromEntries(rows.map(({ name, value }) => [name, value]));
};
/** The stored results of a kind of check, oldest first. */
export const history = (kind: string) =>
  select<{ name: string; verdict: string; code: number | null; detail: string | null }>(
    `SELECT d.domain_name AS name, c.verdict, c.http_status_code AS code, c.detail
     FROM checks c JOIN domains d ON d.id = c.domain_id WHERE c.kind = $kind ORDER BY c.id`,
    { kind },
  );
/** Returns that many names. */
export const many = (count: number): string[] => Array.from({ length: count }, (_, index) => `many-${index}.test`);
