// DNS records at Cloudflare in small.
import { describe, expect, test } from 'vitest';
import { ask, at, record, useCloudflare } from './world.ts';

useCloudflare();

describe('DNS records', () => {
  test('of every type are stored in the spelling of the API', async () => {
    const made = await Promise.all([
      record({ type: 'A', name: '@', content: '198.51.100.4', proxied: true, ttl: 300 }),
      record({ type: 'AAAA', name: 'WWW', content: '2001:db8::1' }),
      record({ type: 'CNAME', name: '*.example.com', content: 'Target.Example.' }),
      record({ type: 'TXT', name: 'example.com', content: 'v=spf1 -all' }),
      record({ type: 'MX', name: 'example.com', content: 'mx.example.com', priority: 10 }),
      record({
        type: 'URI',
        name: '_http._tcp',
        priority: 10,
        data: { weight: 1, target: 'https://www.example.com/' },
      }),
      record({ type: 'CAA', name: '@', data: { flags: 0, tag: 'issue', value: 'letsencrypt.org' } }),
      record({
        type: 'SRV',
        name: '_sip._tcp',
        data: { priority: 5, weight: 1, port: 5060, target: 'sip.example.com' },
      }),
    ]);
    expect(made.map(({ result }) => [result.name, result.content, result.proxied, result.ttl])).toEqual([
      ['example.com', '198.51.100.4', true, 1],
      ['www.example.com', '2001:db8::1', false, 1],
      ['*.example.com', 'target.example', false, 1],
      ['example.com', '"v=spf1 -all"', false, 1],
      ['example.com', 'mx.example.com', false, 1],
      ['_http._tcp.example.com', '1 "https://www.example.com/"', false, 1],
      ['example.com', '0 issue "letsencrypt.org"', false, 1],
      ['_sip._tcp.example.com', '1 5060 sip.example.com', false, 1],
    ]);
    expect((await ask(`GET ${at('/dns_records?type=MX')}`)).result).toMatchObject([{ priority: 10 }]);
    expect((await ask(`GET ${at('/dns_records?per_page=3&page=2')}`)).info).toMatchObject({ count: 3, total_count: 8 });
  });

  const broken: [string, object, number][] = [
    ['an address that is none', { type: 'A', name: '@', content: '300.1.1.1' }, 9005],
    ['an IPv4 address as AAAA', { type: 'AAAA', name: '@', content: '198.51.100.4' }, 9006],
    ['a target that is none', { type: 'CNAME', name: 'www', content: 'no target' }, 9007],
    ['a name that is none', { type: 'A', name: 'a b', content: '198.51.100.4' }, 9000],
    ['a proxied TXT', { type: 'TXT', name: '@', content: 'x', proxied: true }, 9004],
    ['a short TTL', { type: 'A', name: '@', content: '198.51.100.4', ttl: 30 }, 9021],
    ['a URI by its content', { type: 'URI', name: '@', content: '10 1 "https://x/"', priority: 10 }, 9101],
    ['an MX without priority', { type: 'MX', name: '@', content: 'mx.example.com' }, 9102],
    ['an unknown type', { type: 'NONE', name: '@', content: 'x' }, 9002],
  ];
  test.each(broken)('%s is refused', async (_, body, chain) => {
    expect(await record(body)).toMatchObject({ status: 400, code: 1004, chain });
  });

  test('conflict with an equal record, and as a CNAME with an address', async () => {
    const a = { type: 'A', name: 'www', content: '198.51.100.4' };
    const { result } = await record(a);
    expect((await record(a)).code).toBe(81_058);
    expect((await record({ ...a, proxied: true })).code).toBe(81_057);
    expect((await record({ type: 'CNAME', name: 'www', content: 'x.example' })).code).toBe(81_053);
    await record({ type: 'CNAME', name: 'shop', content: 'x.example' });
    expect((await record({ ...a, name: 'shop' })).code).toBe(81_054);
    expect((await ask(`PATCH ${at(`/dns_records/${result.id}`)}`, { proxied: true })).result.proxied).toBe(true);
    const put = await ask(`PUT ${at(`/dns_records/${result.id}`)}`, { ...a, content: '198.51.100.5' });
    expect(put.result).toMatchObject({ content: '198.51.100.5', proxied: false });
    expect((await ask(`DELETE ${at(`/dns_records/${result.id}`)}`)).result).toEqual({ id: result.id });
    expect(await ask(`DELETE ${at(`/dns_records/${result.id}`)}`)).toMatchObject({ status: 404, code: 81_044 });
  });

  test('are all changed by a batch, or none', async () => {
    const one = (await record({ type: 'A', name: 'one', content: '198.51.100.1' })).result;
    const two = (await record({ type: 'A', name: 'two', content: '198.51.100.2' })).result;
    const broken = { deletes: [{ id: one.id }], posts: [{ type: 'A', name: 'x', content: 'bad' }] };
    expect((await ask(`POST ${at('/dns_records/batch')}`, broken)).code).toBe(1004);
    expect((await ask(`GET ${at('/dns_records')}`)).result).toHaveLength(2);
    const good = {
      deletes: [{ id: one.id }],
      patches: [{ id: two.id, proxied: true }],
      posts: [{ type: 'CNAME', name: 'one', content: 'x.example' }],
    };
    const { result } = await ask(`POST ${at('/dns_records/batch')}`, good);
    expect(result).toMatchObject({ deletes: [{ id: one.id }], patches: [{ proxied: true }], puts: [], posts: [{}] });
    const posts = Array.from({ length: 201 }, (_, i) => ({ type: 'A', name: `n${i}`, content: '198.51.100.1' }));
    expect((await ask(`POST ${at('/dns_records/batch')}`, { posts })).code).toBe(1004);
    expect((await ask(`POST ${at('/dns_records/batch')}`, { posts: posts.slice(1) })).result.posts).toHaveLength(200);
  });
});
