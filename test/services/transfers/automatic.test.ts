// Decisions on automatic and requested moves, with a real database and real lists.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { closeDatabase, execute, openDatabase, select, transaction } from '../../../db/index.ts';
import { migrate } from '../../../db/migrate.ts';
import type { Config } from '../../../src/lib/config.ts';
import { databaseAddress } from '../../../src/lib/database-address.ts';
import { registerFlows, runOperation } from '../../../src/operations/engine.ts';
import { enqueue } from '../../../src/operations/queue.ts';
import { planAutoTransfer, runAutoTransfers, startAutoTransfer } from '../../../src/services/transfers/automatic.ts';
import { updateBlocklist } from '../../../src/services/checks/blocklist.ts';
import type { CheckRequest } from '../../../src/services/checks/check-targets.ts';
import { acceptHeld, startCheck } from '../../../src/services/checks/checks.ts';
import { flows } from '../../../src/services/system/flows.ts';
import { openKeys } from '../../../src/services/access/keys.ts';
import { SYSTEM, type Actor } from '../../../src/services/access/scope.ts';
import { listDecisions } from '../../../src/services/transfers/decisions.ts';
import { startChild } from '../../support/child.ts';
import { dump } from '../../support/database.ts';
import { refuseRows } from '../../support/schema.ts';
import { newInstallation, removeInstallation } from '../../support/server.ts';
import { english } from '../../support/english.ts';

const START = Date.parse('2026-11-20T12:00:00.000Z');
const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;

let config: Config;
const ann: Actor = { id: 1, login: 'ann', role: 'user' };
const bob: Actor = { id: 2, login: 'bob', role: 'user' };

beforeEach(async () => {
  vi.useFakeTimers({ toFake: ['Date'], now: START });
  // No outside service answers: checks of the outside are left to the transfer.
  config = await newInstallation({ cloudflareUrl: 'http://127.0.0.1:9' });
  await openDatabase(databaseAddress(config));
  await migrate();
  await openKeys(config);
  registerFlows(flows());
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

const pass = (ms: number): void => void vi.setSystemTime(Date.now() + ms);

const makeProject = (id: number, owner: Actor = ann): Promise<number> =>
  transaction(() =>
    execute(`INSERT INTO projects (id, user_id, name, created_at) VALUES ($id, $owner, $name, '')`, {
      id,
      owner: owner.id,
      name: `P${id}`,
    }),
  );

/** Adds domains to a project: names that begin with `reserve` are reserves, all others mains. */
const add = (project: number, ...names: string[]): Promise<number> =>
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
const addOthers = (count = 60): Promise<number> => {
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
async function loadList(...names: string[]): Promise<void> {
  version += 1;
  const file = join(config.dataDir, 'list.txt');
  writeFileSync(file, `${[...names, `version-${version}.example`].join('\n')}\n`);
  await updateBlocklist(config.blocklistDir, { file, accept: true });
}

async function check(actor: Actor = SYSTEM, request: Partial<CheckRequest> = {}): Promise<number> {
  const { id } = await startCheck(actor, { steps: ['blocklist'], ...request }, true);
  await runOperation(id);
  return id;
}

/** Runs three checks, 20 minutes apart, with lists that block these names. */
async function witness(...names: string[]): Promise<void> {
  for (let look = 0; look < 3; look += 1) {
    await loadList(...names);
    await check();
    pass(20 * MINUTE);
  }
}

const run = async (actor: Actor = SYSTEM) => {
  const { stop, decisions } = await runAutoTransfers(actor);
  const short = decisions.map(({ main, target, decision, reason }) =>
    [main.domain_name, decision, target?.domain_name ?? reason.key].join(' '),
  );
  return { stop: stop?.cause ?? null, decisions: short };
};

const transfers = () =>
  select<{ id: number; user_id: number; subject: string; asked_by: string; items: string }>(
    `SELECT o.id, o.user_id, o.subject, o.asked_by, (SELECT string_agg(item, ', ') FROM operation_items WHERE operation_id = o.id) AS items
     FROM operations o WHERE kind = 'transfer' ORDER BY id`,
  );
const told = () =>
  select<{ domain: string; decision: string; key: string }>(
    `SELECT d.domain_name AS domain, t.decision, t.reason ->> 'key' AS key
     FROM transfer_decisions t JOIN domains d ON d.id = t.domain_id ORDER BY t.id`,
  );
const stops = () =>
  select<{ cause: string; ended: number }>(
    'SELECT cause, ended_at IS NOT NULL AS ended FROM transfer_stops ORDER BY id',
  );

/** Writes the end of a transfer, successful or failed, to the database. */
async function end(id: number, went: 'well' | 'wrong'): Promise<void> {
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

describe('an automatic run', () => {
  test('moves nothing in the name of a disabled owner, and gives that as the reason', async () => {
    await makeProject(7, bob);
    await add(7, 'site.example', 'reserve-1.example', 'reserve-2.example');
    await addOthers();
    await witness('site.example');
    const active = (value: 0 | 1) =>
      transaction(() => execute('UPDATE users SET active = $value WHERE id = $id', { value, id: bob.id }));
    await active(0);
    expect((await run()).decisions).toEqual(['site.example declined operation.user_disabled']);
    expect(await transfers()).toEqual([]);
    await active(1);
    expect((await run()).decisions).toEqual(['site.example started reserve-1.example']);
  });

  test('moves a domain that three looks found blocked once, for the owner of its project', async () => {
    await makeProject(7, bob);
    await add(7, 'site.example', 'reserve-1.example', 'reserve-2.example');
    await addOthers();
    await witness('site.example');
    expect(await run()).toEqual({ stop: null, decisions: ['site.example started reserve-1.example'] });
    expect(await transfers()).toEqual([
      {
        id: expect.any(Number),
        user_id: bob.id,
        subject: 'auto 7',
        asked_by: 'automation',
        items: 'transfer site.example',
      },
    ]);
    const before = await dump();
    expect((await run()).decisions).toEqual(['site.example waiting auto_transfer.main_busy']);
    expect(await dump()).toBe(before);
  });

  test('counts three looks at one fetch as one witness, and a later confirmation by the source as a second', async () => {
    await makeProject(1);
    await add(1, 'site.example', 'reserve-1.example', 'reserve-2.example');
    await addOthers();
    await loadList('site.example');
    for (let look = 0; look < 3; look += 1) {
      await check();
      pass(20 * MINUTE);
    }
    expect((await run()).decisions).toEqual(['site.example waiting auto_transfer.seen']);
    const file = join(config.dataDir, 'list.txt');
    await updateBlocklist(config.blocklistDir, { file });
    await check();
    expect((await run()).decisions).toEqual(['site.example started reserve-1.example']);
  });

  test('leaves a domain that is off the list by now, though no check has run since', async () => {
    await makeProject(1);
    await add(1, 'site.example', 'reserve-1.example', 'reserve-2.example');
    await addOthers();
    await witness('site.example');
    await loadList();
    expect((await run()).decisions).toEqual(['site.example waiting auto_transfer.not_listed']);
  });

  test('skips a reserve that the present list blocks, though its last look was good', async () => {
    await makeProject(1);
    await add(1, 'site.example', 'reserve-1.example', 'reserve-2.example', 'reserve-3.example');
    await addOthers();
    await witness('site.example');
    await loadList('site.example', 'reserve-1.example');
    expect((await run()).decisions).toEqual(['site.example started reserve-2.example']);
  });

  test('skips a reserve that another operation has locked', async () => {
    await makeProject(1);
    await add(1, 'site.example', 'reserve-1.example', 'reserve-2.example', 'reserve-3.example');
    await addOthers();
    await witness('site.example');
    const locks = [{ kind: 'dns', name: 'reserve-1.example' }];
    const message = { key: 'check.started' } as const;
    await enqueue({ kind: 'dns_edit', subject: 'x', user_id: null, input: {}, message, locks });
    expect((await run()).decisions).toEqual(['site.example started reserve-2.example']);
  });

  test('stores a decline once, and again when its reason changes', async () => {
    await makeProject(1);
    await add(1, 'site.example');
    await addOthers();
    await witness('site.example');
    await run();
    await run();
    await add(1, 'reserve-1.example');
    await run();
    await run();
    await transaction(() => execute(`UPDATE projects SET last_reserve = 'on'`));
    await run();
    expect(await told()).toEqual([
      { domain: 'site.example', decision: 'declined', key: 'auto_transfer.no_reserve' },
      { domain: 'site.example', decision: 'declined', key: 'auto_transfer.last' },
      { domain: 'site.example', decision: 'started', key: 'auto_transfer.chosen' },
    ]);
  });

  test('skips a reserve for a day after its transfer failed, and tries the next one', async () => {
    await makeProject(1);
    await add(1, 'site.example', 'reserve-1.example', 'reserve-2.example', 'reserve-3.example');
    await addOthers();
    await witness('site.example');
    await run();
    await end((await transfers())[0]?.id ?? 0, 'wrong');
    expect((await run()).decisions).toEqual(['site.example started reserve-2.example']);
    await end((await transfers())[1]?.id ?? 0, 'wrong');
    // Two of three have failed: the third is the last reserve, which is kept.
    expect((await run()).decisions).toEqual(['site.example declined auto_transfer.last']);
    pass(DAY + MINUTE);
    await loadList('site.example');
    expect((await run()).decisions).toEqual(['site.example started reserve-1.example']);
  });

  test('moves three domains of a project a day, one after the other; setting the clock back does not reset the limit', async () => {
    await makeProject(1);
    const sites = Array.from({ length: 5 }, (_, index) => `site-${index}.example`);
    await add(1, ...sites, ...Array.from({ length: 9 }, (_, index) => `reserve-${index}.example`));
    await addOthers();
    await witness(...sites);
    for (const count of [1, 2, 3]) {
      const { decisions } = await run();
      expect(decisions.filter((line) => line.includes('started'))).toHaveLength(1);
      expect(await transfers()).toHaveLength(count);
      expect((await run()).decisions.some((line) => line.includes('started'))).toBe(false);
      await end((await transfers()).at(-1)?.id ?? 0, 'well');
    }
    expect((await run()).decisions[0]).toMatch(/declined auto_transfer.limit_project/);
    vi.setSystemTime(Date.now() - DAY);
    await loadList(...sites);
    expect((await run()).decisions[0]).toMatch(/declined auto_transfer.limit_project/);
    vi.setSystemTime(Date.now() + 2 * DAY);
    await loadList(...sites);
    expect((await run()).decisions[0]).toMatch(/started/);
  });

  test('moves twenty domains a day in all', async () => {
    const projects = Array.from({ length: 22 }, (_, index) => index + 1);
    for (const id of projects) {
      await makeProject(id);
      await add(id, `site-${id}.example`, `reserve-${id}a.example`, `reserve-${id}b.example`);
    }
    await addOthers();
    await witness(...projects.map((id) => `site-${id}.example`));
    const { decisions } = await run();
    expect(decisions.filter((line) => line.includes('started'))).toHaveLength(20);
    expect(decisions.filter((line) => line.includes('auto_transfer.limit_overall'))).toHaveLength(2);
  });

  test('starts a move once where several processes run at once', async () => {
    await makeProject(1);
    await add(1, 'site.example', 'reserve-1.example', 'reserve-2.example');
    await addOthers();
    // The child processes use the real clock.
    vi.useRealTimers();
    for (let look = 0; look < 3; look += 1) {
      await loadList('site.example');
      await check();
    }
    const children = [0, 1, 2].map(() => startChild('test/children/auto-transfers.ts', [config.dataDir]));
    await Promise.all(children.map((child) => child.output()));
    expect(await transfers()).toHaveLength(1);
    expect((await told()).filter(({ decision }) => decision === 'started')).toHaveLength(1);
  });

  test('stores the decision and the queued operation in one transaction', async () => {
    await makeProject(1);
    await add(1, 'site.example', 'reserve-1.example', 'reserve-2.example');
    await addOthers();
    await witness('site.example');
    const accept = await refuseRows('transfer_decisions', 'cut off');
    await expect(run()).rejects.toThrow('cut off');
    expect(await transfers()).toEqual([]);
    await accept();
    expect((await run()).decisions).toEqual(['site.example started reserve-1.example']);
  });

  test('writes nothing as a dry run', async () => {
    await makeProject(1);
    await add(1, 'site.example', 'reserve-1.example', 'reserve-2.example');
    await addOthers();
    await witness('site.example');
    const before = await dump();
    const { decisions } = await runAutoTransfers(SYSTEM, { dryRun: true });
    expect(decisions.map(({ decision, operation_id }) => [decision, operation_id])).toEqual([['started', null]]);
    expect(await dump()).toBe(before);
  });

  test('of a user moves only the projects of that user', async () => {
    await makeProject(1, ann);
    await makeProject(2, bob);
    await add(1, 'one.example', 'reserve-1.example', 'reserve-2.example');
    await add(2, 'two.example', 'reserve-3.example', 'reserve-4.example');
    await addOthers();
    await witness('one.example', 'two.example');
    expect((await run(bob)).decisions).toEqual(['two.example started reserve-3.example']);
  });
});

describe('no site moves by itself', () => {
  const sites = Array.from({ length: 40 }, (_, index) =>
    index < 20 ? `site-${index}.example` : `reserve-${index}.example`,
  );

  test('on a list that blocks everything, however often it is repeated; the stop is stored once', async () => {
    await makeProject(1);
    await add(1, ...sites);
    for (let look = 0; look < 5; look += 1) {
      await loadList(...sites);
      await check();
      await run();
      pass(7 * 60 * MINUTE);
    }
    expect(await transfers()).toEqual([]);
    expect(await stops()).toEqual([{ cause: 'held', ended: 0 }]);
    // So far no result was stored. Now a person accepts one, and the next lists repeat it.
    await loadList(...sites);
    const held = await check();
    const accepted = await acceptHeld(SYSTEM, held);
    await runOperation(accepted.id);
    for (let look = 0; look < 5; look += 1) {
      await loadList(...sites);
      await check();
      expect((await run()).stop).toBe('wave');
      pass(7 * 60 * MINUTE);
    }
    expect(await transfers()).toEqual([]);
    expect(await told()).toEqual([]);
    expect(await stops()).toEqual([{ cause: 'wave', ended: 0 }]);
  });

  test('on such a list checked project by project: results that add up within seven days are held', async () => {
    const groups = Array.from({ length: 6 }, (_, index) => index + 1);
    for (const id of groups) {
      await makeProject(id);
      await add(
        id,
        ...Array.from({ length: 5 }, (_, index) => `site-${id}-${index}.example`),
        `reserve-${id}a.example`,
        `reserve-${id}b.example`,
      );
    }
    const all = groups.flatMap((id) => Array.from({ length: 5 }, (_, index) => `site-${id}-${index}.example`));
    for (let look = 0; look < 3; look += 1) {
      await loadList(...all);
      for (const project_id of groups) await check(SYSTEM, { project_id });
      pass(MINUTE);
    }
    expect(await run()).toMatchObject({ stop: 'held' });
    expect(await transfers()).toEqual([]);
  });

  test('while a result is held; a good check of the same domains ends that, a check of part of them does not', async () => {
    await makeProject(1);
    await makeProject(2);
    await add(1, 'site.example', 'reserve-1.example', 'reserve-2.example');
    await add(2, 'calm.example');
    await addOthers(20);
    await witness('site.example');
    const others = Array.from({ length: 20 }, (_, index) => `other-${index}.example`);
    await loadList('site.example', ...others);
    await check();
    expect(await run()).toEqual({ stop: 'held', decisions: ['site.example declined auto_transfer.stopped_held'] });
    await run();
    await check(SYSTEM, { project_id: 2 });
    expect((await run()).stop).toBe('held');
    expect(await stops()).toEqual([{ cause: 'held', ended: 0 }]);
    await loadList('site.example');
    await check();
    expect(await run()).toEqual({ stop: null, decisions: ['site.example started reserve-1.example'] });
    expect(await stops()).toEqual([{ cause: 'held', ended: 1 }]);
  });

  test('after a wave, until a person starts a transfer', async () => {
    await makeProject(1);
    await makeProject(2);
    const wave = Array.from({ length: 9 }, (_, index) => `site-${index}.example`);
    await add(1, ...wave, ...Array.from({ length: 9 }, (_, index) => `reserve-${index}.example`));
    await add(2, 'own.example', 'reserve-x.example', 'reserve-y.example');
    await addOthers(10);
    for (let look = 0; look < 3; look += 1) {
      await loadList(...wave);
      await check(SYSTEM, { accept: true });
      pass(20 * MINUTE);
    }
    expect((await run()).stop).toBe('wave');
    await startAutoTransfer(ann, { project: 2 });
    expect((await run()).stop).toBe(null);
    expect(await stops()).toEqual([{ cause: 'wave', ended: 1 }]);
  });

  test('on a list that is too old; that stop, too, is stored once', async () => {
    await makeProject(1);
    await add(1, 'site.example', 'reserve-1.example', 'reserve-2.example');
    await addOthers();
    await witness('site.example');
    pass(73 * 60 * MINUTE);
    expect(await run()).toEqual({ stop: 'list', decisions: ['site.example declined auto_transfer.stopped_list'] });
    await run();
    expect(await stops()).toEqual([{ cause: 'list', ended: 0 }]);
    // A run of a user with nothing to move does not end the stop.
    await run(bob);
    expect(await stops()).toEqual([{ cause: 'list', ended: 0 }]);
    const { stop } = await listDecisions(bob, {});
    expect(stop && { ...stop, reason: english(stop.reason) }).toEqual({
      reason: expect.stringContaining('too old'),
      since: expect.any(String),
    });
    expect(await transfers()).toEqual([]);
  });
});

describe('a requested move', () => {
  const ask = (actor: Actor = ann, more: object = {}, idem_key?: string, here = false) =>
    startAutoTransfer(actor, { project: 1, ...more }, { idem_key, here });

  test('moves every blocked main domain after a single look; those that cannot move say why', async () => {
    await makeProject(1);
    await add(1, 'one.example', 'two.example', 'calm.example', 'reserve-1.example', 'reserve-2.example');
    await transaction(() => execute(`UPDATE domains SET transfer_type = 'manual' WHERE domain_name = 'one.example'`));
    await addOthers();
    await loadList('one.example', 'two.example');
    await check();
    const { id, started, message } = await ask();
    expect({ started, message }).toEqual({
      started: true,
      message: { key: 'auto_transfer.started', params: { n: 1 } },
    });
    expect(await transfers()).toEqual([
      {
        id,
        user_id: ann.id,
        subject: 'project 1',
        asked_by: 'person',
        items: 'transfer one.example, transfer two.example',
      },
    ]);
    expect(await told()).toEqual([
      { domain: 'one.example', decision: 'started', key: 'auto_transfer.chosen' },
      { domain: 'two.example', decision: 'declined', key: 'auto_transfer.last' },
    ]);
  });

  test('uses the last reserve if the person says so', async () => {
    await makeProject(1);
    await add(1, 'one.example', 'reserve-1.example');
    await addOthers();
    await loadList('one.example');
    await check();
    const reasons = async (more: object) =>
      (await planAutoTransfer(ann, { project: 1, ...more })).choices.map(({ reason }) => reason.key);
    expect(await reasons({})).toEqual(['auto_transfer.last']);
    expect(await reasons({ use_last_reserve: true })).toEqual(['auto_transfer.chosen']);
  });

  test('says so where nothing is blocked', async () => {
    await makeProject(1);
    await add(1, 'one.example', 'reserve-1.example');
    const { id, message } = await ask(ann, {}, undefined, true);
    expect(message).toEqual({ key: 'auto_transfer.nothing_blocked' });
    const ended = await runOperation(id);
    expect([ended.state, JSON.parse(ended.message)]).toEqual(['succeeded', { key: 'auto_transfer.nothing_blocked' }]);
  });

  test('fails the item of a domain that cannot move, with its reason', async () => {
    await makeProject(1);
    await add(1, 'one.example', 'reserve-1.example');
    await addOthers();
    await loadList('one.example');
    await check();
    const { id } = await ask(ann, {}, undefined, true);
    expect((await runOperation(id)).state).toBe('failed');
    const [item] = await select<{ state: string; error: string }>(
      'SELECT state, error FROM operation_items WHERE operation_id = $id',
      { id },
    );
    expect(item?.state).toBe('failed');
    expect(JSON.parse(item?.error ?? '{}')).toEqual({
      key: 'auto_transfer.last',
      params: { target: 'reserve-1.example' },
    });
  });

  test('is one operation where it is sent twice at once, and with its idempotency key also after the end', async () => {
    await makeProject(1);
    await add(1, 'one.example', 'reserve-1.example', 'reserve-2.example');
    await addOthers();
    await loadList('one.example');
    await check();
    const [one, other] = await Promise.all([ask(ann, {}, 'key'), ask(ann)]);
    expect(one?.id).toBe(other?.id);
    expect([one?.started, other?.started].filter(Boolean)).toHaveLength(1);
    expect(await transfers()).toHaveLength(1);
    await end(one?.id ?? 0, 'well');
    await makeProject(2);
    expect((await ask(ann, {}, 'key')).id).toBe(one?.id);
    await expect(ask(ann, { project: 2 }, 'key')).rejects.toMatchObject({ kind: 'conflict' });
  });

  test('is refused where the shown plan is stale', async () => {
    await makeProject(1);
    await add(1, 'one.example', 'reserve-1.example', 'reserve-2.example');
    await addOthers();
    await loadList('one.example');
    await check();
    const { plan } = await planAutoTransfer(ann, { project: 1 });
    await loadList('one.example', 'reserve-1.example');
    await expect(ask(ann, { plan })).rejects.toMatchObject({ kind: 'conflict', code: 'plan_stale' });
    expect(await transfers()).toEqual([]);
    const next = await planAutoTransfer(ann, { project: 1, use_last_reserve: true });
    expect((await ask(ann, { plan: next.plan, use_last_reserve: true })).started).toBe(true);
  });

  test('answers the same for a project of another user as for an unknown one', async () => {
    await makeProject(1);
    await expect(ask(bob)).rejects.toMatchObject({ kind: 'refused' });
    await expect(ask(bob, { project: 9 })).rejects.toMatchObject({ kind: 'refused' });
    await expect(planAutoTransfer(bob, { project: 1 })).rejects.toMatchObject({ kind: 'refused' });
  });

  test('finds no free reserve where the list is too old', async () => {
    await makeProject(1);
    await add(1, 'one.example', 'reserve-1.example', 'reserve-2.example');
    await addOthers();
    await loadList('one.example');
    await check();
    pass(73 * 60 * MINUTE);
    expect((await ask()).message).toEqual({ key: 'auto_transfer.nothing_ready' });
    expect(await told()).toMatchObject([{ key: 'auto_transfer.all_unknown' }]);
  });
});

test('a user gets the decisions on visible domains: all of them, or the current ones', async () => {
  await makeProject(1, ann);
  await makeProject(2, bob);
  await add(1, 'one.example');
  await add(2, 'two.example');
  await addOthers();
  await witness('one.example', 'two.example');
  await run();
  await add(1, 'reserve-1.example');
  await run();
  const keys = async (actor: Actor, selection: object = {}) =>
    (await listDecisions(actor, selection)).data.map(({ domain_name, reason }) => `${domain_name}: ${english(reason)}`);
  expect(await keys(ann)).toEqual([
    'one.example: only the last reserve is left, reserve-1.example',
    'one.example: the project has no reserve domains',
  ]);
  expect(await keys(ann, { current: true })).toEqual(['one.example: only the last reserve is left, reserve-1.example']);
  expect(await keys(bob)).toEqual(['two.example: the project has no reserve domains']);
  expect(await keys(SYSTEM, { project: 2 })).toEqual(['two.example: the project has no reserve domains']);
  expect(await listDecisions(SYSTEM, {}, { limit: 1, offset: 1 })).toMatchObject({ total: 3, data: [{}] });
  await transaction(() => execute(`UPDATE domains SET status = 'available' WHERE domain_name = 'one.example'`));
  expect(await keys(ann, { current: true })).toEqual([]);
});
