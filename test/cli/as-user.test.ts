// `--as LOGIN`: a command sees and may do what its user may, as in the API.
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { closeDatabase, execute, openDatabase, transaction } from '../../db/index.ts';
import { startCloudflare, type CloudflareFake } from '../../src/demo/cloudflare.ts';
import { loadConfig } from '../../src/lib/config.ts';
import { recordOf } from '../support/cdn.ts';
import { cfAccount, KEY, stateOfMany } from '../support/cloudflare-state.ts';
import { dump } from '../support/database.ts';
import { zipOf } from '../support/zips.ts';
import { everyThird } from '../support/vitest/turns.ts';
import { makeAdminHome, PASSWORD, type Home, type Run } from './cli.ts';

const RULE = 'a'.repeat(32);
/** Values that only ann may learn. */
const KEPT = ['198.51.100.77', 'kept-target.com', 'Kept plan', 'kept-reserve.com'];

let home: Home;
let outside: CloudflareFake;
let env: Record<string, string>;
let files: Record<'records' | 'page', string>;

async function good(line: string, input?: string): Promise<Run> {
  const run = await home.run([...line.split(' '), '--json'], { env, ...(input !== undefined && { input }) });
  if (run.exit !== 0) throw new Error(`${line}: ${run.stderr}`);
  return run;
}

beforeAll(async () => {
  home = await makeAdminHome();
  outside = await startCloudflare({ state: stateOfMany(1) });
  env = { CLOUDFLARE_API_URL: outside.url };
  for (const name of ['kept.com', 'kept-reserve.com', 'bob.com', 'bob-reserve.com']) {
    const address = name.startsWith('kept') ? '198.51.100.77' : '198.51.100.1';
    const zone = outside.addZone({
      name,
      account_id: cfAccount(1),
      status: 'active',
      records: [recordOf(name, `A @ ${address}`, 0)],
    });
    const action = { id: 'forwarding_url', value: { url: 'https://kept-target.com/$2', status_code: 301 } };
    if (name !== 'kept.com') continue;
    zone.page_rules.push({
      id: RULE,
      targets: [{ target: 'url', constraint: { operator: 'matches', value: '*kept.com/*' } }],
      actions: [action],
      priority: 1,
      status: 'active',
      created_on: '2026-01-01T00:00:00Z',
      modified_on: '2026-01-01T00:00:00Z',
    });
  }
  files = {
    records: home.file('records.txt', '@ 300 IN A 192.0.2.9\n'),
    page: home.file('page.html', '<title>Hello</title><body><p>There</p></body>'),
  };
  for (const login of ['ann', 'bob']) await good(`user create --login ${login} --password-stdin`, PASSWORD);
  await good('cloudflare add Main --email ops1@example.net --key-stdin', KEY);
  await good('server add srv --host 203.0.113.10 --user root --password-stdin', 'secret word');
  await good(`template add ${home.file('promo.zip', zipOf({ 'index.html': '<h1>TITLE</h1>BODY' }))}`);
  const made = await home.run(['project', 'create', 'Kept plan', '--as', 'ann'], { env });
  if (made.exit !== 0) throw new Error(made.stderr);
  await good('project create Bob --as bob');
  await good('domain add kept.com kept-reserve.com --as ann');
  await good('domain add bob.com bob-reserve.com x.kept.com --as bob');
  await openDatabase(loadConfig({ dataDir: home.dir }, {}).databaseFile);
  await transaction(async () => {
    await execute(`UPDATE domains SET cloudflare_account_id = 1, server_id = 1,
      file_path = iif(domain_name LIKE 'kept%', '/srv/kept/' || domain_name, '/srv/bob/' || domain_name),
      project_id = (SELECT p.id FROM projects p WHERE p.user_id = domains.user_id),
      type = iif(domain_name IN ('kept.com', 'bob.com'), 'main', 'transfer')`);
    // As stored before another user's folder was refused.
    await execute(`UPDATE domains SET file_path = '/srv/kept/kept.com' WHERE domain_name = 'x.kept.com'`);
  });
  await good('protect tls off kept.com --yes --as ann');
});
afterAll(async () => {
  await closeDatabase();
  await outside.close();
  home.remove();
});
beforeEach(() => {
  outside.requests.length = 0;
});

const as = (login: string, line: string): Promise<Run> =>
  home.run(
    [
      ...line.replaceAll(/RECORDS|PAGE/g, (word) => files[word === 'PAGE' ? 'page' : 'records']).split(' '),
      '--as',
      login,
      '--json',
      '--lang',
      'en',
    ],
    {
      env,
    },
  );
const world = (): string => JSON.stringify(outside.state.zones);
const writes = (): string[] =>
  outside.requests.filter(({ method }) => method !== 'GET').map(({ method, path }) => `${method} ${path}`);
const kept = ({ stdout, stderr }: Run, line: string): string[] =>
  KEPT.filter((word) => (stdout + stderr).includes(word) && !line.includes(word));

// Every third is run; all in `npm run test:long`, and the API's refusals in `test/api/rights`.
const REFUSED = [
  'domain show kept.com',
  'domain remove kept.com --yes',
  'domain remove --names kept.com --yes',
  'domain set kept.com --mode manual --yes',
  'domain add kept.com',
  'project rename 1 Mine',
  'project remove 1 --yes',
  'dns list kept.com',
  'dns list x.kept.com',
  'dns set kept.com --account Main --server srv --tls on --yes',
  'dns set x.kept.com --account Main --server srv --yes',
  'dns set www.kept.com --account Main --server srv --dry-run',
  'dns apply kept.com --file RECORDS --yes',
  'dns apply x.kept.com --file RECORDS --override --yes',
  'rules list kept.com',
  'rules list x.kept.com',
  'rules attach bob.com kept.com --account Main --server srv --yes',
  'rules attach kept.com bob.com --account Main --server srv --yes',
  `rules remove kept.com ${RULE} --yes`,
  `rules remove x.kept.com ${RULE} --yes`,
  `rules remove bob.com ${RULE} --yes`,
  'protect under-attack enable kept.com --yes',
  'protect tls off kept.com --dry-run',
  'site show kept.com',
  'site deploy kept.com --template promo --html PAGE --yes',
  'site deploy x.kept.com --template promo --html PAGE --yes',
  'transfer plan kept.com kept-reserve.com',
  'transfer plan bob.com kept-reserve.com',
  'transfer run kept.com bob-reserve.com --force --yes',
  'transfer run bob.com x.kept.com --force --yes',
  'why kept.com',
  'why kept.com --stored',
  'transfer history kept.com',
  'transfer auto --project 1 --yes',
  'operation show 1',
  'operation cancel 1',
  'operation resume 1 --yes',
  'operation restore 1 --yes',
];

test.each(everyThird(REFUSED))(
  'as another user, %s is refused, changes nothing and discloses nothing',
  async (line) => {
    const [rows, before] = [await dump(), world()];
    const run = await as('bob', line);
    expect(run).toMatchObject({ exit: 1, stdout: expect.stringContaining('"ok":false') });
    expect(kept(run, line)).toEqual([]);
    expect([await dump(), world(), writes()]).toEqual([rows, before, []]);
  },
);

test.each([
  ['dns set kept.com --dry-run', 'kept.com'],
  ['dns set www.kept.com --yes', 'www.kept.com'],
  ['rules attach kept.com bob.com --dry-run', 'kept.com'],
  ['rules attach bob.com new.com kept.com x.kept.com kept-reserve.com --yes', 'kept.com, x.kept.com, kept-reserve.com'],
])('as another user, `%s` names each domain that is not there, in both languages', async (line, names) => {
  const words = [...line.split(' '), '--account', 'Main', '--server', 'srv', '--as', 'bob'];
  for (const [lang, told] of [
    ['en', 'No such domain'],
    ['ru', 'Нет такого домена'],
  ] as const) {
    const { exit, stderr } = await home.run([...words, '--lang', lang], { env });
    expect([exit, stderr]).toEqual([1, `seo-admin: ${told}: ${names}\n`]);
  }
});

test.each([
  ['domain list', 'bob.com'],
  ['project list', 'Bob'],
  ['operation list', '"items":[]'],
  ['domain export', 'bob.com'],
  ['transfer auto --all --dry-run', '"ok"'],
])('as another user, %s shows only the user’s own rows', async (line, own) => {
  const run = await as('bob', line);
  expect(run).toMatchObject({ exit: 0, stdout: expect.stringContaining(own) });
  expect(kept(run, line)).toEqual([]);
});

test('as another user, --all covers only the user’s own zones', async () => {
  const before = JSON.stringify(Object.values(outside.state.zones).filter(({ name }) => name.startsWith('kept')));
  const run = await as('bob', 'protect under-attack enable --all --yes');
  expect([run.exit, run.json.items.map(({ item }: { item: string }) => item).toSorted()]).toEqual([
    0,
    ['under_attack bob-reserve.com', 'under_attack bob.com'],
  ]);
  expect(JSON.stringify(Object.values(outside.state.zones).filter(({ name }) => name.startsWith('kept')))).toBe(before);
});

test.each([
  'domain show kept.com',
  'dns list kept.com',
  'rules list kept.com',
  'protect tls on kept.com --dry-run',
  'transfer history kept.com',
  'operation show 1',
])('as its owner, %s succeeds', async (line) => {
  const run = await as('ann', line);
  expect([run.exit, run.stderr]).toEqual([0, '']);
});

test('--as refuses an unknown and a disabled user', async () => {
  expect((await as('nobody', 'domain list')).exit).toBe(1);
  await good('user create --login gone --password-stdin', PASSWORD);
  await good('user disable gone');
  const { exit, json } = await as('gone', 'domain list');
  expect([exit, json.error.code]).toEqual([4, 'forbidden']);
});

test('a group is tested as far as its accounts are the user’s; those of others are told by name', async () => {
  await good('cloudflare add Own --email ops1@example.net --key-stdin --as bob', KEY);
  await good('group add Both --account Main Own');
  const both = await home.run('group test Both --as bob --json --lang en'.split(' '), { env });
  expect(both.json.items).toMatchObject([
    { name: 'Main', status: 'fail', code: 'forbidden' },
    { name: 'Own', status: 'ok', code: null },
  ]);
  expect([both.exit, both.json.summary]).toEqual([5, { total: 2, fail: 1 }]);
  const none = await home.run('cloudflare test Main --as bob --json --lang en'.split(' '), { env });
  expect([none.exit, none.json.error.code]).toEqual([4, 'forbidden']);
});

test.each([
  'name check a.ru',
  'name check-template a.ru',
  'name generate {a|b}.ru',
  'check blocked a.ru',
  'blocklist status',
  'demo reset',
])('%s refuses a user of `--as` that does not exist, as every command does', async (line) => {
  const { exit, json } = await home.run([...line.split(' '), '--as', 'nobody', '--json'], { env });
  expect([exit, json.error.code]).toEqual([1, 'not_found']);
});

test.each(['serve --port 0', 'worker'])('%s is begun by the host or an administrator of --as alone', async (line) => {
  const refused = [await as('nobody', line), await as('bob', line)].map(({ exit, json }) => [exit, json.error.code]);
  expect(Object.fromEntries(refused)).toEqual({ 1: 'not_found', 4: 'forbidden' });
  const running = home.start([...line.split(' '), '--as', 'admin', '--lang', 'en'], { env });
  await running.says(/^listening on|^Working/m);
  running.process.kill('SIGTERM');
  expect((await running.ended).exit).toBe(143);
});
