// Bulk work that a person stops by Ctrl-C, with a server on the same data and without one.
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { closeDatabase, execute, openDatabase, transaction } from '../../../db/index.ts';
import { loadConfig } from '../../../src/lib/config.ts';
import { hold } from '../../../src/demo/cloudflare/faults.ts';
import { endLeases } from '../../support/leases.ts';
import { request } from '../../support/server.ts';
import { PASSWORD, type Run, type Started } from '../cli.ts';
import { startZones, type Zones } from './world.ts';

let world: Zones;
let server: { started: Started; url: string } | undefined;

beforeAll(async () => {
  world = await startZones('one.com', 'two.com');
  await openDatabase(loadConfig({ dataDir: world.home.dir }, {}).databaseFile);
});
afterEach(async () => {
  await stopServer();
  await transaction(() => execute('DELETE FROM operations'));
  world.outside.faults.length = 0;
  resetLevels();
});
afterAll(async () => {
  await closeDatabase();
  await world.close();
});

/** Longer than two looks of a server for work that nobody holds. */
const LONGER_MS = 5_000;
const NAMES = ['one.com', 'two.com'];
const isOn = (name: string): boolean => world.zone(name).settings['security_level']?.value === 'under_attack';
const changed = (): number => NAMES.filter(isOn).length;
const resetLevels = (): void => {
  for (const name of NAMES) delete world.zone(name).settings['security_level'];
};
const run = (line: string): Promise<Run> =>
  world.home.run([...line.split(' '), '--json', '--lang', 'en'], { env: world.env });
const pass = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

async function startServer(): Promise<void> {
  const started = world.home.start(['serve', '--port', '0', '--no-scheduler', '--lang', 'en'], { env: world.env });
  server = { started, url: (await started.says(/^listening on (http:\S+)$/m))[1] ?? '' };
}

async function stopServer(): Promise<void> {
  server?.started.process.kill('SIGKILL');
  await server?.started.ended;
  server = undefined;
}

const ENABLE = 'protect under-attack enable --all --yes';

/**
 * Starts the switch of both zones and sends signals while the first is being written: its end stays in doubt, or with `refused` nothing of
 * it is. Returns how the command ended, and the id of the operation.
 */
async function stop(signals: NodeJS.Signals[], refused = false): Promise<{ ended: Run; id: number }> {
  const { fault, release } = hold();
  const call = 'PATCH /zones/*/settings/security_level';
  world.outside.faults.push(refused ? { kind: '429', retryAfter: 60, call } : { ...fault, call });
  const started = world.home.start([...ENABLE.split(' '), '--json', '--lang', 'en'], { env: world.env });
  const before = world.outside.requests.length;
  const isRefused = (): boolean => world.outside.requests.slice(before).some(({ status }) => status === 429);
  await expect.poll(() => (refused ? isRefused() : changed() > 0)).toBe(true);
  for (const signal of signals) {
    started.process.kill(signal);
    await pass(50);
  }
  const ended = await started.ended;
  release();
  // A refusal holds for a minute, and who goes on would wait for it.
  await transaction(() => execute('UPDATE call_budgets SET blocked_until = NULL'));
  const { items } = (await run('operation list')).json as { items: { id: number }[] };
  return { ended, id: items[0]?.id ?? 0 };
}

test.each(['SIGINT', 'SIGTERM'] as const)(
  'work stopped by %s is left alone by a running server and by one that starts later, until it is resumed',
  async (signal) => {
    await startServer();
    const { ended, id } = await stop([signal]);
    expect(ended.stderr).toContain(`seo-admin operation resume ${id}`);
    const before = changed();
    await pass(LONGER_MS);
    await stopServer();
    await startServer();
    await pass(LONGER_MS);
    expect(changed()).toBe(before);
    expect((await run(`operation show ${id}`)).json).toMatchObject({
      state: 'queued',
      message: `Stopped by a person; to go on: seo-admin operation resume ${id}`,
      finished_at: null,
    });
    const ru = await world.home.run(['operation', 'show', String(id), '--json', '--lang', 'ru'], { env: world.env });
    expect(ru.json.message).toContain('Остановлено человеком');
    const resumed = await run(`operation resume ${id}`);
    expect([resumed.exit, resumed.json.state, changed()]).toEqual([0, 'succeeded', 2]);
  },
);

test('the same command goes on with what it was stopped at, beside a running server', async () => {
  await startServer();
  const { id } = await stop(['SIGINT']);
  const again = await run(ENABLE);
  expect([again.exit, again.json.id, again.json.state, changed()]).toEqual([0, id, 'succeeded', 2]);
});

test('a command that is stopped twice, the second time before it has ended, leaves its work to a person as well', async () => {
  const { ended, id } = await stop(['SIGINT', 'SIGINT']);
  // The work may have been left before the second signal comes.
  const message = expect.stringMatching(
    /^Stopped; .* To go on: seo-admin (protect under-attack enable --all --yes|operation resume \d+) --/,
  );
  expect([ended.exit, ended.json]).toMatchObject([
    130,
    { ok: false, exit: 130, error: { code: 'interrupted', message } },
  ]);
  await endLeases();
  const before = changed();
  await startServer();
  await pass(LONGER_MS);
  expect(changed()).toBe(before);
  expect((await run(`operation show ${id}`)).json.state).toBe('queued');
});

test('work whose terminal is closed, of which the system and the shell tell, is left to a person', async () => {
  const { ended, id } = await stop(['SIGHUP', 'SIGHUP']);
  const message = expect.stringMatching(new RegExp(`operation resume ${id} --lang en --json$`));
  expect([ended.exit, ended.json]).toMatchObject([129, { exit: 129, error: { code: 'interrupted', message } }]);
  expect((await run(`operation show ${id}`)).json).toMatchObject({
    state: 'queued',
    message: expect.stringContaining('Stopped by a person'),
  });
  expect((await run(`operation resume ${id}`)).json.state).toBe('succeeded');
});

test('a change of records that is stopped while it is under way is left to a person', async () => {
  const { fault, release } = hold();
  world.outside.faults.push({ ...fault, call: 'POST /zones/*/dns_records/batch' });
  const file = world.home.file(
    'records.json',
    JSON.stringify([{ type: 'A', name: 'one.com', content: '203.0.113.9' }]),
  );
  const started = world.home.start(['dns', 'apply', 'one.com', '--file', file, '--yes', '--json'], { env: world.env });
  const isSent = (): boolean => Object.values(world.outside.state.zones).some(({ records }) => records.length > 0);
  await expect.poll(isSent).toBe(true);
  started.process.kill('SIGINT');
  expect((await started.ended).exit).toBe(130);
  release();
  await endLeases();
  await startServer();
  await pass(LONGER_MS);
  const [operation] = (await run('operation list')).json.items;
  expect(operation).toMatchObject({
    kind: 'dns_edit',
    state: 'queued',
    message: expect.stringContaining('Stopped by a person'),
  });
  expect((await run(`operation resume ${operation.id}`)).json.state).toBe('succeeded');
});

test('a killed command leaves its work to the server', async () => {
  const { id } = await stop(['SIGKILL']);
  await endLeases();
  await startServer();
  await expect.poll(async () => (await run(`operation show ${id}`)).json.state).toBe('succeeded');
  expect(changed()).toBe(2);
});

test('stopped work keeps the opposite command away, which is told how it goes on, until it is cancelled', async () => {
  const { id } = await stop(['SIGINT'], true);
  const opposite = 'protect under-attack disable --all --yes';
  const refused = await run(`${opposite} --data-dir ${world.home.dir}`);
  const program = `seo-admin --data-dir ${world.home.dir}`;
  // No process holds it: another try would end in the same way.
  expect([refused.exit, refused.json.error]).toEqual([
    1,
    {
      code: 'conflict',
      message: `Operation ${id} has this work already, and waits. To go on with it: ${program} operation resume ${id}, to cancel it: ${program} operation cancel ${id}`,
    },
  ]);
  const shown = await run(`operation show ${id} --data-dir ${world.home.dir}`);
  expect(shown.json.message).toContain(`${program} operation resume ${id}`);
  const cancelled = await run(`operation cancel ${id}`);
  expect([cancelled.exit, cancelled.json.state, cancelled.json.finished_at]).toEqual([
    0,
    'cancelled',
    expect.any(String),
  ]);
  expect((await run(opposite)).exit).toBe(0);
});

test('a cancellation on the command line looks up what is in doubt itself, where no server runs', async () => {
  for (const signal of ['SIGINT', 'SIGKILL'] as const) {
    const { id } = await stop([signal]);
    await endLeases();
    const before = changed();
    const cancelled = await run(`operation cancel ${id}`);
    expect([signal, cancelled.exit, cancelled.json.state]).toEqual([signal, 0, 'cancelled']);
    expect(cancelled.json.counts).toMatchObject({ queued: 0, failed: 0 });
    expect([changed(), (await run(ENABLE.replace('enable', 'disable'))).exit]).toEqual([before, 0]);
    resetLevels();
  }
});

test('over the API stopped work is cancelled within seconds, and gone on with by a retry', async () => {
  const { id: doubtful } = await stop(['SIGINT']);
  await startServer();
  const at = { url: server?.url ?? '' };
  const token = (await request(at, 'POST /api/login', { body: { login: 'admin', password: PASSWORD } })).body.token;
  const call = (method: string, path: string, body?: object) =>
    request(at, `${method} /api/operations/${path}`, { token, ...(body && { body }) });
  const show = async (id: number) => (await call('GET', String(id))).body;
  expect(await show(doubtful)).toMatchObject({ state: 'queued', retryable: true, cancellable: true });
  expect((await call('POST', `${doubtful}/cancel`, {})).status).toBe(200);
  await expect.poll(async () => (await show(doubtful)).state, { timeout: 5_000 }).toBe('cancelled');
  resetLevels();
  const { id } = await stop(['SIGINT']);
  expect((await call('POST', `${id}/retry`, {})).status).toBe(200);
  await expect.poll(async () => (await show(id)).state, { timeout: 10_000 }).toBe('succeeded');
});
