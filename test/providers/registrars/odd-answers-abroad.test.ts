// Unusual answers of Namecheap and Porkbun: what they prove, and what they do not.
import { describe, expect, test } from 'vitest';
import { answer, at, call, login, orderOf, useAnswers, type Answer } from '../../support/registrars/answering.ts';

useAnswers();

describe('Namecheap', () => {
  const namecheap = at('namecheap.com');
  const says = (answers: Record<string, string>) => {
    answer((_path, body) => {
      const name = new URLSearchParams(body).get('Command')?.replace('namecheap.', '') ?? '';
      return {
        body: `<ApiResponse Status="OK"><Errors/><CommandResponse>${answers[name] ?? ''}</CommandResponse></ApiResponse>`,
      };
    });
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
    answer(() => ({ ...more, body: JSON.stringify(body) }));
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
    answer(() => ({ status: 429, headers: { 'retry-after': '90' }, body: '<h1>Too Many Requests</h1>' }));
    const other = porkbun.readBalance(login('limited by a proxy'), call());
    await expect(other).rejects.toMatchObject({ kind: 'rate_limited', retryAfter: 90 });
  });

  test('availability that is neither yes nor no is not known', async () => {
    says({ status: 'SUCCESS', response: { avail: 'maybe', price: '9.73', premium: 'no' } });
    expect(await porkbun.checkNames(login(), ['new.com'], call())).toMatchObject([{ state: 'unknown' }]);
  });
});
