// Commands that are stopped while what they ask outside does not answer.
import { writeFileSync } from 'node:fs';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { makeAdminHome, type Home, type Run } from '../cli.ts';

let home: Home;
let env: Record<string, string>;
// Answers at once until it is told to answer nobody.
const held: ServerResponse[] = [];
let isSilent = false;
const service = createServer((_request, response) => {
  if (isSilent) held.push(response);
  else response.writeHead(403, { 'content-type': 'application/json' }).end('{"success":false,"errors":[]}');
});

beforeAll(async () => {
  await new Promise<void>((resolve) => service.listen(0, '127.0.0.1', resolve));
  env = { CLOUDFLARE_API_URL: `http://127.0.0.1:${(service.address() as AddressInfo).port}` };
  home = await makeAdminHome();
  const added = await home.run(['cloudflare', 'add', "O'Hara", '--key-stdin'], {
    env,
    input: 'token-0123456789abcdef',
  });
  if (added.exit !== 0) throw new Error(added.stderr);
  const server = ['server', 'add', 'srv', '--host', '203.0.113.10', '--user', 'root', '--password-stdin'];
  if ((await home.run(server, { input: 'secret word' })).exit !== 0) throw new Error('no server');
  isSilent = true;
});
afterAll(() => {
  for (const response of held) response.destroy();
  service.close();
  home.remove();
});

test.each([
  ['SIGINT', 130],
  ['SIGTERM', 143],
  ['SIGHUP', 129],
] as const)('%s ends it with %i, one document, and the line to give again', async (signal, exit) => {
  const before = held.length;
  const started = home.start(['cloudflare', 'test', "O'Hara", '--json', '--lang', 'en'], { env });
  await expect.poll(() => held.length).toBeGreaterThan(before);
  started.process.kill(signal);
  const ended = await started.ended;
  const message = String.raw`Stopped; what is done is kept. To go on: seo-admin cloudflare test 'O'\''Hara' --json --lang en`;
  expect([ended.exit, ended.json]).toMatchObject([exit, { ok: false, exit, error: { code: 'interrupted', message } }]);
  expect(ended.stderr).toContain(message);
});

test('the line to give again has the names that were piped into it, and works without a pipe', async () => {
  const flags = ['--account', "O'Hara", '--server', 'srv', '--dry-run', '--json', '--lang', 'en'];
  const words = ['rules', 'attach', 'main.com', '-', ...flags];
  const before = held.length;
  const started = home.start(words, { env, input: 'one.com\ntwo.com # the last\n' });
  await expect.poll(() => held.length).toBeGreaterThan(before);
  started.process.kill('SIGINT');
  const line = String.raw`rules attach main.com --account 'O'\''Hara' --server srv --dry-run --json --lang en one.com two.com`;
  const { exit, json } = await started.ended;
  expect([exit, json.error.message]).toEqual([130, `Stopped; what is done is kept. To go on: seo-admin ${line}`]);
  const again = home.start(['rules', 'attach', 'main.com', ...flags, 'one.com', 'two.com'], { env });
  await expect.poll(() => held.length).toBeGreaterThan(before + 1);
  again.process.kill('SIGTERM');
  expect((await again.ended).exit).toBe(143);
});

test('input that was piped and fits into no line is asked for again', async () => {
  const before = held.length;
  const words = ['cloudflare', 'edit', "O'Hara", '--token-stdin', '--json', '--lang', 'en'];
  const started = home.start(words, { env, input: 'token-0123456789abcdef' });
  await expect.poll(() => held.length).toBeGreaterThan(before);
  started.process.kill('SIGINT');
  const { exit, json } = await started.ended;
  expect([exit, json.error.message]).toEqual([
    130,
    String.raw`Stopped; what is done is kept. To go on, give the same on standard input to: seo-admin cloudflare edit 'O'\''Hara' --token-stdin --json --lang en`,
  ]);
});

/** Starts a check of names of which one answers, stops it by a signal at the next, and returns how it ended and what its printed command does. */
async function stopped(
  words: string[],
  signal: 'SIGINT' | 'SIGTERM',
  input?: string,
): Promise<{ ended: Run; again: Run }> {
  const asked: string[] = [];
  let isHeld = true;
  const hosts = createServer((request, response) => {
    asked.push(String(request.headers.host));
    if (!isHeld || request.headers.host === 'one.example') response.end('one');
  });
  await new Promise<void>((resolve) => hosts.listen(0, '127.0.0.1', resolve));
  const address = `::127.0.0.1:${(hosts.address() as AddressInfo).port}`;
  const options = { env: { SEO_ADMIN_CONNECT_TO: address, SEO_ADMIN_ALLOW_PRIVATE_TARGETS: 'on' } };
  const started = home.start(words, { ...options, ...(input === undefined ? {} : { input }) });
  await expect.poll(() => asked).toContain('two.example');
  started.process.kill(signal);
  const ended = await started.ended;
  hosts.closeAllConnections();
  isHeld = false;
  const [, line = ''] = /: seo-admin (.*)$/.exec(ended.json.error.message) ?? [];
  const again = await home.run(line.split(' '), options);
  hosts.close();
  return { ended, again };
}

const FLAGS = ['--scheme', 'http', '--concurrency', '1', '--timeout', '600', '--json', '--lang', 'en'];

test.each([
  ['SIGINT', 130, ['check', 'http', 'one.example', 'bad_name', 'two.example', 'three.example']],
  ['SIGTERM', 143, ['check', 'http', '--no-color', '--file', 'FILE']],
] as const)(
  '%s ends a check of names with %i and the command whose answer is the whole',
  async (signal, exit, words) => {
    const file = join(home.dir, 'names.txt');
    writeFileSync(file, 'one.example\nbad_name two.example, three.example # the last');
    const line = [...words.map((word) => (word === 'FILE' ? file : word)), ...FLAGS];
    const { ended, again } = await stopped(line, signal);
    expect([ended.exit, ended.json.exit, ended.json.error.message]).toEqual([
      exit,
      exit,
      `Stopped: 1 of 3 are checked. To go on: seo-admin ${line.join(' ')}`,
    ]);
    expect([again.exit, again.json.summary, again.json.errors.map(({ domain }: { domain: string }) => domain)]).toEqual(
      [5, { total: 4, ok: 3, no_answer: 1 }, ['bad_name']],
    );
  },
);

test.each([[['check', 'http', '-']], [['check', 'http', '--file', '-']], [['check', 'http']]])(
  'the command that goes on has the names that were piped into %j',
  async (words) => {
    const { ended, again } = await stopped([...words, ...FLAGS], 'SIGINT', 'one.example\nbad_name\ntwo.example');
    const line = ['check', 'http', ...FLAGS, 'one.example', 'bad_name', 'two.example'].join(' ');
    expect(ended.json.error.message).toBe(`Stopped: 1 of 2 are checked. To go on: seo-admin ${line}`);
    expect([again.exit, again.json.summary]).toEqual([5, { total: 3, ok: 2, no_answer: 1 }]);
  },
);

test('piped names that no line can hold are asked for again, and that command does not end well without them', async () => {
  const names = ['one.example', 'two.example', ...Array.from({ length: 300 }, (_, at) => `n${at}.example`)];
  const line = ['check', 'http', '-', ...FLAGS];
  const { ended, again } = await stopped(line, 'SIGINT', names.join('\n'));
  expect([ended.exit, ended.json.error.message]).toEqual([
    130,
    `Stopped: 1 of 302 are checked. To go on, give the same names on standard input to: seo-admin ${line.join(' ')}`,
  ]);
  expect([again.exit, again.json.error.code]).toEqual([2, 'usage']);
});

test('a list that is empty is one without names, standard input that is none is wrong usage', async () => {
  const of = async (args: string[], input?: string): Promise<unknown[]> => {
    const { exit, json } = await home.run([...args, '--json'], input === undefined ? {} : { input });
    return [exit, json.items];
  };
  const empty = home.file('empty.txt', '');
  expect(await of(['check', 'http', '-'], '')).toEqual([0, []]);
  expect(await of(['check', 'http', '--file', empty])).toEqual([0, []]);
  // The file has names, whatever standard input holds.
  const named = home.file('named.txt', 'bad_name\n');
  expect((await of(['check', 'http', '-', '--file', named]))[1]).toMatchObject([{ domain: 'bad_name' }]);
  expect(await of(['check', 'http', '-'])).toEqual([2, undefined]);
  expect(await of(['check', 'index', '-'])).toEqual([2, undefined]);
  expect(await of(['domain', 'add', '--file', '-'])).toEqual([2, undefined]);
});
