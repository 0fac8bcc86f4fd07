import { afterAll, beforeAll, expect, test } from 'vitest';
import { makeAdminHome, PASSWORD, type Home } from './cli.ts';

let home: Home;
beforeAll(async () => {
  home = await makeAdminHome();
  const bob = ['user', 'create', '--login', 'bob', '--password-stdin'];
  await home.run(bob, { input: `${PASSWORD}\n` });
});
afterAll(() => home.remove());

test('2,000 names of a file are added, and each refused one is reported by its name', async () => {
  const parents = await home.run(['domain', 'add', 'north.example', 'www.south.example', 'taken.example', '--json']);
  expect(parents).toMatchObject({ exit: 0, json: { summary: { total: 3, done: 3, failed: 0 } } });
  const many = Array.from({ length: 1_994 }, (_, index) => `shop-${index}.example`);
  many.splice(700, 0, 'taken.example', 'no host', 'x.north.example', 'south.example', 'SHOP-5.example', 'пример.рф');
  const added = await home.run([
    'domain',
    'add',
    '--as',
    'bob',
    '--json',
    '--file',
    home.file('names', many.join('\n')),
  ]);
  expect(added).toMatchObject({ exit: 5, json: { ok: false, error: { code: 'partial' } } });
  expect(added.json.summary).toEqual({ total: 2_000, done: 1_997, failed: 3 });
  expect(added.json.errors.map(({ domain, code }: { domain: string; code: string }) => [domain, code])).toEqual([
    ['no', 'bad_name'],
    ['host', 'bad_name'],
    ['taken.example', 'domain_taken'],
  ]);
  const names = added.json.items.map(({ domain_name }: { domain_name: string }) => domain_name);
  expect(names.slice(698, 704)).toEqual([
    'shop-698.example',
    'shop-699.example',
    'x.north.example',
    'south.example',
    'xn--e1afmkfd.xn--p1ai',
    'shop-700.example',
  ]);
  expect(added.json.items[0]).toMatchObject({ user_login: 'bob', type: 'main', status: 'available' });
  const listed = await home.run(['domain', 'list', '--as', 'bob', '--json']);
  expect(listed.json.items.map(({ domain_name }: { domain_name: string }) => domain_name)).toEqual(names);
  const again = await home.run(['domain', 'add', 'taken.example', 'south.example', '--json']);
  expect(again).toMatchObject({ exit: 1, json: { error: { code: 'domain_taken' }, summary: { done: 0, failed: 2 } } });
});
