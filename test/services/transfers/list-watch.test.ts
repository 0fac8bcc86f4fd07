// Watching the list: while a block is suspected, the list is fetched more often and checked at once.
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { execute, select, transaction } from '../../../db/index.ts';
import { useConfig } from '../../../src/lib/config.ts';
import { createLog } from '../../../src/lib/log.ts';
import { watchList } from '../../../src/services/transfers/list-watch.ts';
import { SYSTEM } from '../../../src/services/access/scope.ts';
import { jobs } from '../../../src/services/system/jobs.ts';
import { startJob } from '../../../src/services/system/schedule-runs.ts';
import { isFetchDue, type FetchFacts } from '../../../src/shared/checks/list-schedule.ts';
import { noticed, recorded } from '../notices/recorded.ts';
import { request, startServer, type TestServer } from '../../support/server.ts';

let server: TestServer;
let source: Server;
let url = '';
let names: string[] = [];
let asked: ('sent' | 'unchanged' | 'failed')[] = [];
let isDown = false;
let isSilent = false;

beforeEach(async () => {
  [names, asked, isDown, isSilent] = [['other.example'], [], false, false];
  source = createServer((incoming, response) => {
    const etag = `"${names.join()}"`;
    const isKnown = incoming.headers['if-none-match'] === etag;
    asked.push(isDown ? 'failed' : isKnown ? 'unchanged' : 'sent');
    if (isSilent) return;
    if (isDown) response.writeHead(503).end();
    else if (isKnown) response.writeHead(304).end();
    else response.writeHead(200, { etag }).end(`${names.join('\n')}\n`);
  });
  await new Promise<void>((ready) => source.listen(0, '127.0.0.1', ready));
  url = `http://127.0.0.1:${(source.address() as AddressInfo).port}/list`;
  server = await startServer();
  useConfig({ ...server.config, blocklistUrl: url });
  const { body } = await request(server, 'POST /api/projects', { token: server.admin.token, body: { name: 'P' } });
  await transaction(() =>
    execute(
      `INSERT INTO domains (user_id, project_id, domain_name, unicode_name, file_path, type, transfer_type, transfer_dns, status, created_at, updated_at)
       SELECT $owner, CASE WHEN value = 'main.example' THEN $project END, value, value, '/', 'main', 'auto', 'off', 'available', '', ''
       FROM json_each('["main.example","calm.example"]')`,
      { owner: server.admin.id, project: body.data.id },
    ),
  );
});
afterEach(async () => {
  await server.close();
  await new Promise((done) => source.close(done).closeAllConnections());
});

const looks = async (name: string): Promise<string[]> => {
  const rows = await select<{ verdict: string; repeats: number }>(
    `SELECT c.verdict, c.repeats FROM checks c JOIN domains d ON d.id = c.domain_id WHERE d.domain_name = $name AND c.kind = 'blocklist' ORDER BY c.id`,
    { name },
  );
  return rows.flatMap(({ verdict, repeats }) => Array.from({ length: repeats }, () => verdict));
};

test('a suspected block is checked at every conditional fetch of the list until three looks are stored', async () => {
  const start = Date.now();
  const watch = watchList();
  const turns = async (from: number, to: number): Promise<void> => {
    for (let minute = from; minute < to; minute += 5) await watch(new Date(start + minute * 60_000));
  };
  await turns(0, 30);
  expect(asked).toEqual(['sent', 'unchanged', 'unchanged']);
  expect(await looks('main.example')).toEqual(['available']);

  names = ['other.example', 'main.example'];
  await turns(30, 35);
  expect(asked.slice(3)).toEqual(['sent']);
  expect(await looks('main.example')).toEqual(['available', 'blocked']);
  await turns(35, 55);
  expect(asked.slice(4)).toEqual(['unchanged', 'unchanged']);
  expect(await looks('main.example')).toEqual(['available', 'blocked', 'blocked', 'blocked']);
  // Domains that are not suspected are not checked again.
  expect(await looks('calm.example')).toEqual(['available', 'available']);
  // After three looks the list is still fetched, but nothing is checked.
  await turns(55, 85);
  expect(asked.slice(6)).toEqual(['unchanged', 'unchanged', 'unchanged']);
  expect(await looks('main.example')).toHaveLength(4);
});

test('a person who runs the job has the list fetched now, and its names looked up', async () => {
  await watchList()();
  names = ['other.example', 'main.example'];
  await watchList()(new Date(Date.now() + 60_000));
  expect(asked).toEqual(['sent']);
  const { ended } = await startJob(SYSTEM, 'blocklist', createLog('silent'));
  expect(await ended).toMatchObject({ result: 'ok' });
  expect(asked).toEqual(['sent', 'sent']);
  expect((await looks('main.example')).at(-1)).toBe('blocked');
});

test('a source that fails is asked again at the next turn, and a suspicion ends when the name is free again', async () => {
  const start = Date.now();
  const watch = watchList();
  const turn = (minute: number) => watch(new Date(start + minute * 60_000));
  names = ['other.example', 'main.example'];
  await turn(0);
  isDown = true;
  await expect(turn(10)).rejects.toMatchObject({ kind: 'upstream' });
  isDown = false;
  names = ['other.example'];
  await turn(15);
  expect(asked).toEqual(['sent', 'failed', 'sent']);
  expect(await recorded()).toEqual([`domain_blocked main.example`, `domain_unblocked main.example`]);
  expect(await looks('main.example')).toEqual(['blocked', 'available']);
  await turn(25);
  expect(await looks('main.example')).toHaveLength(2);
});

test('a list that gets too old, or is in doubt, is told once', async () => {
  const start = Date.now();
  const watch = watchList();
  const turn = (hours: number) => watch(new Date(start + hours * 3_600_000)).catch(() => undefined);
  isDown = true;
  await turn(0);
  expect(await recorded()).toEqual(['list_stale blocklist']);
  isDown = false;
  names = Array.from({ length: 200 }, (_, at) => `n${at}.example`);
  await turn(1);
  isDown = true;
  for (const hours of [80, 81, 82]) await turn(hours);
  expect(await recorded()).toEqual(['list_stale blocklist', 'list_stale blocklist']);
  isDown = false;
  names = ['short.example'];
  for (const hours of [83, 84, 85]) await turn(hours);
  expect(await recorded('list_doubted')).toEqual(['list_doubted blocklist']);
  expect((await noticed()).filter((notice) => notice.includes(' list_'))).toEqual([
    'warning list_stale 1',
    'critical list_doubted 1',
  ]);
});

test('a fetch from a silent source is aborted when the server stops', async () => {
  isSilent = true;
  const ending = new AbortController();
  const watch = watchList();
  const failure = watch(new Date(), ending.signal).catch((error: unknown) => error);
  await expect.poll(() => asked).toHaveLength(1);
  ending.abort();
  expect(await failure).toMatchObject({ kind: 'upstream', key: 'blocklist.no_answer' });
});

test('the schedule has a turn every five minutes, and a source without conditional requests is asked every six hours unless a block is suspected', () => {
  const { cron } = jobs(createLog('silent')).find(({ name }) => name === 'blocklist')!;
  expect(cron).toBe('2-59/5 * * * *');
  const now = Date.now();
  const ago = (minutes: number, change: Partial<FetchFacts> = {}) =>
    isFetchDue(
      {
        attempted_at: null,
        failures: 0,
        fetched_at: now - minutes * 60_000,
        conditional: true,
        suspected: false,
        ...change,
      },
      now,
    );
  expect([ago(5), ago(10), ago(5, { suspected: true })]).toEqual([false, true, false]);
  expect([ago(300, { conditional: false }), ago(360, { conditional: false })]).toEqual([false, true]);
  expect(ago(10, { conditional: false, suspected: true })).toBe(true);
  expect([ago(5, { failures: 1 }), ago(5, { failures: 4 })]).toEqual([true, false]);
  // The clock was set back by years, before or after the start of the server.
  expect([ago(-5_000_000), ago(-5_000_000, { attempted_at: now + 300_000_000_000 })]).toEqual([true, true]);
  expect([ago(-5_000_000, { attempted_at: now - 60_000 }), ago(0.1)]).toEqual([false, false]);
});
