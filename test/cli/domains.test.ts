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

test('many domains are set by a filter after a plan, and given back; only those of the user', async () => {
  await home.run(['project', 'create', 'Many', '--as', 'bob']);
  await home.run(['domain', 'add', 'many-1.example', 'many-2.example', '--project', 'Many', '--as', 'bob']);
  await home.run(['domain', 'add', 'many-3.example', '--as', 'bob']);
  const filter = ['--filter', 'project=Many,search=many', '--json', '--as', 'bob'];
  const planned = await home.run(['domain', 'set', ...filter, '--mode', 'manual', '--project', 'none', '--dry-run']);
  const summary = { total: 2, changed: 2, same: 0, failed: 0 };
  expect(planned).toMatchObject({ exit: 0, json: { dry_run: true, summary } });
  for (const words of [['set', '--mode', 'manual'], ['remove']]) {
    const plan = ['domain', ...words, '--filter', 'project=Many,search=many', '--dry-run', '--lang', 'en'];
    expect((await home.run([...plan, '--as', 'bob'])).stderr).toMatch(
      /^Nothing was done: this is the plan\. 2 changes, 0 /m,
    );
  }
  const unasked = await home.run(['domain', 'set', ...filter, '--mode', 'manual']);
  expect(unasked.exit).toBe(2);
  const set = await home.run(['domain', 'set', ...filter, '--mode', 'manual', '--project', 'none', '--yes']);
  expect(set).toMatchObject({ exit: 0, json: { summary } });
  const shown = async (name: string) => (await home.run(['domain', 'show', name, '--json'])).json;
  expect(await shown('many-1.example')).toMatchObject({ transfer_type: 'manual', project_name: null });
  const names = ['--names', 'many-1.example,many-3.example,taken.example,no host'];
  const partly = await home.run(['domain', 'remove', ...names, '--yes', '--json', '--as', 'bob']);
  expect(partly).toMatchObject({ exit: 5, json: { error: { code: 'partial' }, summary: { changed: 2 } } });
  const undo = ['domain', 'undo', String(partly.json.undo), '--json'];
  expect(await home.run([...undo, '--as', 'bob'])).toMatchObject({ exit: 0, json: { restored: 2, kept: 0 } });
  expect(await home.run([...undo, '--as', 'bob'])).toMatchObject({ exit: 1 });
  await home.run(['domain', 'undo', String(set.json.undo), '--as', 'bob']);
  expect(await shown('many-1.example')).toMatchObject({ transfer_type: 'auto', project_name: 'Many' });

  // A flag alone changes its field alone.
  const named = ['domain', 'set', 'many-1.example', '--yes', '--as', 'bob'];
  expect(await home.run([...named, '--mode', 'manual'])).toMatchObject({ exit: 0 });
  expect(await shown('many-1.example')).toMatchObject({ transfer_type: 'manual', project_name: 'Many' });
  expect(await home.run([...named, '--project', 'none'])).toMatchObject({ exit: 0 });
  expect(await shown('many-1.example')).toMatchObject({ transfer_type: 'manual', project_name: null });
});

test('a domain that was changed since an edit stays where the edit is given back, which ends as partial', async () => {
  await home.run(['domain', 'add', 'back-1.example', 'back-2.example']);
  const set = (names: string, mode: string) =>
    home.run(['domain', 'set', '--names', names, '--mode', mode, '--yes', '--json']);
  const given = await set('back-1.example,back-2.example', 'manual');
  await set('back-1.example', 'auto');
  const undo = (id: number) => home.run(['domain', 'undo', String(id), '--json', '--lang', 'en']);
  const back = await undo(given.json.undo);
  expect(back).toMatchObject({ exit: 5, json: { ok: false, restored: 1, kept: 1, error: { code: 'partial' } } });
  expect(back.json.error.message).toContain('Changed since, and left as they are: 1');
  const unknown = await undo(999_999);
  expect([unknown.exit, unknown.json.error.message]).toEqual([1, 'No such change of domains: #999999']);
});

test('a project whose name another one has as well is given by its number: none is guessed', async () => {
  const create = async (...as: string[]): Promise<number> =>
    (await home.run(['project', 'create', 'Twin', ...as, '--json'])).json.id;
  const [own, bobs] = [await create(), await create('--as', 'bob')];
  const refused = await home.run(['project', 'remove', 'twin', '--json', '--lang', 'en']);
  expect([refused.exit, refused.json.error.message]).toEqual([
    1,
    `Several are called "twin": give the id (${own}, ${bobs})`,
  ]);
  const names = async () => {
    const { items } = (await home.run(['project', 'list', '--json'])).json;
    return items.filter(({ name }: { name: string }) => name === 'Twin').map(({ id }: { id: number }) => id);
  };
  expect(await names()).toEqual([own, bobs]);
  expect((await home.run(['project', 'rename', 'Twin', 'Mine', '--as', 'bob'])).exit).toBe(0);
  expect(await names()).toEqual([own]);
  expect((await home.run(['project', 'remove', String(own)])).exit).toBe(0);
});

test.each([
  ['none is wrong', 'right-1.example\nright-2.example', 0, undefined],
  ['some are wrong', 'right-3.example\nno_host', 5, 'partial'],
  ['all are wrong', 'no_host\nno_host_either', 1, 'invalid'],
])('`domain import --dry-run` of rows of which %s ends as the import does', async (_what, rows, exit, code) => {
  const file = home.file('import.csv', `domain\n${rows}\n`);
  const planned = await home.run(['domain', 'import', file, '--dry-run', '--json']);
  expect(planned).toMatchObject({ exit, json: { ok: exit === 0, dry_run: true } });
  expect(planned.json.items).toHaveLength(2);
  expect((await home.run(['domain', 'list', '--json'])).stdout).not.toContain(rows.split('\n')[0]);
  const done = await home.run(['domain', 'import', file, '--json']);
  expect([done.exit, done.json.error]).toEqual([exit, planned.json.error]);
  expect(planned.json.error?.code).toBe(code);
  expect(planned.json.summary).toEqual(done.json.summary);
});

test('`domain import` tells the names beside those that it takes, and ends well', async () => {
  const file = home.file(
    'beside.csv',
    'beside-1.example, beside-2.example\nbeside-3.example, x\nbeside-4.example, y\n',
  );
  const text = 'Имя в той же строке не взято: beside-2.example';
  const planned = await home.run(['domain', 'import', file, '--dry-run', '--json']);
  expect(planned.exit).toBe(0);
  expect(planned.json.items[0]).toMatchObject({ line: 1, action: 'create', message: text });
  const done = await home.run(['domain', 'import', file]);
  expect([done.exit, done.stderr]).toEqual([0, expect.stringContaining(`${text} (1 строка: 1)`)]);
});
