import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { ShopServer } from '../../../src/demo/registrars/server.ts';
import type { Actor } from '../../../src/services/access/scope.ts';
import { createAccount } from '../../../src/services/accounts/accounts.ts';
import { drawCandidates, findCandidate } from '../../../src/services/purchases/candidates.ts';
import { registrarKind } from '../../../src/shared/accounts/registrars.ts';
import { AppError } from '../../../src/shared/errors.ts';
import { addUser, startDatabase, type TestDatabase } from '../../support/database.ts';
import { LOGIN, shopState, startRegistrar } from '../../support/registrars/shops.ts';
import { temporaryConfig } from '../../support/server.ts';
import { addDomains, blockNames } from './known-names.ts';

const TYPES = ['reg.ru', 'namecheap.com', 'expired.ru'] as const;
// Six groups of a hundred: 10^12 names.
const HUNDRED = `{${Array.from({ length: 100 }, (_, index) => `a${index}z`).join('|')}}`;
const HUGE = HUNDRED.repeat(6);

let shops: Record<(typeof TYPES)[number], ShopServer>;
let database: TestDatabase;
let ann: Actor;
let bob: Actor;

beforeAll(async () => {
  const started = await Promise.all(TYPES.map(async (type) => [type, await startRegistrar(type)] as const));
  shops = Object.fromEntries(started) as typeof shops;
});
afterAll(async () => {
  await Promise.all(Object.values(shops).map((shop) => shop.close()));
});
beforeEach(async () => {
  for (const type of TYPES) {
    Object.assign(shops[type].state, shopState(type));
    shops[type].faults.length = 0;
  }
  database = await startDatabase();
  const registrarUrls = Object.fromEntries(TYPES.map((type) => [type, shops[type].url]));
  temporaryConfig({ registrarUrls }, database.folder);
  [ann, bob] = [await addUser('ann'), await addUser('bob')];
});
afterEach(() => database.close());

async function sellAt(type: (typeof TYPES)[number], more: Partial<typeof LOGIN> = {}): Promise<number> {
  const { login, password, profile_type, profile_name, client_ip, contact, highest_price } = { ...LOGIN, ...more };
  const settings = {
    'reg.ru': { profile_type, profile_name, highest_price },
    'namecheap.com': { client_ip, contact, highest_price },
    'expired.ru': {},
  }[type];
  const input = { name: 'Reg', type, login, password, ...settings };
  return (await createAccount(ann, registrarKind, input, 'masked')).id;
}

const find = (template: string, registrars_id: number, seed = 'a run') =>
  findCandidate({ template, registrars_id, seed }, AbortSignal.timeout(60_000));

const reasonOf = (work: Promise<unknown>): Promise<AppError> =>
  work.then(
    () => expect.fail('nothing was thrown'),
    (error: unknown) => (error instanceof AppError ? error : expect.fail(String(error))),
  );

describe('a draw', () => {
  test('gives the same fifty names for the same text, and others for another', async () => {
    const [one, same, other] = [
      await drawCandidates({ template: `${HUGE}.ru`, seed: 'p1 2026-11-23' }),
      await drawCandidates({ template: `${HUGE}.ru`, seed: 'p1 2026-11-23' }),
      await drawCandidates({ template: `${HUGE}.ru`, seed: 'p1 2026-11-24' }),
    ];
    expect(new Set(one.names).size).toBe(50);
    expect(one.names).toEqual(same.names);
    expect(one.names).not.toEqual(other.names);
  });

  test('leaves out what is held, was, is related, is blocked, or is not sold', async () => {
    await addDomains(bob, ['a1.ru', 'sub.a2.ru']);
    await addDomains(ann, ['a3.ru'], '2026-01-01T00:00:00.000Z');
    await blockNames('a4.ru');
    const { names, tried, left_out } = await drawCandidates({
      template: 'a{1|2|3|4|5}.{ru|com}',
      seed: 'x',
      excludes: ['com'],
    });
    expect(names).toEqual(['a5.ru']);
    expect({ tried, left_out }).toEqual({
      tried: 10,
      left_out: { held: 1, past: 1, related: 1, blocked: 1, invalid: 0, zone: 5 },
    });
  });

  test('ends with an error that says why nothing is left', async () => {
    await addDomains(bob, ['a1.ru']);
    await addDomains(ann, ['a2.ru'], '2026-01-01T00:00:00.000Z');
    const error = await reasonOf(drawCandidates({ template: 'a{1|2}.ru', seed: 'x' }));
    expect([error.kind, error.key, error.params]).toEqual([
      'refused',
      'candidates.none_left',
      { tried: 2, held: 1, past: 1, related: 0, blocked: 0, invalid: 0, zone: 0 },
    ]);
  });

  test.each([
    ['labels that are too long', `{${'a'.repeat(64)}|${'b'.repeat(64)}}.ru`, 'candidates.no_name'],
    ['names below one that somebody has registered', '{a|b}.example.com', 'candidates.none_left'],
    ['10^12 names that nobody can register', `${HUGE}.example.com`, 'candidates.none_left'],
    ['10^12 names of a zone that is not sold', `${HUGE}.su`, 'candidates.none_left'],
    ['no template', 'a{1|2.ru', 'template.braces'],
  ])('of %s ends at once', async (_what, template, key) => {
    // Enumerating them would take weeks.
    const error = await reasonOf(drawCandidates({ template, seed: 'x', excludes: ['su'] }));
    expect(error.key).toBe(key);
  });
});

describe('a choice', () => {
  test('is the cheapest free name; taken and premium ones are left out', async () => {
    shops['reg.ru'].state.taken.push('a1.ru');
    shops['reg.ru'].state.premium['a2.ru'] = 100;
    shops['reg.ru'].state.prices['su'] = { register: 9_900, renew: 9_900 };
    const id = await sellAt('reg.ru');
    const { drawn, choice } = await find('a{1|2}.ru', id);
    expect(drawn.names.toSorted()).toEqual(['a1.ru', 'a2.ru']);
    expect(choice.chosen).toBeNull();
    expect(choice.left_out.map(({ domain_name, reason }) => `${domain_name} ${reason}`).toSorted()).toEqual([
      'a1.ru taken',
      'a2.ru premium',
    ]);
    const { choice: second } = await find('a{1|2|3}.{ru|su}', id);
    expect(second.chosen).toMatchObject({ price: { currency: 'RUB' } });
    expect(second.chosen?.domain_name).toMatch(/\.su$/);
    expect(Number(second.chosen?.price.amount)).toBe(99);
  });

  test('keeps to the highest price of the registrar, to the smallest unit', async () => {
    const id = await sellAt('reg.ru', { highest_price: '198.99' });
    const { choice } = await find('a{1|2}.ru', id);
    expect(choice.chosen).toBeNull();
    expect(choice.left_out.map(({ reason }) => reason)).toEqual(['dear', 'dear']);
    shops['reg.ru'].state.prices['ru'] = { register: 19_899, renew: 24_900 };
    expect((await find('a{1|2}.ru', id)).choice.chosen).not.toBeNull();
  });

  test('has the same name for the same text', async () => {
    const id = await sellAt('reg.ru');
    const names = [];
    for (const seed of ['x', 'x', 'y']) names.push((await find(`${HUGE}.ru`, id, seed)).choice.chosen?.domain_name);
    expect(names[0]).toBe(names[1]);
    expect(names[0]).not.toBe(names[2]);
  });

  test('asks no further once ten names hold one that can be bought', async () => {
    const id = await sellAt('reg.ru');
    const { names } = await drawCandidates({ template: `${HUGE}.ru`, seed: 'a run' });
    shops['reg.ru'].state.taken.push(...names.slice(0, 10));
    shops['reg.ru'].requests.length = 0;
    const { choice } = await find(`${HUGE}.ru`, id);
    expect(choice.chosen?.domain_name).toBe(names[10]);
    expect(choice.left_out.map(({ domain_name }) => domain_name)).toEqual(names.slice(0, 10));
    const bodies = shops['reg.ru'].requests.map(({ body }) => JSON.stringify(body)).join('\n');
    expect(bodies).toContain(names[19]);
    expect(bodies).not.toContain(names[20]);
  });

  test('is not made of zones that the registrar does not sell, nor at one that sells none', async () => {
    const namecheap = await sellAt('namecheap.com');
    expect((await find('a{1|2}.{ru|com}', namecheap)).choice.chosen?.domain_name).toMatch(/\.com$/);
    expect((await reasonOf(find('a{1|2}.ru', namecheap))).params).toMatchObject({ tried: 2, zone: 2 });
    expect((await reasonOf(find('a{1|2}.ru', await sellAt('expired.ru')))).key).toBe('candidates.sells_nothing');
    expect((await reasonOf(find('a{1|2}.ru', 999))).kind).toBe('not_found');
  });

  test('fails as the registrar does, and charges nothing', async () => {
    const id = await sellAt('reg.ru');
    shops['reg.ru'].state.accounts[0]!.password = 'another';
    expect((await reasonOf(find('a{1|2}.ru', id))).key).toBe('provider.credentials');
    expect(shops['reg.ru'].state.accounts[0]!.charges).toEqual([]);
  });
});
