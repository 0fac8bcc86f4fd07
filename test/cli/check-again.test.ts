// A portfolio check that was interrupted and is run again: the answer covers the whole.
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { closeDatabase, execute, openDatabase, select, transaction } from '../../db/index.ts';
import { loadConfig } from '../../src/lib/config.ts';
import { endLeases } from '../support/leases.ts';
import { startWorld, type Site, type World } from '../support/world.ts';
import { makeAdminHome, type Home, type Run } from './cli.ts';

const NAMES = Array.from({ length: 600 }, (_, index) => `n${String(index).padStart(3, '0')}.test`);
const STOPPED_AT = 140;
const DELAY_MS = 60;
const CHECK = ['check', 'http', '--all', '--scheme', 'http', '--no-follow', '--concurrency', '8', '--json'];

/** The hosts alternate between these two behaviours. */
const first: Site = { status: 301, location: '//elsewhere.test/', delayMs: DELAY_MS };
const second: Site = { ...first };

let home: Home;
let world: World;
let env: Record<string, string>;

beforeAll(async () => {
  world = await startWorld(Object.fromEntries(NAMES.map((name, index) => [name, index % 2 === 0 ? first : second])));
  env = { SEO_ADMIN_CONNECT_TO: `::127.0.0.1:${world.port}` };
  home = await makeAdminHome();
  await home.run(['domain', 'add', '--file', home.file('names.txt', NAMES.join('\n'))]);
  await openDatabase(loadConfig({ dataDir: home.dir }, {}).databaseFile);
});
afterAll(async () => {
  await closeDatabase();
  await world.close();
  home.remove();
});
beforeEach(async () => {
  world.seen.length = 0;
  answerIn(DELAY_MS);
  await transaction(() => execute('DELETE FROM operations'));
});

function answerIn(delayMs: number): void {
  for (const site of [first, second]) site.delayMs = delayMs;
}

/** Starts the check and sends a signal once STOPPED_AT hosts were requested; returns its output. From then on the hosts answer at once. */
async function interrupt(signal: 'SIGKILL' | 'SIGINT', args = CHECK): Promise<Run> {
  const started = home.start(args, { env });
  await expect.poll(() => world.seen.length, { interval: 5 }).toBeGreaterThanOrEqual(STOPPED_AT);
  // A kill loses the results of the last second.
  await expect.poll(() => select('SELECT 1 FROM operation_results'), { interval: 5 }).not.toEqual([]);
  started.process.kill(signal);
  const ended = await started.ended;
  await endLeases();
  answerIn(0);
  return ended;
}

const domainsOf = ({ json }: Run): string[] => json.items.map(({ domain }: { domain: string }) => domain);
const shown = (id: number): Promise<Run> => home.run(['operation', 'show', String(id), '--json']);

test('a check that is killed and run again answers for all 600 hosts with the original options', async () => {
  await interrupt('SIGKILL');
  const before = world.seen.length;
  expect(before).toBeLessThan(NAMES.length);
  const again = await home.run(CHECK, { env });
  expect([again.exit, again.json.ok, again.json.summary]).toEqual([
    0,
    true,
    { total: NAMES.length, ok: 0, no_answer: 0 },
  ]);
  expect(domainsOf(again)).toEqual(NAMES);
  // A followed redirect would give a 404.
  expect(new Set(again.json.items.map((item: { http_status_code: number }) => item.http_status_code))).toEqual(
    new Set([301]),
  );
  expect(new Set(world.seen.map(({ url }) => new URL(url).protocol))).toEqual(new Set(['http:']));
  expect(world.seen.length - before, 'what was found is not asked for again').toBeLessThan(NAMES.length);
  expect(again.json.operation).toMatchObject({ state: 'succeeded', done: NAMES.length, failed: 0 });
  expect(domainsOf(await shown(again.json.operation.id))).toEqual(NAMES);
});

test('a check stopped by Ctrl-C prints how to resume it, and the resumed operation lists every item, as `operation show` does', async () => {
  const stopped = await interrupt('SIGINT', [...CHECK, '--lang', 'en', '--as', 'admin']);
  expect([stopped.exit, stopped.json.error.code]).toEqual([130, 'interrupted']);
  const { id } = stopped.json.operation as { id: number };
  const [, printed = ''] = /: seo-admin (operation resume .*)$/m.exec(stopped.stderr) ?? [];
  // Its reader and the form of its answer are those of the command that was stopped.
  expect(printed).toBe(`operation resume ${id} --as admin --lang en --json`);
  const resumed = await home.run(printed.split(' '), { env });
  expect([resumed.exit, resumed.json.state]).toEqual([0, 'succeeded']);
  expect(domainsOf(resumed)).toEqual(NAMES);
  expect((await shown(id)).json.items).toEqual(resumed.json.items);
  expect(new Set(world.seen.map(({ url }) => new URL(url).protocol))).toEqual(new Set(['http:']));
});

test('a check with other flags is a new one, and leaves the interrupted one to be resumed', async () => {
  const { id } = (await interrupt('SIGINT')).json.operation as { id: number };
  world.seen.length = 0;
  const other = await home.run(
    ['check', 'http', '--all', '--scheme', 'http', '--no-follow', '--timeout', '5', '--json'],
    { env },
  );
  expect([other.exit, domainsOf(other).length]).toEqual([0, NAMES.length]);
  expect(other.json.operation.id).not.toBe(id);
  expect(world.seen).toHaveLength(NAMES.length);
  const again = await home.run(CHECK, { env });
  expect([again.exit, again.json.operation.id, domainsOf(again).length]).toEqual([0, id, NAMES.length]);
});

test('a check interrupted more than a day ago is not resumed', async () => {
  const { id } = (await interrupt('SIGINT')).json.operation as { id: number };
  const yesterday = new Date(Date.now() - 25 * 3_600_000).toISOString();
  await transaction(() => execute('UPDATE operations SET changed_at = $yesterday WHERE id = $id', { yesterday, id }));
  world.seen.length = 0;
  const fresh = await home.run(CHECK, { env });
  expect([fresh.exit, domainsOf(fresh).length]).toEqual([0, NAMES.length]);
  expect(fresh.json.operation.id).not.toBe(id);
  expect(world.seen).toHaveLength(NAMES.length);
  expect((await shown(id)).json.state).toBe('cancelled');
});

test('the exit code of a resumed check counts what was found before the interruption', async () => {
  const list = home.file('list.txt', `${NAMES[0]}\nother.ru\n`);
  await home.run(['blocklist', 'update', '--file', list]);
  const all = ['check', 'all', '--fail-on-blocked', '--json'];
  // All hosts are requested at once.
  second.delayMs = 60_000;
  await interrupt('SIGKILL', all);
  const again = await home.run(all, { env });
  expect([again.exit, again.json.summary.blocked, domainsOf(again).length]).toEqual([3, 1, NAMES.length]);
  expect(again.json.items[0]).toMatchObject({ domain: NAMES[0], status: 'blocked', http_status_code: 404 });
});

test('a check that is stopped with --fail-on-blocked ends with 3 by the command that it prints, and by its operation', async () => {
  await home.run(['blocklist', 'update', '--file', home.file('list.txt', `${NAMES[0]}\nother.ru\n`)]);
  const all = ['check', 'all', '--fail-on-blocked', '--json', '--lang', 'en'];
  const stopped = await interrupt('SIGINT', all);
  expect([stopped.exit, stopped.json.error]).toEqual([
    130,
    { code: 'interrupted', message: `Stopped; what is done is kept. To go on: seo-admin ${all.join(' ')}` },
  ]);
  const { id } = stopped.json.operation as { id: number };
  const resumed = await home.run(['operation', 'resume', String(id), '--fail-on-blocked', '--json'], { env });
  expect([resumed.exit, resumed.json.ok, resumed.json.items.length]).toEqual([3, true, NAMES.length]);
  expect((await home.run(all, { env })).exit).toBe(3);
});

test('a check that somebody else cancels ends as cancelled, with what was found', async () => {
  const started = home.start(CHECK, { env });
  await expect.poll(() => world.seen.length, { interval: 5 }).toBeGreaterThanOrEqual(STOPPED_AT);
  // The rest takes longer than any cancellation.
  answerIn(2_000);
  const [operation] = await select<{ id: number }>('SELECT id FROM operations');
  expect(await home.run(['operation', 'cancel', String(operation?.id)])).toMatchObject({ exit: 0 });
  const ended = await started.ended;
  expect([ended.exit, ended.json.ok, ended.json.error.code]).toEqual([1, false, 'cancelled']);
  expect(ended.json.operation).toMatchObject({ state: 'cancelled' });
  expect(ended.json.items.length).toBeLessThan(NAMES.length);
});
