// Commands that are stopped while what they ask outside does not answer.
import { writeFileSync } from 'node:fs';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { makeAdminHome, type Home } from '../cli.ts';

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

test.each([
  ['SIGINT', 130, ['check', 'http', 'one.example', 'bad_name', 'two.example', 'three.example']],
  ['SIGTERM', 143, ['check', 'http', '--no-color', '--file', 'FILE']],
] as const)('%s ends a check of names with %i and the command that checks the others', async (signal, exit, words) => {
  const asked: string[] = [];
  const hosts = createServer((request, response) => {
    asked.push(String(request.headers.host));
    if (request.headers.host === 'one.example') response.end('one');
  });
  await new Promise<void>((resolve) => hosts.listen(0, '127.0.0.1', resolve));
  const address = `::127.0.0.1:${(hosts.address() as AddressInfo).port}`;
  const file = join(home.dir, 'names.txt');
  writeFileSync(file, 'one.example\ntwo.example, three.example # the last');
  const flags = ['--scheme', 'http', '--concurrency', '1', '--timeout', '600', '--json', '--lang', 'en'];
  const line = words.map((word) => (word === 'FILE' ? file : word));
  const started = home.start([...line, ...flags], {
    env: { SEO_ADMIN_CONNECT_TO: address, SEO_ADMIN_ALLOW_PRIVATE_TARGETS: 'on' },
  });
  await expect.poll(() => asked).toContain('two.example');
  started.process.kill(signal);
  const { json, ...ended } = await started.ended;
  hosts.close();
  hosts.closeAllConnections();
  const kept = words.filter((word) => word === '--no-color');
  const rest = ['check', 'http', ...kept, ...flags, 'two.example', 'three.example'].join(' ');
  expect([ended.exit, json.exit, json.error.message]).toEqual([
    exit,
    exit,
    `Stopped: 1 of 3 are checked. To go on: seo-admin ${rest}`,
  ]);
});
