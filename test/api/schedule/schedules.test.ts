// The schedule over the API: what administrators see and set of the jobs, and a run at once.
import { createServer, type Server } from 'node:http';
import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { execute, select, transaction } from '../../../db/index.ts';
import { callHeartbeat } from '../../../src/providers/heartbeat.ts';
import { request, startServer, type TestServer } from '../../support/server.ts';

let server: TestServer;
let listener: Server;
const called: string[] = [];
let status = 200;
beforeAll(async () => {
  server = await startServer({ allowPrivate: true });
  listener = createServer((asked, answer) => {
    called.push(asked.url ?? '');
    answer.writeHead(status).end();
  }).listen(0, '127.0.0.1');
});
afterAll(async () => {
  listener.close();
  await server.close();
});

const ask = (call: string, body?: object) =>
  request(server, call, { token: server.admin.token, ...(body && { body }) });
const put = (name: string, body: object) => ask(`PUT /api/schedules/${name}`, body);
const jobOf = async (name: string) =>
  (await ask('GET /api/schedules')).body.data.find((job: { name: string }) => job.name === name);
const run = (name: string) => ask(`POST /api/schedules/${name}/run`, {});
const address = (path: string): string => `http://127.0.0.1:${(listener.address() as AddressInfo).port}${path}`;

test('every job is listed with its default, and no process is said to run them', async () => {
  const { body } = await ask('GET /api/schedules');
  expect(body.total).toBe(11);
  expect(body.scheduler).toEqual({ is_on: false, seen_at: null });
  expect(body.data[0]).toMatchObject({
    name: 'check',
    cron: '37 * * * *',
    is_default: true,
    result: null,
    heartbeat: '',
  });
});

describe('a schedule that is set', () => {
  test('keeps what is not named, and an interval ends the cron line', async () => {
    expect((await put('check', { interval_minutes: 30 })).body.data).toMatchObject({
      interval_minutes: 30,
      cron: null,
      jitter_seconds: 120,
      is_default: false,
    });
    const quiet = { quiet_from: '23:00', quiet_until: '07:00', zone: 'Europe/Moscow' };
    expect((await put('check', quiet)).body.data).toMatchObject({ ...quiet, interval_minutes: 30 });
    expect((await put('check', { cron: '10 * * * *' })).body.data).toMatchObject({ interval_minutes: null, ...quiet });
  });

  test.each([
    ['check', { interval_minutes: 2 }, 'interval_minutes'],
    ['check', { cron: '* * * * *' }, 'cron'],
    ['check', { cron: '0 0 * *' }, 'cron'],
    ['check', { cron: '0 0 30 2 *' }, 'cron'],
    ['check', { cron: '0 0 0 * * *' }, 'cron'],
    ['check', { cron: null, interval_minutes: null }, 'cron'],
    ['check', { cron: '0 * * * *', interval_minutes: 30 }, 'interval_minutes'],
    ['expiry', { zone: 'Europe/Nowhere' }, 'zone'],
    ['check', { interval_minutes: 10, jitter_seconds: 600 }, 'jitter_seconds'],
    ['expiry', { quiet_from: '23:00' }, 'quiet_until'],
    ['expiry', { quiet_from: '23:00', quiet_until: '23:00' }, 'quiet_until'],
    ['expiry', { quiet_from: '24:00', quiet_until: '01:00' }, 'quiet_from'],
    ['auto_transfer', { quiet_from: '23:00', quiet_until: '07:00' }, 'quiet_from'],
    ['expiry', { keep: 3 }, 'keep'],
    ['backup', { keep: 0 }, 'keep'],
    ['backup', { heartbeat: 'ftp://example.com/' }, 'heartbeat'],
    ['backup', { heartbeat: 'https://a:b@example.com/' }, 'heartbeat'],
  ])('of %s is refused at its field: %o', async (name, body, field) => {
    const before = await jobOf(name);
    const answer = await put(name, body);
    expect([answer.status, Object.keys(answer.body.fields)]).toEqual([400, [field]]);
    expect(await jobOf(name)).toEqual(before);
  });

  test('is previewed without being stored', async () => {
    const before = await jobOf('purge');
    const { body } = await ask('POST /api/schedules/purge/preview', { cron: '0 12 * * *', zone: 'Asia/Tokyo' });
    expect(body.data.next).toHaveLength(5);
    expect(body.data.next.map((at: string) => at.slice(11, 16))).toEqual(Array(5).fill('03:00'));
    expect(await jobOf('purge')).toEqual(before);
  });

  test('tells the next run by the rule as it is set, before the job is planned anew', async () => {
    // As a process that runs the schedule has planned it by an earlier rule.
    const planned = `INSERT INTO schedule_runs (name, rule, next_at, tries) VALUES ('drill', 'earlier', $at, 0)
      ON CONFLICT (name) DO UPDATE SET next_at = excluded.next_at`;
    const plan = (at: string): Promise<unknown> => transaction(() => execute(planned, { at }));
    await plan('2099-01-01T04:23:00.000Z');
    const { data } = (await put('drill', { cron: '0 12 * * *' })).body;
    expect(data.next_at.slice(10)).toBe('T12:00:00.000Z');
    expect(Date.parse(data.next_at) - Date.now()).toBeLessThanOrEqual(86_400_000);
    expect((await put('drill', { active: false })).body.data.next_at).toBe(null);
    // An overdue run stays due at once, whatever the rule has become.
    await plan('2020-01-01T04:23:00.000Z');
    expect((await put('drill', { active: true })).body.data.next_at).toBe('2020-01-01T04:23:00.000Z');
    await transaction(() => execute(`DELETE FROM schedule_runs WHERE name = 'drill'`));
  });

  test('of a job that there is not does not exist', async () => {
    for (const name of ['purchases', 'nothing', '..%2f']) {
      expect([(await put(name, {})).status, (await run(name)).status]).toEqual([404, 404]);
    }
  });
});

describe('a run at once', () => {
  test('is made by the caller, tells how it ended, and leaves the planned run alone', async () => {
    expect((await run('purge')).body.data).toEqual({ started: true });
    await expect.poll(() => jobOf('purge')).toMatchObject({ result: 'ok', is_running: false, next_at: null });
  });

  test('is refused while the job runs in another process', async () => {
    const hold = `UPDATE schedule_runs SET lease_owner = 'other', lease_until = '9' WHERE name = 'purge'`;
    await transaction(() => execute(hold));
    expect(await jobOf('purge')).toMatchObject({ is_running: true });
    const answer = await run('purge');
    expect([answer.status, answer.body.code]).toEqual([409, 'busy']);
    await transaction(() => execute(hold.replace(`'other'`, 'NULL').replace(`'9'`, 'NULL')));
  });

  test('of the backup makes a file and deletes those that are outdated, and nothing else', async () => {
    await put('backup', { keep: 2 });
    const folder = join(server.config.dataDir, 'backups');
    mkdirSync(folder);
    const older = ['2020-01-01T02', '2020-01-02T02', '2020-01-03T02', '2020-01-03T03'];
    for (const at of older) {
      for (const suffix of ['', '.sha256']) writeFileSync(join(folder, `seo-admin-${at}-41-00.sqlite${suffix}`), '');
    }
    writeFileSync(join(folder, 'mine.sqlite'), '');
    await run('backup');
    await expect.poll(() => jobOf('backup')).toMatchObject({ is_running: false, result: expect.any(String) });
    expect((await jobOf('backup')).result).toBe('ok');
    const left = readdirSync(folder).filter((name) => /\.(?:sqlite|dump)$/.test(name));
    expect(left).toEqual(expect.arrayContaining(['mine.sqlite', 'seo-admin-2020-01-03T03-41-00.sqlite']));
    expect(left).toHaveLength(3);
  });
});

describe('a heartbeat', () => {
  test('is called after a run, is masked and sealed, and its failure is not the job’s', async () => {
    expect((await put('purge', { heartbeat: address('/secret-path') })).body.data.heartbeat).toBe('********');
    await run('purge');
    await expect.poll(() => jobOf('purge')).toMatchObject({ heartbeat_at: expect.any(String), heartbeat_error: null });
    expect(called).toEqual(['/secret-path']);
    status = 500;
    await put('purge', { heartbeat: '********', jitter_seconds: 1 });
    await run('purge');
    await expect.poll(() => jobOf('purge')).toMatchObject({ result: 'ok', heartbeat_error: 'HTTP 500' });
    expect(called).toEqual(['/secret-path', '/secret-path']);
    const stored = JSON.stringify([
      await select('SELECT * FROM schedules'),
      await select('SELECT * FROM audit'),
      await ask('GET /api/schedules'),
    ]);
    expect(stored).not.toContain('secret-path');
    status = 200;
  });

  test('never calls a private address unless that is allowed, nor follows a redirect to one', async () => {
    const before = called.length;
    for (const host of ['127.0.0.1', 'localhost', '[::1]', '169.254.169.254']) {
      const refused = callHeartbeat(`http://${host}:${new URL(address('/')).port}/x`, { allowPrivate: false });
      await expect(refused).rejects.toMatchObject({ kind: 'refused', unsent: true });
    }
    status = 302;
    await expect(callHeartbeat(address('/x'), { allowPrivate: true })).rejects.toMatchObject({ message: 'HTTP 302' });
    status = 200;
    expect(called.length).toBe(before + 1);
  });

  test('of the schedule itself is the result of its job, and is skipped without an address', async () => {
    await run('heartbeat');
    await expect.poll(() => jobOf('heartbeat')).toMatchObject({ result: 'skipped' });
    await put('heartbeat', { heartbeat: address('/alive') });
    await run('heartbeat');
    await expect.poll(() => jobOf('heartbeat')).toMatchObject({ result: 'ok' });
    expect(called).toContain('/alive');
    await put('heartbeat', { heartbeat: '' });
    expect(await jobOf('heartbeat')).toMatchObject({ heartbeat: '' });
  });
});
