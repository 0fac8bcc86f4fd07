// Limits, faults and the state of Cloudflare in small.
import { describe, expect, test } from 'vitest';
import type { CloudflareState } from '../../../src/demo/cloudflare/state.ts';
import { ask, at, cloudflare, KEY, record, start, TOKEN, useCloudflare, zone } from './world.ts';

useCloudflare();

describe('limits and faults', () => {
  test('beyond the rate limit all calls of the user are refused, by key and by token', async () => {
    await start({ rateLimit: { calls: 3, seconds: 60 } });
    const answers = [];
    for (let i = 0; i < 4; i += 1) answers.push(await ask('GET /zones'));
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 429]);
    expect(answers[0]?.headers.get('ratelimit')).toMatch(/^"default";r=2;t=\d+$/);
    expect(answers[0]?.headers.get('retry-after')).toBeNull();
    expect(Number(answers[3]?.headers.get('retry-after'))).toBeGreaterThan(50);
    expect((await ask('GET /zones', undefined, { Authorization: `Bearer ${TOKEN}` })).status).toBe(429);
    const two = { 'X-Auth-Email': 'two@example.net', 'X-Auth-Key': KEY.replace('0', 'f') };
    expect((await ask('GET /zones', undefined, two)).status).toBe(200);
  });

  test('a fault applies to its call, the given number of times', async () => {
    cloudflare.faults.push(
      { kind: 'status', status: 503, call: 'GET /zones/*', times: 2 },
      { kind: '429', retryAfter: 7, call: 'GET /zones' },
    );
    expect((await ask('GET /user')).status).toBe(200);
    expect((await ask(`GET ${at('')}`)).status).toBe(503);
    expect((await ask(`GET ${at('')}`)).status).toBe(503);
    expect((await ask(`GET ${at('')}`)).status).toBe(200);
    expect((await ask('GET /zones')).headers.get('retry-after')).toBe('7');
    expect(cloudflare.faults).toEqual([]);
  });

  test('a connection can be cut before the act and after it', async () => {
    const body = { type: 'A', name: 'www', content: '198.51.100.4' };
    cloudflare.faults.push(
      { kind: 'drop-before', call: 'POST /zones/**' },
      { kind: 'act-then-drop', call: 'POST /zones/**' },
    );
    await expect(record(body)).rejects.toThrow('fetch failed');
    expect(zone.records).toHaveLength(0);
    await expect(record(body)).rejects.toThrow('fetch failed');
    expect(zone.records).toHaveLength(1);
  });

  test('an answer can be malformed or late', async () => {
    cloudflare.faults.push({ kind: 'malformed' }, { kind: 'delay', ms: 20 });
    await expect(ask('GET /user')).rejects.toThrow('JSON');
    expect((await ask('GET /user')).status).toBe(200);
  });

  test('calls are recorded', async () => {
    await record({ type: 'A', name: 'www', content: '198.51.100.4' });
    expect(cloudflare.requests.at(-1)).toMatchObject({
      method: 'POST',
      path: at('/dns_records'),
      body: { type: 'A' },
      login: 'ops@example.net',
      status: 200,
    });
  });
});

test('the state is JSON, with which another server can continue', async () => {
  await record({ type: 'A', name: 'www', content: '198.51.100.4' });
  await start({ state: JSON.parse(JSON.stringify(cloudflare.state)) as CloudflareState });
  const found = (await ask('GET /zones?name=example.com')).result;
  expect(found).toHaveLength(2);
});

test('two worlds generate the same ids', async () => {
  const first = zone.id;
  await start();
  expect(zone.id).toBe(first);
});
