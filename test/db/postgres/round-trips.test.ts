// A server may be far from its database: what a person waits for asks it few times.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { execute, select, transaction } from '../../../db/index.ts';
import { startCountingProxy, type CountingProxy } from '../../support/postgres/counting-proxy.ts';
import { PASSWORD, request, startServer, type TestServer } from '../../support/server.ts';

const direct = process.env['TEST_POSTGRES'] ?? '';
let proxy: CountingProxy;
let server: TestServer;

beforeAll(async () => {
  proxy = await startCountingProxy(direct);
  process.env['TEST_POSTGRES'] = proxy.address;
  server = await startServer();
});
afterAll(async () => {
  await server.close();
  process.env['TEST_POSTGRES'] = direct;
  await proxy.close();
});

/** Returns the round trips of some work: the fewest of five times, as the delivery of work asks now and then beside it. */
async function tripsOf(work: (time: number) => Promise<unknown>): Promise<number> {
  const counts: number[] = [];
  for (let time = 0; time < 5; time += 1) {
    proxy.take();
    await work(time);
    counts.push(proxy.take());
  }
  return Math.min(...counts);
}

test('a sign-in asks the database twelve times at most', async () => {
  const trips = await tripsOf(async () => {
    const { status } = await request(server, 'POST /api/login', { body: { login: 'admin', password: PASSWORD } });
    expect(status).toBe(200);
  });
  expect(trips).toBeLessThanOrEqual(12);
});

test('a list asks the database three times at most, ten a domain that is added, and fifteen one that is saved', async () => {
  const { token } = server.admin;
  const lists = await tripsOf(async (time) => {
    const { status } = await request(server, `GET /api/domains?limit=${time + 1}`, { token });
    expect(status).toBe(200);
  });
  expect(lists).toBeLessThanOrEqual(3);
  const added = await tripsOf(async (time) => {
    const body = { domain_name: `example-${time}.com` };
    expect((await request(server, 'POST /api/domains', { token, body })).status).toBe(200);
  });
  expect(added).toBeLessThanOrEqual(10);
  const [{ id }] = (await select('SELECT id FROM domains LIMIT 1')) as [{ id: number }];
  const saved = await tripsOf(async (time) => {
    const body = { domain_name: 'example-0.com', file_path: `/var/www/${time}` };
    expect((await request(server, `POST /api/domains/${id}`, { token, body })).status).toBe(200);
  });
  expect(saved).toBeLessThanOrEqual(15);
});

test('of statements that are begun together each gets its own answer; where one fails none is committed, and the next transaction works', async () => {
  const set = (name: string): Promise<number> =>
    execute('INSERT INTO installation (name, value) VALUES ($name, $name)', { name });
  const isSet = (name: string): Promise<object[]> =>
    select('SELECT value FROM installation WHERE name = $name', { name });
  await transaction(async () => {
    expect(await Promise.all([set('one'), isSet('one'), isSet('two'), set('two')])).toEqual([
      1,
      [{ value: 'one' }],
      [],
      1,
    ]);
  });
  await expect(transaction(() => Promise.all([set('three'), set('two'), set('four')]))).rejects.toMatchObject({
    code: '23505',
  });
  for (const name of ['three', 'four']) expect(await isSet(name)).toEqual([]);
  await transaction(() => set('three'));
  expect(await isSet('three')).toEqual([{ value: 'three' }]);
  expect(await transaction(() => Promise.all([set('five').catch(() => 0), isSet('three')]))).toEqual([
    1,
    [{ value: 'three' }],
  ]);
});
