// The registrars of the demo: what each is there to show, and that what was charged is never forgotten.
import { join } from 'node:path';
import { rmSync, statSync } from 'node:fs';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { closeDatabase, openDatabase, select } from '../../db/index.ts';
import { startDemo, type Demo } from '../../src/demo/index.ts';
import { startRegistrars } from '../../src/demo/registrars.ts';
import { shopStates } from '../../src/demo/shops.ts';
import { readWorld } from '../../src/demo/world.ts';
import { useConfig, type Config } from '../../src/lib/config.ts';
import { ProviderError } from '../../src/providers/provider-error.ts';
import { openKeys } from '../../src/services/access/keys.ts';
import { openShop, type Shop } from '../../src/services/purchases/shop.ts';
import { temporaryConfig } from '../support/server.ts';

let config: Config;
let demo: Demo;
beforeEach(async () => {
  config = temporaryConfig();
  demo = await startDemo(config, { size: 30, frozen: false });
  useConfig(demo.config);
  await openDatabase(demo.config.databaseFile);
  await openKeys(demo.config);
});
afterEach(async () => {
  await closeDatabase();
  await demo.close();
  rmSync(config.dataDir, { recursive: true });
});

const opened = async (type: string): Promise<Shop> => {
  const [row] = await select<{ id: number }>('SELECT id FROM registrars WHERE type = $type', { type });
  return openShop(row!.id);
};
const worldFile = () => join(config.dataDir, 'demo', 'world.json');

test('are tested: four work, one password is wrong, one has no money', async () => {
  const rows = await select<{ type: string; balance: string | null; check_error: string | null }>(
    'SELECT type, balance, check_error FROM registrars WHERE checked_at IS NOT NULL ORDER BY type',
  );
  expect(rows.map(({ type, balance, check_error }) => [type, balance, check_error !== null])).toEqual([
    ['expired.ru', null, true],
    ['namecheap.com', '186.40', false],
    ['porkbun.com', '0.12', false],
    ['reg.ru', '8425.50', false],
    ['reghouse.ru', null, false],
  ]);
});

test('sell a zone at prices of their own currency', async () => {
  const price = async (type: string, name: string) => {
    const { registrar, login, call } = await opened(type);
    const [found] = await registrar.checkNames!(login, [name], call());
    return found?.price;
  };
  expect(await price('reg.ru', 'klubok-dom1.com')).toEqual({ amount: '1499.00', currency: 'RUB' });
  expect(await price('porkbun.com', 'klubok-dom1.com')).toEqual({ amount: '10.28', currency: 'USD' });
});

test('have stored what was charged when the answer comes', async () => {
  const { registrar, login, call } = await opened('reg.ru');
  const order = {
    domain_name: 'klubok-dom1.ru',
    years: 1,
    reference: 'a'.repeat(32),
    price: { amount: '199.00', currency: 'RUB' },
  };
  await registrar.register!(login, order, call());
  const stored = readWorld(worldFile())!.registrars['reg.ru'].accounts[0]!;
  expect(stored.charges.map(({ name, amount }) => [name, amount])).toEqual([['klubok-dom1.ru', 19_900]]);
  expect(stored.domains.some(({ name }) => name === 'klubok-dom1.ru')).toBe(true);
});

test('have stored name servers when the answer comes, and write nothing for what only asks', async () => {
  const { registrar, login, call } = await opened('reg.ru');
  const [held] = readWorld(worldFile())!.registrars['reg.ru'].accounts[0]!.domains;
  await registrar.setNameServers!(login, held!.name, ['ada.ns.cloudflare.com', 'bob.ns.cloudflare.com'], call());
  const stored = readWorld(worldFile())!.registrars['reg.ru'].accounts[0]!;
  expect(stored.domains[0]!.name_servers).toEqual(['ada.ns.cloudflare.com', 'bob.ns.cloudflare.com']);
  const { mtimeMs } = statSync(worldFile());
  await registrar.checkNames!(login, ['klubok-dom1.ru'], call());
  expect(statSync(worldFile()).mtimeMs).toBe(mtimeMs);
});

test('have one that answers an order after its caller has given up, and has done it', async () => {
  const states = shopStates([], new Date());
  const late = await startRegistrars(states, { onChange: async () => undefined });
  try {
    const { registrar, login, call } = await opened('reghouse.ru');
    const order = {
      domain_name: 'klubok-dom1.ru',
      years: 1,
      reference: 'b'.repeat(32),
      price: { amount: '199.00', currency: 'RUB' },
    };
    const hurried = { ...call(AbortSignal.timeout(1_500)), url: `${late.urls['reghouse.ru']}/./.` };
    const answer: unknown = await registrar.register!(login, order, hurried).catch((error: unknown) => error);
    expect(answer).toBeInstanceOf(Error);
    expect(answer instanceof ProviderError && answer.unsent).toBeFalsy();
    expect(states['reghouse.ru'].accounts[0]!.charges.map(({ name }) => name)).toEqual(['klubok-dom1.ru']);
  } finally {
    await late.close();
  }
});
