// Registrars through the API, each against its fake: the form by type, the test of a login, the domains as of now.
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { execute, transaction } from '../../../db/index.ts';
import type { ShopServer } from '../../../src/demo/registrars/server.ts';
import { REGISTRAR_TYPES, type RegistrarType } from '../../../src/shared/accounts/registrar-types.ts';
import { LOGIN, shopState, startRegistrar } from '../../support/registrars/shops.ts';
import { createPerson, request, startServer, type Answer, type Person, type TestServer } from '../../support/server.ts';
import { newName } from '../calls.ts';

const shops = new Map<RegistrarType, ShopServer>();
let server: TestServer;
let owner: Person;
let other: Person;

beforeAll(async () => {
  for (const type of REGISTRAR_TYPES) shops.set(type, await startRegistrar(type));
  const registrarUrls = Object.fromEntries([...shops].map(([type, { url }]) => [type, url]));
  server = await startServer({ registrarUrls });
  [owner, other] = [await createPerson(server), await createPerson(server)];
});
afterAll(async () => {
  await server.close();
  await Promise.all([...shops.values()].map((shop) => shop.close()));
});
beforeEach(() => {
  for (const [type, shop] of shops) {
    Object.assign(shop.state, shopState(type));
    shop.requests.length = 0;
  }
});

const ask = (call: string, body?: unknown, { token }: Person = owner): Promise<Answer> =>
  request(server, call, { token, ...(body === undefined ? {} : { body }) });

const REGRU = {
  type: 'reg.ru',
  login: LOGIN.login,
  password: LOGIN.password,
  profile_type: 'RU.PP',
  profile_name: 'main',
};

async function add(fields: object = {}): Promise<Answer> {
  return ask('POST /api/registrars', { name: newName(), ...REGRU, ...fields });
}
const added = async (fields: object = {}): Promise<number> => (await add(fields)).body.data.id;

describe('a registrar', () => {
  test.each([
    ['reghouse.ru', { base_url: 'https://partner.example.com/api', contact: 'ANN-R01', price: '199' }, null],
    ['expired.ru', {}, '5000.00'],
    ['reg.ru', { profile_type: 'RU.PP' }, '5000.00'],
    ['namecheap.com', { client_ip: '198.51.100.10' }, '5000.00'],
    ['porkbun.com', { highest_price: '12.50' }, '5000.00'],
  ])(
    'of type %s is added with its settings, tested at once, and its balance is stored',
    async (type, settings, balance) => {
      const { status, body } = await ask('POST /api/registrars', {
        name: newName(),
        type,
        login: LOGIN.login,
        password: LOGIN.password,
        ...settings,
      });
      expect(status).toBe(200);
      expect(body.data).toMatchObject({ type, ...settings, balance, check_error: null });
      expect(body.data.checked_at).not.toBeNull();
    },
  );

  test.each(REGISTRAR_TYPES)('of type %s is added with its type, name and login alone', async (type) => {
    const { login, password } = LOGIN;
    const { status, body } = await ask('POST /api/registrars', { type, name: newName(), login, password });
    expect([status, body.data.type]).toEqual([200, type]);
  });

  test('without a setting that its calls need says which, calls nobody, and works once it is given', async () => {
    const { login, password } = LOGIN;
    const account = { type: 'namecheap.com', name: newName(), login, password };
    const lack =
      'У аккаунта namecheap.com нет адреса этого сервера: укажите тот, что в списке разрешённых у регистратора';
    const { id, check_error } = (await ask('POST /api/registrars', account)).body.data;
    expect(check_error).toBe(lack);
    const domains = await ask(`GET /api/registrars/${id}`);
    expect([domains.status, domains.body.error]).toEqual([503, lack]);
    const renamed = await ask(`PUT /api/registrars/${id}`, { ...account, name: newName() });
    expect([renamed.status, renamed.body.data.check_error]).toEqual([200, lack]);
    expect(shops.get('namecheap.com')?.requests).toEqual([]);
    const mended = await ask(`PUT /api/registrars/${id}`, { client_ip: '198.51.100.10' });
    expect([mended.status, mended.body.data.check_error]).toEqual([200, null]);
  });

  test('with a wrong password is stored with the error, after one call, and the password stands nowhere', async () => {
    const { body } = await add({ password: 'no-such-secret-91' });
    expect(body.data.check_error).not.toBeNull();
    expect(shops.get('reg.ru')?.requests).toHaveLength(1);
    expect(body.data.check_error).not.toContain('no-such-secret-91');
  });

  test('that is called from an address which is not allowed says so, with the address', async () => {
    const [account] = shops.get('reg.ru')?.state.accounts ?? [];
    if (account) account.addresses = ['203.0.113.99'];
    const { body } = await add();
    expect(body.data.check_error).toBe('reg.ru не пускает с адреса 127.0.0.1: добавьте его в список разрешённых');
  });

  test.each([
    ['an unknown type', { type: 'godaddy.com' }, 'type', 'Выберите тип регистратора'],
    [
      'an address that is not encrypted',
      { type: 'reghouse.ru', profile_type: '', profile_name: '', base_url: 'http://example.com/api' },
      'base_url',
      'Нужен адрес, начиная с https://',
    ],
    ['a setting of another type', { base_url: 'https://example.com' }, 'base_url', 'У этого типа нет такой настройки'],
    [
      'no address where the type needs one',
      { type: 'namecheap.com', profile_type: '', profile_name: '', client_ip: '' },
      'client_ip',
      'Для этого типа нужна эта настройка',
    ],
    ['an address that is none', { client_ip: '300.1.1.1' }, 'client_ip', 'Нужен IP-адрес'],
    ['a price that is a float of another kind', { highest_price: '1e3' }, 'highest_price', 'Нужна сумма: 199 или 9.90'],
  ])('with %s is refused at the field', async (_title, fields, field, message) => {
    const { status, body } = await add(fields);
    expect(status).toBe(400);
    expect(body.fields).toMatchObject({ [field]: message });
    expect(shops.get('reg.ru')?.requests).toEqual([]);
  });

  test('keeps its type: another is refused, the same is taken', async () => {
    const id = await added();
    const refused = await ask(`PUT /api/registrars/${id}`, { type: 'porkbun.com' });
    expect(refused.status).toBe(400);
    expect(refused.body.fields).toMatchObject({ type: 'Тип регистратора изменить нельзя' });
    const saved = await ask(`PUT /api/registrars/${id}`, { type: 'reg.ru', name: 'Renamed' });
    expect([saved.status, saved.body.data.name, saved.body.data.type]).toEqual([200, 'Renamed', 'reg.ru']);
  });

  test('that a domain uses is not deleted, and the domain is named', async () => {
    const id = await added();
    const host = `used-${id}.ru`;
    await ask('POST /api/domains', { domain_name: host, registrars_id: id });
    const { status, body } = await ask(`DELETE /api/registrars/${id}`);
    expect(status).toBe(409);
    expect(body.error).toContain(host);
  });
});

describe('the domains of a registrar', () => {
  test('are asked of it now, each with its expiry and whether it is here; those that it has no more are told', async () => {
    const id = await added();
    await ask('POST /api/domains', { domain_name: 'first.ru', registrars_id: id });
    await ask('POST /api/domains', { domain_name: 'left.ru', registrars_id: id });
    const suspect_date = '2026-02-13T21:00:00.000Z';
    await transaction(() =>
      execute(
        `INSERT INTO domain_registrations (domain_id, looked_up_at, suspect_date, suspect_source, suspect_since)
         SELECT id, $suspect_date, $suspect_date, 'whois', $suspect_date FROM domains WHERE domain_name = 'first.ru'`,
        { suspect_date },
      ),
    );
    const { status, body } = await ask(`GET /api/registrars/${id}`);
    expect(status).toBe(200);
    expect(body).toMatchObject({ id, type: 'reg.ru', gone: ['left.ru'] });
    expect(body.domains).toEqual([
      { domain: 'first.ru', expiredAt: '2027-02-13T21:00:00.000Z', here: true, suspect_date },
      { domain: 'second.ru', expiredAt: '2027-02-13T21:00:00.000Z', here: false, suspect_date: null },
    ]);
  });

  test('show another user no name that is not in their own portfolio, and no password', async () => {
    const id = await added();
    const { status, body } = await ask(`GET /api/registrars/${id}`, undefined, other);
    expect(status).toBe(200);
    expect(body.domains).toEqual([]);
    expect(body.password).not.toBe(LOGIN.password);
  });

  test('of a service that answers a page are a clear failure', async () => {
    const id = await added();
    shops.get('reg.ru')?.faults.push({ kind: 'malformed', call: 'POST /service/get_list' });
    const { status, body } = await ask(`GET /api/registrars/${id}`);
    expect(status).toBeGreaterThanOrEqual(500);
    expect(body.error).not.toContain('<html');
  });

  test('of a service that does not answer in time are its failure, not ours', async () => {
    const id = await added();
    const timeout = AbortSignal.timeout.bind(AbortSignal);
    const spy = vi
      .spyOn(AbortSignal, 'timeout')
      .mockImplementation((ms) => (ms === 60_000 ? AbortSignal.abort() : timeout(ms)));
    const { status, body } = await ask(`GET /api/registrars/${id}`);
    spy.mockRestore();
    expect([status, body]).toEqual([502, { error: expect.stringContaining('reg.ru'), code: 'provider_unavailable' }]);
  });

  test('of an unknown id are not found', async () => {
    expect((await ask('GET /api/registrars/999999')).status).toBe(404);
  });
});
