// Many blocked main domains of one project: what a plan looks at outside before it answers.
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { execute, transaction } from '../../../../db/index.ts';
import { seal } from '../../../../src/lib/secret.ts';
import { useConfig } from '../../../../src/lib/config.ts';
import { planAutoTransfer, startAutoTransfer } from '../../../../src/services/transfers/automatic.ts';
import { add, addOthers, ann, check, config, loadList, makeProject, told, useAutomatic } from './world.ts';

useAutomatic();

const MAINS = Array.from({ length: 14 }, (_, n) => `main-${String(n).padStart(2, '0')}.example`);

/** The zones that the CDN was asked for. */
const asked = new Set<string>();
const cdn = createServer((request, response) => {
  const name = new URL(request.url ?? '/', 'http://cdn').searchParams.get('name');
  if (name) asked.add(name);
  response.writeHead(503).end('{}');
});

beforeEach(async () => {
  await new Promise<void>((done) => void cdn.listen(0, '127.0.0.1', done));
  useConfig({ ...config, cloudflareUrl: `http://127.0.0.1:${(cdn.address() as AddressInfo).port}` });
  asked.clear();
  const api_key = seal('cloudflare_accounts.api_key:1', 'f'.repeat(37));
  await transaction(() => execute('UPDATE cloudflare_accounts SET api_key = $api_key', { api_key }));
  await makeProject(1);
  await add(1, ...MAINS, ...Array.from({ length: 16 }, (_, n) => `reserve-${n}.example`));
  await addOthers(300);
  await loadList(...MAINS);
  await check();
});
afterEach(() => new Promise((done) => cdn.close(done)));

test('a plan looks at ten moves outside, and says of the others that their own transfer does', async () => {
  const { choices, plan } = await planAutoTransfer(ann, { project: 1 });
  const looked = choices
    .filter(({ reason }) => reason.key === 'auto_transfer.chosen')
    .map(({ main }) => main.domain_name);
  const left = choices.filter(({ reason }) => reason.key === 'auto_transfer.chosen_unseen');
  expect(looked).toEqual(MAINS.slice(0, 10));
  expect(left.map(({ main, target, decision }) => [main.domain_name, target !== null, decision])).toEqual(
    MAINS.slice(10).map((name) => [name, true, 'started']),
  );
  expect([...asked].filter((name) => MAINS.includes(name)).toSorted()).toEqual(MAINS.slice(0, 10));
  expect((await startAutoTransfer(ann, { project: 1, plan })).started).toBe(true);
  expect((await told()).filter(({ key }) => key === 'auto_transfer.chosen_unseen')).toHaveLength(4);
});

test('a plan of few moves looks at each of them', async () => {
  const { choices } = await planAutoTransfer(ann, { project: 1 }, new Set(MAINS.slice(0, 3)));
  expect(choices.map(({ reason }) => reason.key)).toEqual(Array.from({ length: 3 }, () => 'auto_transfer.chosen'));
  expect([...asked].filter((name) => MAINS.includes(name)).toSorted()).toEqual(MAINS.slice(0, 3));
});
