import { afterAll, beforeAll, expect, test } from 'vitest';
import { closeDatabase, execute, openDatabase, transaction } from '../../db/index.ts';
import { startCloudflare, type CloudflareFake } from '../../src/demo/cloudflare.ts';
import { accountOf, KEY, stateOf } from '../support/cloudflare-state.ts';
import { loadConfig } from '../../src/lib/config.ts';
import { enqueue } from '../../src/operations/queue.ts';
import { accountLane, type Lane } from '../../src/services/accounts/lanes.ts';
import { makeAdminHome, type Home, type Run } from './cli.ts';

const ACCOUNT = 'a'.repeat(32);
const SETTING = '/zones/*/settings/tls_1_3';

let home: Home;
let outside: CloudflareFake;
let env: Record<string, string>;
let lane: Lane;
let count = 0;

beforeAll(async () => {
  home = await makeAdminHome();
  const logins = [{ email: 'ops@example.net', api_key: KEY, accounts: [ACCOUNT] }];
  outside = await startCloudflare({ state: stateOf([accountOf(ACCOUNT, 'Main')], logins) });
  for (const name of ['one.com', 'two.com']) outside.addZone({ name, account_id: ACCOUNT, status: 'active' });
  env = { CLOUDFLARE_API_URL: outside.url };
  const added = await home.run(['cloudflare', 'add', 'Main', '--email', 'ops@example.net', '--key-stdin', '--json'], {
    env,
    input: `${KEY}\n`,
  });
  lane = accountLane(added.json.id);
  await openDatabase(loadConfig({ dataDir: home.dir }, {}).databaseFile);
});
afterAll(async () => {
  await closeDatabase();
  await outside.close();
  home.remove();
});

const run = (line: string): Promise<Run> => home.run([...line.split(' '), '--json', '--lang', 'en'], { env });

/** Queues disabling TLS 1.3 for zones; with `here` this process holds the operation. */
async function queue(zones: string[], here = false): Promise<number> {
  count += 1;
  const items = zones.map((zone) => ({ item: `tls ${zone}`, ...lane, data: { zone } }));
  const message = { key: 'protect.tls_off_started' } as const;
  const request = { kind: 'tls', subject: String(count), user_id: null, input: { state: 'off' }, message, items };
  return (await enqueue(request, here)).id;
}

const valueOf = (name: string): unknown =>
  Object.values(outside.state.zones).find((zone) => zone.name === name)?.settings['tls_1_3']?.value;

/** Ends the minute for which the outside refuses all calls: whoever resumes would wait for it. */
const endRefusals = (): Promise<number> => transaction(() => execute('UPDATE call_budgets SET blocked_until = NULL'));

test('an operation is resumed, its failures are reported and retried, and it is restored', async () => {
  const id = await queue(['one.com', 'two.com', 'three.com']);
  expect((await run('operation list --state queued')).json.items).toMatchObject([{ id, kind: 'tls', total: 3 }]);

  const plan = await run(`operation resume ${id} --dry-run`);
  expect(plan.json).toMatchObject({ ok: true, dry_run: true, summary: { total: 3 } });
  expect(outside.requests.filter(({ method }) => method !== 'GET')).toEqual([]);

  // It was agreed to as it was asked for.
  const partial = await run(`operation resume ${id}`);
  expect([partial.exit, partial.json.error.code, partial.json.counts]).toEqual([
    5,
    'partial',
    { done: 2, noop: 0, failed: 1, cancelled: 0, queued: 0 },
  ]);
  expect(partial.json.items).toMatchObject([
    { item: 'tls one.com', state: 'done', error: null },
    { item: 'tls two.com', state: 'done', error: null },
    { item: 'tls three.com', state: 'failed', error: expect.any(String) },
  ]);
  const shown = await home.run(['operation', 'show', String(id), '--lang', 'en']);
  expect([shown.exit, shown.stdout]).toEqual([0, expect.stringMatching(/Done in part 3\/3[^]*! three\.com – \S/)]);

  outside.addZone({ name: 'three.com', account_id: ACCOUNT, status: 'active' });
  expect((await run(`operation resume ${id}`)).exit, 'a retry of ended work is asked about').toBe(2);
  expect((await run(`operation resume ${id} --yes`)).json).toMatchObject({
    exit: 0,
    state: 'succeeded',
    items: (await run(`operation show ${id}`)).json.items,
  });
  expect((await run(`operation resume ${id} --yes`)).exit).toBe(1);

  const back = await run(`operation restore ${id} --dry-run`);
  expect(back.json.summary).toEqual({ total: 3 });
  expect(back.json.items[0]).toMatchObject({ item: 'tls three.com', acts: [{ before: 'off', after: 'on' }] });
  expect(valueOf('one.com')).toBe('off');
  expect((await run(`operation restore ${id}`)).exit).toBe(2);
  expect((await run(`operation restore ${id} --yes`)).json).toMatchObject({ exit: 0, kind: 'restore', done: 3 });
  expect(['one.com', 'two.com', 'three.com'].map(valueOf)).toEqual(['on', 'on', 'on']);
});

test('an operation stops on Ctrl-C, prints how to resume, and resumes', async () => {
  for (const name of ['four.com', 'five.com']) outside.addZone({ name, account_id: ACCOUNT, status: 'active' });
  const id = await queue(['four.com', 'five.com']);
  outside.faults.push({ kind: '429', retryAfter: 60, call: `PATCH ${SETTING}` });
  const started = home.start(['operation', 'resume', String(id), '--yes', '--lang', 'en'], { env });
  while (!outside.requests.some(({ status }) => status === 429)) await new Promise((next) => setTimeout(next, 50));
  started.process.kill('SIGINT');
  const { exit, stderr } = await started.ended;
  expect([exit, stderr]).toEqual([130, expect.stringContaining(`seo-admin operation resume ${id}`)]);
  expect((await run(`operation show ${id}`)).json).toMatchObject({ state: 'queued', cancellable: true });
  await endRefusals();
  const printed = /: seo-admin (operation resume .*)$/m.exec(stderr)?.[1] ?? '';
  expect((await run(printed)).json).toMatchObject({ exit: 0, state: 'succeeded', done: 2 });
});

test('an operation waits while another process holds the write lock, and says so', async () => {
  outside.addZone({ name: 'six.com', account_id: ACCOUNT, status: 'active' });
  const id = await queue(['six.com']);
  outside.requests.length = 0;
  outside.faults.push({ kind: '429', retryAfter: 2, call: `PATCH ${SETTING}` });
  const started = home.start(['operation', 'resume', String(id), '--yes', '--json'], { env });
  await expect.poll(() => outside.requests.some(({ status }) => status === 429)).toBe(true);
  let release = (): void => undefined;
  const lock = transaction(
    () =>
      new Promise<void>((resolve) => {
        release = resolve;
      }),
  );
  await started.says(/waits_for=lock/);
  release();
  await lock;
  expect((await started.ended).json).toMatchObject({ exit: 0, state: 'succeeded', done: 1, failed: 0 });
});

test('an operation held by another process is busy; a queued one is cancelled once', async () => {
  const held = await queue(['one.com'], true);
  expect((await run(`operation resume ${held} --yes`)).exit).toBe(75);
  const id = await queue(['two.com']);
  expect((await run(`operation cancel ${id}`)).json).toMatchObject({ exit: 0, state: 'cancelled', retryable: true });
  expect((await run(`operation cancel ${id}`)).exit).toBe(1);
  expect((await run(`operation restore ${id} --dry-run`)).exit).toBe(1);
  expect((await run('operation show 999999')).exit).toBe(1);
});

test('the list tells how many there are, and is read in parts', async () => {
  const before = (await run('operation list')).json.summary.total;
  for (let n = 0; n < 201; n += 1) await queue([`many-${n}.com`]);
  const all = await run('operation list');
  expect([all.json.items.length, all.json.summary.total]).toEqual([200, before + 201]);
  const part = await run('operation list --state queued --limit 2 --offset 1');
  expect(part.json.items.map(({ id }: { id: number }) => id)).toEqual(
    all.json.items.slice(1, 3).map(({ id }: { id: number }) => id),
  );
  expect(part.json.summary.total).toBeGreaterThanOrEqual(201);
  expect((await run('operation list --limit 0')).exit).toBe(2);
  expect((await run('operation list --offset x')).exit).toBe(2);
});
