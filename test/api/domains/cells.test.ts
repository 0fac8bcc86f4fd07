// A list of domains is narrowed by the values of its cells, and exported with the columns that are seen.
import { expect, test } from 'vitest';
import { ask, create, other, owner, useDomains } from './world.ts';

useDomains();

const names = async (cells: string): Promise<string[]> =>
  (await ask(`GET /api/domains?sort=domain_name&limit=50&cells=${encodeURIComponent(cells)}`)).body.data.map(
    ({ domain_name }: { domain_name: string }) => domain_name,
  );

test('by this value alone, by all but it, and by none', async () => {
  await create({ domain_name: 'a.example', type: 'main', transfer_type: 'manual' });
  await create({ domain_name: 'b.example', type: 'transfer' });
  await create({ domain_name: 'c.example', type: 'main' });
  expect(await names('type:main')).toEqual(['a.example', 'c.example']);
  expect(await names('-type:main')).toEqual(['b.example']);
  expect(await names('type:main,-transfer_type:manual')).toEqual(['c.example']);
  expect(await names('registrar_type:,project_id:')).toHaveLength(3);
  expect(await names('-registrar_type:')).toEqual([]);
  // An unknown value differs from every value.
  expect(await names('-http_status_code:200,-registrar_type:reg.ru')).toHaveLength(3);
  expect(await names('http_status_code:200')).toEqual([]);
  expect((await ask('GET /api/domains?cells=password:x')).status).toBe(400);
  const filter = { type: 'main', cells: '-transfer_type:manual' };
  const { body } = await ask('POST /api/domains_bulk/names', { selection: { filter } });
  expect(body.data).toEqual(['c.example']);
  expect((await ask('GET /api/domains?cells=type:main&limit=5', undefined, other)).body.total).toBe(0);
});

test('all by a value of another table are chosen as the list finds them', async () => {
  const registrar = { name: 'Main', type: 'reg.ru', login: 'key', password: 'secret-1' };
  const { body: added } = await ask('POST /api/registrars', registrar);
  await create({ domain_name: 'a.example', registrars_id: added.data.id });
  await create({ domain_name: 'b.example' });
  const chosen = async (cells: string): Promise<unknown> =>
    (await ask('POST /api/domains_bulk/names', { selection: { filter: { cells } } })).body.data;
  expect(await chosen('registrar_type:reg.ru')).toEqual(['a.example']);
  expect(await chosen('-registrar_type:reg.ru')).toEqual(['b.example']);
  expect(await chosen(`user_login:${owner.login}`)).toEqual(['a.example', 'b.example']);
  expect(await chosen(`user_login:${owner.login},registrar_type:reg.ru`)).toEqual(['a.example']);
  expect(await chosen(`-user_login:${owner.login}`)).toEqual([]);
});

test('a file has the fields that are asked for, in the order of the list', async () => {
  await create({ domain_name: 'a.example' });
  await create({ domain_name: 'b.example', type: 'transfer' });
  await create({ domain_name: 'c.example' });
  const { csv } = (await ask('GET /api/domains_export?fields=type,unicode_name&sort=-domain_name&cells=type:main'))
    .body;
  expect(csv.trimEnd().split('\r\n')).toEqual(['type,unicode_name', 'main,c.example', 'main,a.example']);
  expect((await ask('GET /api/domains_export?fields=password')).status).toBe(400);
});
