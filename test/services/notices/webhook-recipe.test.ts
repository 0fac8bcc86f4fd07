// A webhook as its receiver sees it: the recipe of docs/webhooks.md verifies what is sent, and no server without a valid certificate hears anything.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { webhookChannel } from '../../../src/providers/webhook.ts';
import { startHook, type Hook, type HookCall } from './hook.ts';

const ROOT = fileURLToPath(new URL('../../..', import.meta.url));
const PAGE = readFileSync(join(ROOT, 'docs/webhooks.md'), 'utf8');
const block = (language: string): string => new RegExp(`\`\`\`${language}\n([\\s\\S]*?)\`\`\``).exec(PAGE)?.[1] ?? '';

const SECRET = 'made-up-secret-of-a-webhook';
const CONTENT = { title: 'Домен пример.рф: не отвечает', lines: ['«502»', '\u2028 😀'], link: null, buttons: [] };

let hook: Hook;
let folder: string;
beforeEach(async () => {
  hook = await startHook();
  folder = mkdtempSync(join(tmpdir(), 'webhook-'));
});
afterEach(async () => {
  rmSync(folder, { recursive: true });
  await hook.close();
});

const send = (url: string) =>
  webhookChannel(true).send(
    JSON.stringify({ url, secret: SECRET }),
    CONTENT,
    AbortSignal.timeout(10_000),
    'delivery-7',
  );

async function called(): Promise<HookCall> {
  expect(await send(`${hook.url}/hook`)).toEqual({ outcome: 'sent', ref: null });
  const [call] = hook.calls;
  if (!call) throw new Error('nothing was called');
  return call;
}

type Verify = (secret: string, headers: HookCall['headers'], body: string, now?: number) => boolean;

test('the recipe of the page takes what was sent, and nothing that differs or is old', async () => {
  const { headers, text, body } = await called();
  const { id, ...told } = body;
  expect([id, told]).toEqual(['delivery-7', { title: CONTENT.title, lines: CONTENT.lines, link: null }]);
  expect(headers).toMatchObject({ 'content-type': 'application/json', 'x-seo-admin-delivery': 'delivery-7' });
  const file = join(folder, 'recipe.mjs');
  writeFileSync(file, block('js'));
  const { isGenuine } = (await import(pathToFileURL(file).href)) as { isGenuine: Verify };
  expect(isGenuine(SECRET, headers, text)).toBe(true);
  expect(isGenuine('another', headers, text)).toBe(false);
  expect(isGenuine(SECRET, headers, text.replace('502', '503'))).toBe(false);
  expect(isGenuine(SECRET, { ...headers, 'x-seo-admin-timestamp': '1' }, text)).toBe(false);
  expect(isGenuine(SECRET, headers, text, Date.now() + 600_000)).toBe(false);
  expect(isGenuine(SECRET, {}, text)).toBe(false);
});

test('the recipe by hand makes the same signature', async () => {
  const { headers, text } = await called();
  writeFileSync(join(folder, 'body.json'), text);
  const env = { ...process.env, SECRET, TIMESTAMP: String(headers['x-seo-admin-timestamp']) };
  const said = execFileSync('sh', ['-c', block('sh')], { cwd: folder, env, encoding: 'utf8' });
  expect(`sha256=${said.trim().split(' ').at(-1)}`).toBe(headers['x-seo-admin-signature']);
});

test('a server whose certificate nobody vouches for is told nothing, and called again later', async () => {
  const tls = join(ROOT, 'test/corpus/tls');
  let heard = 0;
  const server = createServer(
    { key: readFileSync(join(tls, 'key.pem')), cert: readFileSync(join(tls, 'cert.pem')) },
    (_request, response) => {
      heard += 1;
      response.end();
    },
  );
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const sent = await send(`https://127.0.0.1:${(server.address() as AddressInfo).port}/hook`);
  await new Promise((resolve) => server.close(resolve));
  expect([sent, heard]).toEqual([{ outcome: 'later', seconds: 0, reason: 'bad_certificate' }, 0]);
});
