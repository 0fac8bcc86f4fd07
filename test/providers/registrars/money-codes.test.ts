// Proof of a paid order's end by the codes of a registrar's answers; a small service gives the answers of each test.
import { createServer } from 'node:http';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { onLoopback } from '../../../src/demo/loopback.ts';
import type { Call, Registrar } from '../../../src/providers/provider.ts';
import { namecheap } from '../../../src/providers/registrars/namecheap.ts';
import { porkbun } from '../../../src/providers/registrars/porkbun.ts';
import { AT_ONCE } from '../../support/registrars/shops.ts';

let body = '';
let server: { url: string; close: () => Promise<void> };
beforeAll(async () => {
  server = await onLoopback(createServer((_incoming, response) => response.end(body)));
});
afterAll(() => server.close());

const atNamecheap = namecheap as unknown as Required<Registrar>;
const atPorkbun = porkbun as unknown as Required<Registrar>;
const call = (): Call => ({ url: server.url, pace: AT_ONCE });
const order = {
  domain_name: 'new.com',
  years: 1,
  reference: '0'.repeat(32),
  price: { amount: '9.73', currency: 'USD' },
};
const keys = { login: 'ops', password: 'a key' };
const account = { ...keys, client_ip: '198.51.100.10', sandbox: 'off', contact: '' } as const;

test.each([
  ['2033409', 'malformed', undefined],
  ['4019166', 'refused', 'taken'],
  ['3019166', 'refused', 'taken'],
  ['2020166', 'refused', undefined],
])('Namecheap: an order that is answered with %s is %s', async (code, kind, reason) => {
  body = `<ApiResponse Status="ERROR"><Errors><Error Number="${code}">why</Error></Errors></ApiResponse>`;
  await expect(atNamecheap.renew(account, order, call())).rejects.toMatchObject({ kind, reason });
});

test('Porkbun: another cost than the price is a refusal for the price', async () => {
  body = JSON.stringify({ status: 'ERROR', code: 'COST_MISMATCH', message: 'The cost must be 1108' });
  const told = { kind: 'refused', reason: 'price', message: expect.stringContaining('1108') };
  await expect(atPorkbun.register(keys, order, call())).rejects.toMatchObject(told);
  await expect(atPorkbun.renew(keys, order, call())).rejects.toMatchObject(told);
});

test.each([
  [1, { amount: '9.73', currency: 'USD' }],
  [2, null],
])('Porkbun: a name that is sold for %s years at least has the price of a year: %o', async (minDuration, price) => {
  body = JSON.stringify({ status: 'SUCCESS', response: { avail: 'yes', price: '9.73', premium: 'no', minDuration } });
  expect(await atPorkbun.checkNames(keys, ['new.com'], call())).toEqual([
    { domain_name: 'new.com', state: 'free', price },
  ]);
});
