// Look-ups of a portfolio at a registrar and at registries on loopback, stored in a real database.
import { describe, expect, test } from 'vitest';
import { execute, select, transaction } from '../../../../db/index.ts';
import { SYSTEM } from '../../../../src/services/access/scope.ts';
import { startDueExpiry, startExpiry } from '../../../../src/services/checks/check-expiry.ts';
import { updateDomain } from '../../../../src/services/portfolio/domains.ts';
import {
  add,
  addRegistrar,
  age,
  ann,
  bob,
  ENDS,
  lookUp,
  names,
  register,
  registry,
  shop,
  stored,
  useExpiries,
} from './world.ts';

useExpiries();

// As the fake registrar has it: midnight in Moscow.
const AT_SHOP = '2027-02-13T21:00:00.000Z';
const lists = (): number => shop.requests.filter(({ path }) => path === '/service/get_list').length;

describe('the best source that answers', () => {
  test('is the registrar, asked once for the list of all its domains', async () => {
    const id = await addRegistrar(ann);
    await add(ann, ['first.ru', 'second.ru'], { registrar: id });
    for (const name of ['first.ru', 'second.ru']) register(name, { expires_at: AT_SHOP });
    expect(await lookUp(ann)).toMatchObject({ state: 'succeeded', total: 2, done: 2, failed: 0 });
    expect(lists()).toBe(1);
    expect(await stored()).toMatchObject({
      'first.ru': { expired_at: AT_SHOP, source: 'registrar', status: 'ok', name_servers: ['ns1.example.net'] },
      'second.ru': { expired_at: AT_SHOP, source: 'registrar', error: null },
    });
  });

  test('the registrar also tells what its account has left; a balance that does not come leaves the list as it is', async () => {
    const id = await addRegistrar(ann);
    await add(ann, ['first.ru'], { registrar: id });
    register('first.ru', { expires_at: AT_SHOP });
    const known = () => select('SELECT balance, balance_currency FROM registrars');
    await lookUp(ann);
    const balance = (shop.state.accounts[0]!.balance / 100).toFixed(2);
    expect(await known()).toEqual([{ balance, balance_currency: 'RUB' }]);
    shop.state.accounts[0]!.balance = 100;
    shop.faults.push({ kind: 'status', status: 503, call: '* /user/get_balance', times: 20 });
    await age(24);
    expect(await lookUp(ann)).toMatchObject({ state: 'succeeded', done: 1, failed: 0 });
    expect(await known()).toEqual([{ balance, balance_currency: 'RUB' }]);
  });

  test('is WHOIS for .ru, and RDAP for others, where the registrar has none of the name', async () => {
    const id = await addRegistrar(ann);
    await add(ann, ['other.ru', 'other.com'], { registrar: id });
    register('other.ru', { statuses: ['REGISTERED', 'NOT DELEGATED'] });
    register('other.com', { statuses: ['client hold'] });
    expect(await lookUp(ann)).toMatchObject({ state: 'succeeded', failed: 0 });
    expect(await stored()).toMatchObject({
      'other.ru': { expired_at: ENDS, source: 'whois', status: 'not_delegated' },
      'other.com': { expired_at: ENDS, source: 'rdap', status: 'hold' },
    });
  });

  test('is a person where nothing tells: a name below a private suffix, a registry without dates', async () => {
    await add(ann, ['mysite.com.ru', 'dateless.com'], { expired_at: ENDS });
    register('dateless.com', { expires_at: null });
    expect(await lookUp(ann)).toMatchObject({ state: 'succeeded', done: 2, failed: 0 });
    expect(await stored()).toMatchObject({
      'mysite.com.ru': { expired_at: ENDS, source: 'hand', error: { key: 'expiry.no_registry' } },
      'dateless.com': { expired_at: ENDS, source: 'hand', status: 'ok', error: null },
    });
  });

  test('costs one look-up for all hosts below a registered name', async () => {
    await add(ann, ['site.com', 'www.site.com', 'shop.site.com']);
    await add(bob, ['blog.site.com']);
    register('site.com');
    expect(await lookUp(SYSTEM)).toMatchObject({ done: 4 });
    expect(registry.queries).toEqual(['site.com']);
    expect(Object.values(await stored()).map(({ expired_at }) => expired_at)).toEqual([ENDS, ENDS, ENDS, ENDS]);
  });

  test('is not the registrar for the domain of somebody who does not use it', async () => {
    await addRegistrar(ann);
    await add(bob, ['first.ru']);
    register('first.ru');
    await lookUp(SYSTEM);
    expect(lists()).toBe(0);
    expect((await stored())['first.ru']).toMatchObject({ expired_at: ENDS, source: 'whois' });
  });
});

describe('a registrar that fails', () => {
  test.each([
    ['answers with a page', { kind: 'malformed' } as const],
    ['is down', { kind: 'status', status: 502 } as const],
    ['cuts its answer', { kind: 'act-then-drop' } as const],
  ])('because it %s erases nothing: the registry is asked', async (_, fault) => {
    const id = await addRegistrar(ann);
    await add(ann, ['first.ru', 'unknown.ru'], { registrar: id, expired_at: AT_SHOP });
    register('first.ru');
    shop.faults.push({ ...fault, times: 100 });
    expect(await lookUp(ann)).toMatchObject({ state: 'succeeded', done: 2, failed: 0 });
    expect(await stored()).toMatchObject({
      'first.ru': { expired_at: ENDS, source: 'whois', error: { key: expect.stringMatching(/^provider\./) } },
      'unknown.ru': { expired_at: AT_SHOP, source: 'hand', status: 'free' },
    });
  });

  test('with a wrong password is told at its domains', async () => {
    const id = await addRegistrar(ann, { password: 'wrong' });
    await add(ann, ['first.ru'], { registrar: id });
    register('first.ru');
    await lookUp(ann);
    expect(lists()).toBe(1);
    expect((await stored())['first.ru']).toMatchObject({ source: 'whois', error: { key: 'provider.credentials' } });
  });

  test('because its list is empty marks nothing as gone', async () => {
    const id = await addRegistrar(ann);
    await add(ann, ['first.ru', 'second.ru'], { registrar: id });
    for (const name of ['first.ru', 'second.ru']) register(name, { expires_at: AT_SHOP });
    await lookUp(ann);
    await age(48);
    for (const account of shop.state.accounts) account.domains = [];
    await lookUp(ann);
    expect(await stored()).toMatchObject({
      'first.ru': { expired_at: AT_SHOP, source: 'whois', status: 'ok' },
      'second.ru': { expired_at: AT_SHOP, source: 'whois', status: 'ok' },
    });
  });
});

describe('a registry that fails', () => {
  test('erases neither the date nor what it told before', async () => {
    await add(ann, ['site.com']);
    register('site.com', { statuses: ['client hold'] });
    await lookUp(ann);
    await age(48);
    names.set('site.com', { expires_at: 'soon', registrar: '', statuses: [], name_servers: [] });
    await lookUp(ann);
    expect((await stored())['site.com']).toMatchObject({ expired_at: ENDS, source: 'rdap' });
    names.delete('site.com');
    await age(48);
    await lookUp(ann);
    expect((await stored())['site.com']).toMatchObject({ expired_at: ENDS, status: 'free' });
  });
});

describe('a person', () => {
  test('who sets a date makes it one by hand, and a later answer replaces it', async () => {
    await add(ann, ['site.com']);
    register('site.com');
    await lookUp(ann);
    const [row] = await select<{ id: number }>('SELECT id FROM domains');
    await updateDomain(ann, row?.id ?? 0, { expired_at: '2027-05-01T00:00:00.000Z' }, ['expired_at']);
    expect((await stored())['site.com']).toMatchObject({
      expired_at: '2027-05-01T00:00:00.000Z',
      source: 'hand',
      found_at: null,
    });
    await age(48);
    await lookUp(ann);
    expect((await stored())['site.com']).toMatchObject({ expired_at: ENDS, source: 'rdap' });
  });

  test('who renames a domain gets rid of what was told of its former name', async () => {
    await add(ann, ['site.com']);
    register('site.com', { statuses: ['client hold'] });
    await lookUp(ann);
    const [row] = await select<{ id: number }>('SELECT id FROM domains');
    await updateDomain(ann, row?.id ?? 0, { domain_name: 'other.com' }, ['domain_name']);
    expect((await stored())['other.com']).toMatchObject({
      expired_at: null,
      source: null,
      status: null,
      looked_up_at: null,
    });
  });

  test('who renames a domain keeps the date that was set by hand', async () => {
    await add(ann, ['site.com'], { expired_at: ENDS });
    const [row] = await select<{ id: number }>('SELECT id FROM domains');
    await updateDomain(ann, row?.id ?? 0, { domain_name: 'other.com' }, ['domain_name']);
    expect((await stored())['other.com']).toMatchObject({ expired_at: ENDS, source: 'hand' });
  });

  test('has his own domains looked up alone', async () => {
    await add(ann, ['site.com']);
    await add(bob, ['other.com']);
    register('site.com');
    register('other.com');
    expect(await lookUp(ann)).toMatchObject({ total: 1, done: 1 });
    expect(registry.queries).toEqual(['site.com']);
    expect((await stored())['other.com']).toMatchObject({ looked_up_at: null });
  });

  test('who asks again within the hour does not cost the registry a call; a failure is asked again', async () => {
    await add(ann, ['site.com', 'broken.com']);
    register('site.com');
    names.set('broken.com', { expires_at: ENDS, registrar: '', statuses: 'x' as never, name_servers: [] });
    await lookUp(ann);
    registry.queries.length = 0;
    expect(await lookUp(ann)).toMatchObject({ total: 2, done: 2, failed: 1 });
    expect(registry.queries).toEqual(['broken.com']);
  });
});

describe('the schedule', () => {
  test('looks up what is due, and queues nothing where nothing is', async () => {
    await add(ann, ['site.com']);
    await add(bob, ['soon.com']);
    register('site.com');
    register('soon.com', { expires_at: new Date(Date.now() + 10 * 86_400_000).toISOString() });
    expect(await startDueExpiry(SYSTEM)).toMatchObject({ started: true });
    expect(await startDueExpiry(SYSTEM)).toMatchObject({ started: false });
    await transaction(() => execute(`UPDATE operations SET state = 'cancelled'`));
    expect(await lookUp(SYSTEM, { due: true })).toMatchObject({ total: 2, done: 2 });
    expect(await startDueExpiry(SYSTEM)).toBeNull();
    await age(6);
    registry.queries.length = 0;
    expect(await lookUp(SYSTEM, { due: true })).toMatchObject({ total: 1, done: 1 });
    expect(registry.queries).toEqual(['soon.com']);
    await age(24);
    expect(await lookUp(SYSTEM, { due: true })).toMatchObject({ total: 2 });
  });

  test('and people start the same work once', async () => {
    await add(ann, ['site.com']);
    const first = await startExpiry(ann, {});
    expect(await startExpiry(ann, {})).toEqual({ id: first.id, started: false });
    expect((await startExpiry(bob, {})).started).toBe(true);
    expect((await startExpiry(ann, { domain_ids: [1] })).started).toBe(true);
  });
});
