// What unusual answers of registrars prove, and what they do not; a service in small answers what each test says.
import { createServer } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { onLoopback } from '../../../src/demo/loopback.ts';
import type { Call, DomainOrder, Registrar } from '../../../src/providers/provider.ts';
import { registrarOf } from '../../../src/providers/registrars.ts';
import type { RegistrarType } from '../../../src/shared/accounts/registrar-types.ts';
import { AT_ONCE } from '../../support/registrars/shops.ts';

interface Answer {
  status?: number;
  headers?: Record<string, string>;
  body: string;
}
let answerTo: (path: string, body: string) => Answer;
const sent: string[] = [];
let server: { url: string; close: () => Promise<void> };
beforeAll(async () => {
  server = await onLoopback(
    createServer((incoming, response) => {
      void buffer(incoming).then((bytes) => {
        sent.push(bytes.toString());
        const { status = 200, headers = {}, body } = answerTo(incoming.url ?? '', bytes.toString());
        response.writeHead(status, headers).end(body);
      });
    }),
  );
});
afterAll(() => server.close());
beforeEach(() => void sent.splice(0));

const at = (type: RegistrarType) => registrarOf(type) as Required<Registrar>;
const call = (): Call => ({ url: server.url, pace: AT_ONCE });
const login = (name = 'ops') => ({
  login: name,
  password: 'a key',
  profile_type: '',
  profile_name: '',
  client_ip: '',
  base_url: 'https://example.com',
  contact: 'OURS-R01',
  sandbox: 'off',
  price: '199',
});
const orderOf = (domain_name: string): DomainOrder => ({
  domain_name,
  years: 1,
  reference: '0'.repeat(32),
  price: { amount: '199.00', currency: 'RUB' },
});

describe('reg.ru', () => {
  const regru = at('reg.ru');
  const says = (answers: Record<string, object>) => {
    answerTo = (path) => ({ body: JSON.stringify({ result: 'success', answer: answers[path.slice(1)] ?? {} }) });
  };
  const service = { service_id: '3', dname: 'new.ru', servtype: 'domain', state: 'A', expiration_date: '2027-02-14' };

  test('a service that is new is an order under way, not a domain of the account', async () => {
    const services = [{ ...service, state: 'N', expiration_date: '0000-00-00' }];
    says({ 'service/get_info': { services }, 'service/get_list': { services } });
    expect(await regru.readOrder(login(), orderOf('new.ru'), null, call())).toMatchObject({ state: 'pending' });
    expect(await regru.readDomain(login(), 'new.ru', call())).toBeNull();
    expect(await regru.listDomains(login(), call())).toEqual([]);
  });

  test('a renewal for which a bill alone was made is pending under the number of the bill', async () => {
    says({ 'service/renew': { status: 'only_bill_created', bill_id: '5', payment: '299', currency: 'RUR' } });
    const taken = await regru.renew(login(), orderOf('new.ru'), call());
    expect(taken).toEqual({ state: 'pending', id: '5', charged: null });
  });

  test('services of other kinds, failed ones and values of null do not spoil a list', async () => {
    const services = [
      service,
      { ...service, servtype: 'srv_hosting_ispmgr', expiration_date: '2026-12-13' },
      { dname: 'gone.ru', result: 'error', error_code: 'DOMAIN_NOT_FOUND' },
      { ...service, dname: 'other.ru', expiration_date: null },
    ];
    says({ 'service/get_list': { services } });
    expect(await regru.listDomains(login(), call())).toEqual([
      { domain_name: 'new.ru', expires_at: '2027-02-13T21:00:00.000Z' },
      { domain_name: 'other.ru', expires_at: null },
    ]);
    says({ 'service/get_list': { services: [{ dname: 'new.ru', error_code: 'SERVICE_UNAVAILABLE' }] } });
    await expect(regru.listDomains(login(), call())).rejects.toMatchObject({ kind: 'unavailable' });
  });

  test('name servers of another domain are not those of this one', async () => {
    says({
      'service/get_info': { services: [service] },
      'domain/get_nss': { domains: [{ dname: 'other.ru', nss: [{ ns: 'x.y' }] }] },
    });
    await expect(regru.readDomain(login(), 'new.ru', call())).rejects.toMatchObject({ kind: 'malformed' });
  });

  test('a name costs its own price where that is dearer, and none where it is sold for several years alone', async () => {
    says({
      'domain/get_prices': {
        currency: 'RUR',
        prices: { ru: { reg_price: 199 }, su: { reg_price: 699, reg_min_period: 2 }, com: { reg_price: null } },
      },
      'domain/check': {
        domains: [
          { dname: 'plain.ru', result: 'Available' },
          { dname: 'dear.ru', result: 'Available', price: 25_000 },
          { dname: 'long.su', result: 'Available' },
          { dname: 'none.com', result: 'Available' },
        ],
      },
    });
    const names = ['plain.ru', 'dear.ru', 'long.su', 'none.com'];
    const prices = (await regru.checkNames(login(), names, call())).map(({ price }) => price?.amount);
    expect(prices).toEqual(['199.00', '25000.00', undefined, undefined]);
  });

  test('too many calls of an address hold every login of it', async () => {
    answerTo = () => ({
      body: JSON.stringify({ result: 'error', error_code: 'IP_EXCEEDED_ALLOWED_CONNECTION_RATE', error_text: 'wait' }),
    });
    const own = { ...call(), url: `${server.url}/held` };
    await expect(regru.testLogin(login('one'), own)).rejects.toMatchObject({ kind: 'rate_limited', retryAfter: 3_600 });
    const second = regru.testLogin(login('two'), { ...own, signal: AbortSignal.timeout(300) });
    await expect(second).rejects.toThrow();
    expect(sent).toHaveLength(1);
  });
});

describe('reghouse.ru', () => {
  const reghouse = at('reghouse.ru');
  const says = (answers: Record<string, string>) => {
    answerTo = (_path, body) => {
      const [, name = ''] = /<r:(\w+)>/.exec(body) ?? [];
      const inner = name === 'logIn' ? '<status><code>1</code><message>s1</message></status>' : (answers[name] ?? '');
      const open = '<E:Envelope xmlns:E="http://schemas.xmlsoap.org/soap/envelope/"><E:Body>';
      return { body: `${open}<r:x xmlns:r="u"><return>${inner}</return></r:x></E:Body></E:Envelope>` };
    };
  };
  const OK = '<status><code>1</code><name>OK</name><message>OK</message></status>';
  const list = (...rows: string[]) =>
    `${OK}<data><listinfo><totalpages>1</totalpages></listinfo><domainarray>${rows.join('')}</domainarray></data>`;

  test.each(['<name>OK</name><message>Task queued</message>', '<code>2</code><name>OK</name>'])(
    'an order that is answered with <status>%s</status> is not proven unpaid',
    async (status) => {
      says({ addDomain: `<status>${status}</status><taskid>1048577</taskid>` });
      await expect(reghouse.register(login(), orderOf('new.ru'), call())).rejects.toMatchObject({ kind: 'malformed' });
    },
  );

  test.each([
    ['<status><code>1</code><name>TASK_SUCCESS</name></status>', 'done'],
    ['<status><code>0</code><name>TASK_FAILURE</name><message>no</message></status>', 'rejected'],
    ['<status><code>1</code><message>NOT_TASK_FAILURE: retrying</message></status>', 'pending'],
    ['<status><code>1</code><message>TASK_QUEUED</message></status>', 'pending'],
  ])('a task that is answered with %s is %s', async (answer, state) => {
    says({ checkTask: answer });
    expect(await reghouse.readOrder(login(), orderOf('new.ru'), '7', call())).toMatchObject({ state });
  });

  test('a change of name servers leaves a domain its administrator, and is refused where none is told', async () => {
    const row = '<item><name>new.ru</name><reg-till>2027-02-14</reg-till><admin-o>CLIENT7-R01</admin-o></item>';
    says({ getDomains: list(row), updateDomain: `${OK}<taskid>1</taskid>` });
    await reghouse.setNameServers(login(), 'new.ru', ['a.ns.com', 'b.ns.com'], call());
    expect(sent.at(-1)).toContain('<admin_o>CLIENT7-R01</admin_o>');
    says({ getDomains: list('<item><name>new.ru</name></item>'), updateDomain: `${OK}<taskid>1</taskid>` });
    const change = reghouse.setNameServers(login(), 'new.ru', ['a.ns.com', 'b.ns.com'], call());
    await expect(change).rejects.toMatchObject({ kind: 'refused', message: expect.stringContaining('admin-o') });
    expect(sent.filter((body) => body.includes('r:updateDomain'))).toHaveLength(1);
  });

  test('an order that is listed without a date is no domain, and proves no purchase', async () => {
    says({ getDomains: list('<item><name>new.ru</name><state>N</state><reg-till></reg-till></item>') });
    expect(await reghouse.readOrder(login(), orderOf('new.ru'), null, call())).toBeNull();
    expect(await reghouse.readDomain(login(), 'new.ru', call())).toBeNull();
  });

  test('a list without its number of pages, or that ends before them, is none', async () => {
    says({ getDomains: `${OK}<data><domainarray><item><name>new.ru</name></item></domainarray></data>` });
    await expect(reghouse.listDomains(login(), call())).rejects.toMatchObject({ kind: 'malformed' });
    says({
      getDomains: `${OK}<data><listinfo><totalpages>2</totalpages></listinfo><domainarray></domainarray></data>`,
    });
    await expect(reghouse.listDomains(login(), call())).rejects.toMatchObject({ kind: 'malformed' });
  });

  test('an answer that does not say whether a name is available leaves that open', async () => {
    says({ checkDomainAvailable: OK });
    expect(await reghouse.checkNames(login(), ['new.ru'], call())).toMatchObject([{ state: 'unknown' }]);
  });
});

describe('Namecheap', () => {
  const namecheap = at('namecheap.com');
  const says = (answers: Record<string, string>) => {
    answerTo = (_path, body) => {
      const name = new URLSearchParams(body).get('Command')?.replace('namecheap.', '') ?? '';
      return {
        body: `<ApiResponse Status="OK"><Errors/><CommandResponse>${answers[name] ?? ''}</CommandResponse></ApiResponse>`,
      };
    };
  };
  const priced = (name: string, price: string, more = '') =>
    `<Product Name="${name}"><Price Duration="1" DurationType="YEAR" Price="${price}" Currency="USD"${more}/></Product>`;
  const pricing =
    `<ProductType Name="domains"><ProductCategory Name="renew">${priced('com', '12.98')}</ProductCategory>` +
    `<ProductCategory Name="register">${priced('biz', '2.00')}${priced('com', '10.28')}</ProductCategory></ProductType>`;
  const checked = (more: string) => `<DomainCheckResult Domain="new.com" Available="true" ${more}/>`;

  test.each([
    ['IsPremiumName="false" EapFee="120.00" IcannFee="0.18"', 'free', '130.46'],
    ['IsPremiumName="true" PremiumRegistrationPrice="13000.00"', 'premium', '13000.00'],
    ['IsPremiumName="false" EapFee="0.0"', 'free', '10.28'],
  ])('a name with %s is %s for %s', async (attributes, state, amount) => {
    says({ 'users.getPricing': pricing, 'domains.check': checked(attributes) });
    const [found] = await namecheap.checkNames(login(), ['new.com'], call());
    expect(found).toEqual({ domain_name: 'new.com', state, price: { amount, currency: 'USD' } });
  });

  test('a premium name is not renewed for the price of its top-level domain', async () => {
    const info = (isPremium: boolean) =>
      `<DomainGetInfoResult DomainName="new.com" IsOwner="true" IsPremium="${isPremium}"/>`;
    says({ 'users.getPricing': pricing, 'domains.getInfo': info(false) });
    expect(await namecheap.readRenewalPrice(login(), 'new.com', call())).toMatchObject({ amount: '12.98' });
    says({ 'users.getPricing': pricing, 'domains.getInfo': info(true) });
    await expect(namecheap.readRenewalPrice(login(), 'new.com', call())).rejects.toMatchObject({ kind: 'refused' });
  });

  test('an answer about another domain proves neither a renewal nor a change of name servers', async () => {
    says({
      'domains.renew': '<DomainRenewResult DomainName="other.com" Renew="true" OrderID="1" ChargedAmount="12.98"/>',
      'domains.dns.setCustom': '<DomainDNSSetCustomResult Domain="other.com" Updated="true"/>',
    });
    await expect(namecheap.renew(login(), orderOf('new.com'), call())).rejects.toMatchObject({ kind: 'malformed' });
    const change = namecheap.setNameServers(login(), 'new.com', ['a.ns.com', 'b.ns.com'], call());
    await expect(change).rejects.toMatchObject({ kind: 'malformed' });
  });

  test('a list without its number of domains, or that ends before it, is none', async () => {
    const row = '<Domain Name="new.com" Expires="02/15/2027"/>';
    says({ 'domains.getList': row });
    await expect(namecheap.listDomains(login(), call())).rejects.toMatchObject({ kind: 'malformed' });
    says({ 'domains.getList': '<Paging><TotalItems>250</TotalItems></Paging>' });
    await expect(namecheap.listDomains(login(), call())).rejects.toMatchObject({ kind: 'malformed' });
  });
});

describe('Porkbun', () => {
  const porkbun = at('porkbun.com');
  const says = (body: object, more: Omit<Answer, 'body'> = {}) => {
    answerTo = () => ({ ...more, body: JSON.stringify(body) });
  };

  test('a cost or a balance of null is no sum', async () => {
    says({ status: 'SUCCESS', domain: 'new.com', cost: null, orderId: 1 });
    expect(await porkbun.register(login(), orderOf('new.com'), call())).toMatchObject({ state: 'done', charged: null });
    for (const balance of [null, '', '12.5']) {
      says({ status: 'SUCCESS', balance });
      await expect(porkbun.readBalance(login(), call())).rejects.toMatchObject({ kind: 'malformed' });
    }
    says({ status: 'SUCCESS', balance: '1234' });
    expect(await porkbun.readBalance(login(), call())).toEqual({ amount: '12.34', currency: 'USD' });
  });

  test('a refusal by the number of calls waits as long as its text says', async () => {
    says({ status: 'ERROR', code: 'RATE_LIMIT_EXCEEDED', ttlRemaining: 7_200 }, { status: 429 });
    const asked = porkbun.readBalance(login('limited'), call());
    await expect(asked).rejects.toMatchObject({ kind: 'rate_limited', retryAfter: 7_200 });
    answerTo = () => ({ status: 429, headers: { 'retry-after': '90' }, body: '<h1>Too Many Requests</h1>' });
    const other = porkbun.readBalance(login('limited by a proxy'), call());
    await expect(other).rejects.toMatchObject({ kind: 'rate_limited', retryAfter: 90 });
  });

  test('availability that is neither yes nor no is not known', async () => {
    says({ status: 'SUCCESS', response: { avail: 'maybe', price: '9.73', premium: 'no' } });
    expect(await porkbun.checkNames(login(), ['new.com'], call())).toMatchObject([{ state: 'unknown' }]);
  });
});
