// Shared parts of the tests of automatic transfers: a portfolio, lists that block it, and readers for what was decided.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, vi } from 'vitest';
import { closeDatabase, execute, openDatabase, select, transaction } from '../../../../db/index.ts';
import { migrate } from '../../../../db/migrate.ts';
import type { Config } from '../../../../src/lib/config.ts';
import { databaseAddress } from '../../../../src/lib/database-address.ts';
import { registerFlows, runOperation } from '../../../../src/operations/engine.ts';
import { runAutoTransfers } from '../../../../src/services/transfers/automatic.ts';
import { updateBlocklist } from '../../../../src/services/checks/blocklist.ts';
import type { CheckRequest } from '../../../../src/services/checks/check-targets.ts';
import { startCheck } from '../../../../src/services/checks/checks.ts';
import { flows } from '../../../../src/services/system/flows.ts';
import { openKeys } from '../../../../src/services/access/keys.ts';
import { SYSTEM, type Actor } from '../../../../src/services/access/scope.ts';
import { newInstallation, removeInstallation } from '../../../support/server.ts';

const START = Date.parse('2026-11-20T12:00:00.000Z');
/** A minute in milliseconds. */
export const MINUTE = 60_000;
/** A day in milliseconds. */
export const DAY = 24 * 60 * MINUTE;

/** The installation of the running test. */
export let config: Config;
/** The owner of the projects that `makeProject` makes. */
export const ann: Actor = { id: 1, login: 'ann', role: 'user' };
/** Another user. */
export const bob: Actor = { id: 2, login: 'bob', role: 'user' };

/** Opens a new database with the two users before each test, at the same time of a clock that stands. */
export function useAutomatic(): void {
  beforeEach(async () => {
    vi.useFakeTimers({ toFake: ['Date'], now: START });
    // No outside service answers: checks of the outside are left to the transfer.
    config = await newInstallation({ cloudflareUrl: 'http://127.0.0.1:9' });
    await openDatabase(databaseAddress(config));
    await migrate();
    await openKeys(config);
    registerFlows(flows);
    const user = `INSERT INTO users (login, password, role, created_at) VALUES ($login, '', 'user', '')`;
    await transaction(async () => {
      for (const { login } of [ann, bob]) await execute(user, { login });
      await execute(
        `INSERT INTO cloudflare_accounts (user_id, name, email, api_key, created_at) VALUES (1, 'A', 'a@a.example', '', '')`,
      );
    });
  });
  afterEach(async () => {
    vi.useRealTimers();
    await closeDatabase();
    await removeInstallation(config);
  });
}

/** Sets the clock forward. */
export const pass = (ms: number): void => void vi.setSystemTime(Date.now() + ms);

/** Makes a project that moves its domains by itself. */
export const makeProject = (id: number, owner: Actor = ann): Promise<number> =>
  transaction(() =>
    execute(`INSERT INTO projects (id, user_id, name, created_at) VALUES ($id, $owner, $name, '')`, {
      id,
      owner: owner.id,
      name: `P${id}`,
    }),
  );

/** Adds domains to a project: names that begin with `reserve` are reserves, all others mains. */
export const add = (project: number, ...names: string[]): Promise<number> =>
  transaction(() =>
    execute(
      `INSERT INTO domains (user_id, project_id, domain_name, unicode_name, file_path, type, transfer_type, transfer_dns,
         cloudflare_account_id, status, created_at, updated_at)
       SELECT 1, $project, value, value, '/', CASE WHEN value LIKE 'reserve%' THEN 'transfer' ELSE 'main' END, 'auto', 'off', 1, 'available', '', ''
       FROM json_each($names)`,
      { project, names: JSON.stringify(names) },
    ),
  );

/** Adds unaffected domains, so that a few blocked ones are no wave. */
export const addOthers = (count = 60): Promise<number> => {
  const names = Array.from({ length: count }, (_, index) => `other-${index}.example`);
  return transaction(() =>
    execute(
      `INSERT INTO domains (user_id, domain_name, unicode_name, file_path, type, transfer_type, transfer_dns, status, created_at, updated_at)
       SELECT 1, value, value, '/', 'main', 'manual', 'off', 'available', '', '' FROM json_each($names)`,
      { names: JSON.stringify(names) },
    ),
  );
};

let version = 0;
/** Loads a new version of the list with these names. */
export async function loadList(...names: string[]): Promise<void> {
  version += 1;
  const file = join(config.dataDir, 'list.txt');
  writeFileSync(file, `${[...names, `version-${version}.example`].join('\n')}\n`);
  await updateBlocklist(config.blocklistDir, { file, accept: true });
}

/** Checks the portfolio, or a part of it, against the list, and returns the operation. */
export async function check(actor: Actor = SYSTEM, request: Partial<CheckRequest> = {}): Promise<number> {
  const { id } = await startCheck(actor, { steps: ['blocklist'], ...request }, true);
  await runOperation(id);
  return id;
}

/** Runs three checks, 20 minutes apart, with lists that block these names. */
export async function witness(...names: string[]): Promise<void> {
  for (let look = 0; look < 3; look += 1) {
    await loadList(...names);
    await check();
    pass(20 * MINUTE);
  }
}

/** Decides on all domains of the actor, and returns the stop and the decisions as lines. */
export const run = async (actor: Actor = SYSTEM) => {
  const { stop, decisions } = await runAutoTransfers(actor);
  const short = decisions.map(({ main, target, decision, reason }) =>
    [main.domain_name, decision, target?.domain_name ?? reason.key].join(' '),
  );
  return { stop: stop?.cause ?? null, decisions: short };
};

/** The queued and ended transfers, oldest first. */
export const transfers = () =>
  select<{ id: number; user_id: number; subject: string; asked_by: string; items: string }>(
    `SELECT o.id, o.user_id, o.subject, o.asked_by, (SELECT string_agg(item, ', ') FROM operation_items WHERE operation_id = o.id) AS items
     FROM operations o WHERE kind = 'transfer' ORDER BY id`,
  );
/** The stored decisions, oldest first. */
export const told = () =>
  select<{ domain: string; decision: string; key: string }>(
    `SELECT d.domain_name AS domain, t.decision, t.reason ->> 'key' AS key
     FROM transfer_decisions t JOIN domains d ON d.id = t.domain_id ORDER BY t.id`,
  );
/** The stored stops, oldest first. */
export const stops = () =>
  select<{ cause: string; ended: number }>(
    'SELECT cause, ended_at IS NOT NULL AS ended FROM transfer_stops ORDER BY id',
  );

/** Writes the end of a transfer, successful or failed, to the database. */
export async function end(id: number, went: 'well' | 'wrong'): Promise<void> {
  await transaction(async () => {
    await execute(`UPDATE operations SET state = $state WHERE id = $id`, {
      id,
      state: went === 'well' ? 'succeeded' : 'failed',
    });
    await execute(`UPDATE operation_items SET state = $state WHERE operation_id = $id`, {
      id,
      state: went === 'well' ? 'done' : 'failed',
    });
    if (went === 'wrong') return;
    await execute(
      `INSERT INTO transfer_history (project_id, main_domain_id, transfer_domain_id, main_domain_name, transfer_domain_name,
         action, operation_id, created_at)
       SELECT d.project_id, t.domain_id, t.target_id, '', '', 'auto', t.operation_id, $now
       FROM transfer_decisions t JOIN domains d ON d.id = t.domain_id WHERE t.operation_id = $id AND t.target_id IS NOT NULL`,
      { id, now: new Date().toISOString() },
    );
    await execute(
      `UPDATE domains SET type = 'transfer', transfer_type = 'manual' WHERE id IN
         (SELECT main_domain_id FROM transfer_history WHERE operation_id = $id)`,
      { id },
    );
    await execute(
      `UPDATE domains SET type = 'main' WHERE id IN (SELECT transfer_domain_id FROM transfer_history WHERE operation_id = $id)`,
      { id },
    );
  });
}
