// Unusual answers of reg.ru and reghouse.ru: what they prove, and what they do not.
import { describe, expect, test } from 'vitest';
import { answer, at, call, login, orderOf, sent, useAnswers } from '../../support/registrars/answering.ts';

useAnswers();

describe('reg.ru', () => {
  const regru = at('reg.ru');
  const says = (answers: Record<string, object>) => {
    answer((path) => ({ body: JSON.stringify({ result: 'success', answer: answers[path.slice(1)] ?? {} }) }));
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
    answer(() => ({
      body: JSON.stringify({ result: 'error', error_code: 'IP_EXCEEDED_ALLOWED_CONNECTION_RATE', error_text: 'wait' }),
    }));
    const own = call('/held');
    await expect(regru.testLogin(login('one'), own)).rejects.toMatchObject({ kind: 'rate_limited', retryAfter: 3_600 });
    const second = regru.testLogin(login('two'), { ...own, signal: AbortSignal.timeout(300) });
    await expect(second).rejects.toThrow('aborted');
    expect(sent).toHaveLength(1);
  });
});

describe('reghouse.ru', () => {
  const reghouse = at('reghouse.ru');
  const says = (answers: Record<string, string>) => {
    answer((_path, body) => {
      const [, name = ''] = /<r:(\w+)>/.exec(body) ?? [];
      const inner = name === 'logIn' ? '<status><code>1</code><message>s1</message></status>' : (answers[name] ?? '');
      const open = '<E:Envelope xmlns:E="http://schemas.xmlsoap.org/soap/envelope/"><E:Body>';
      return { body: `${open}<r:x xmlns:r="u"><return>${inner}</return></r:x></E:Body></E:Envelope>` };
    });
  };
  const OK = '<status><code>1</code><name>OK</name><message>OK</message></status>';
  const list = (...rows: string[]) =>
    `${OK}<data><listinfo><totalpages>1</totalpages></listinfo><domainarray>${rows.join('')}</domainarray></data>`;

  test('a page that is no answer of it does not speak against the login', async () => {
    answer(() => ({ body: '<html>hi</html>' }));
    await expect(reghouse.listDomains(login(), call())).rejects.toMatchObject({ kind: 'malformed' });
  });

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
