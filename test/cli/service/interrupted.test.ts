// A command that watches for no signal itself, stopped while an outside service does not answer.
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
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
