// `check expiry` in processes of its own, at a registry on loopback.
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { closeDatabase, execute, openDatabase, select, transaction } from '../../db/index.ts';
import { startRegistry, type RegistryServer } from '../../src/demo/registry.ts';
import { loadConfig } from '../../src/lib/config.ts';
import { endLeases } from '../support/leases.ts';
import { makeAdminHome, type Home, type Run } from './cli.ts';

const ENDS = '2027-08-13T04:00:00.000Z';
const OWN = Array.from({ length: 12 }, (_, index) => `own-${String(index).padStart(2, '0')}.com`);

let home: Home;
let registry: RegistryServer;
let env: Record<string, string>;
const known = new Set([...OWN, 'site.com', 'site.ru']);
let isDown = false;

beforeAll(async () => {
  const record = { expires_at: ENDS, registrar: 'REGRU-RU', statuses: ['client hold'], name_servers: [] };
  registry = await startRegistry({
    find: (name) => (known.has(name) ? record : undefined),
    isTooMuch: () => isDown,
  });
  env = { RDAP_URL: registry.rdap, WHOIS_SERVER: registry.whois };
  home = await makeAdminHome();
  await home.run(['domain', 'add', ...OWN]);
  await openDatabase(loadConfig({ dataDir: home.dir }, {}).databaseFile);
});
afterAll(async () => {
  await closeDatabase();
  await registry.close();
  home.remove();
});
beforeEach(async () => {
  registry.queries.length = 0;
  await transaction(async () => {
    await execute('DELETE FROM operations');
    await execute('DELETE FROM domain_registrations');
    await execute('DELETE FROM registry_pauses');
  });
  await endPeriods();
});

/** Ends the periods of which the pace of every server counts the calls: whoever has more questions would wait for it. */
const endPeriods = (): Promise<number> => transaction(() => execute('DELETE FROM registry_turns'));

const run = (...args: string[]): Promise<Run> => home.run(['check', 'expiry', ...args, '--lang', 'en'], { env });

test('typed names are answered in their order, each with its date, source and state', async () => {
  const { exit, json } = await run('site.ru', 'free.com', 'www.site.com', 'mysite.com.ru', '--json');
  expect(exit).toBe(0);
  expect(json.items).toMatchObject([
    { domain: 'site.ru', expired_at: ENDS, source: 'whois', age_hours: 0, status: 'hold', error: null },
    { domain: 'free.com', expired_at: null, source: null, age_hours: null, status: 'free', error: null },
    { domain: 'www.site.com', expired_at: ENDS, source: 'rdap', status: 'hold' },
    { domain: 'mysite.com.ru', expired_at: null, status: null, error: 'No registry tells about mysite.com.ru' },
  ]);
  expect(json.summary).toEqual({ total: 4, expired: 0, expiring: 0, unknown: 2 });
  expect(await select('SELECT 1 FROM domain_registrations')).toEqual([]);
});

test('a typed name of the portfolio keeps the result, and a wrong name is an error', async () => {
  const { exit, json } = await run('own-00.com', 'a..b', '--json');
  expect([exit, json.errors]).toMatchObject([5, [{ domain: 'a..b', code: 'bad_name' }]]);
  expect(await select('SELECT expired_at FROM domains WHERE expired_at IS NOT NULL')).toEqual([{ expired_at: ENDS }]);
});

test('nobody who answers is exit 6', async () => {
  const nobody = { RDAP_URL: 'http://127.0.0.1:9', WHOIS_SERVER: '127.0.0.1:9' };
  const { exit, json } = await home.run(['check', 'expiry', 'site.com', '--json', '--lang', 'en'], { env: nobody });
  expect([exit, json.error.code]).toEqual([6, 'unavailable']);
  const typo = await home.run(['check', 'expiry', 'a..b', 'site.com', '--json', '--lang', 'en'], { env: nobody });
  expect([typo.exit, typo.json.errors.length, typo.json.error]).toEqual([6, 2, json.error]);
});

test('look-ups that can’t be stored end with an answer, and the rest is not asked for', async () => {
  await transaction(() =>
    execute(
      `CREATE TRIGGER no_room BEFORE INSERT ON domain_registrations
       BEGIN SELECT RAISE(ABORT, 'no room'); END`,
    ),
  );
  try {
    // The pace of the registry keeps the last ones waiting.
    const { exit, json } = await run(...OWN, '--json');
    expect([exit, json?.ok, json?.error.code]).toEqual([1, false, 'internal']);
    expect(registry.queries.length).toBeLessThan(OWN.length);
  } finally {
    await transaction(() => execute('DROP TRIGGER no_room'));
  }
});

test('every check of the portfolio ends with 5 where no registry answers, and tells what the other checks found', async () => {
  const nobody = { RDAP_URL: 'http://127.0.0.1:9', WHOIS_SERVER: '127.0.0.1:9', SEO_ADMIN_CONNECT_TO: '::127.0.0.1:9' };
  await home.run(['blocklist', 'update', '--file', home.file('list.txt', 'other.ru\n')]);
  const { exit, json } = await home.run(['check', 'all', '--json', '--lang', 'en'], { env: nobody });
  expect([exit, json.ok, json.error.code]).toEqual([5, false, 'partial']);
  expect(json.items).toHaveLength(OWN.length);
  expect(json.summary.total).toBe(OWN.length);
});

test('the portfolio is looked up as an operation; interrupted, it goes on where it was', async () => {
  const started = home.start(['check', 'expiry', '--all', '--json', '--lang', 'en'], { env });
  // As many as the pace of a service allows at once; a question without its answer may be asked again.
  await expect.poll(() => select('SELECT 1 FROM domain_registrations'), { interval: 20 }).toHaveLength(10);
  started.process.kill('SIGINT');
  const cut = await started.ended;
  expect([cut.exit, cut.json.error.code]).toEqual([130, 'interrupted']);
  const asked = new Set(registry.queries);
  registry.queries.length = 0;
  await endPeriods();
  const { exit, json } = await run('--all', '--json');
  expect([exit, json.items.length, json.operation.state]).toEqual([0, 12, 'succeeded']);
  expect(json.items.every(({ expired_at }: { expired_at: string }) => expired_at === ENDS)).toBe(true);
  expect(registry.queries.filter((name) => asked.has(name))).toEqual([]);
  expect(registry.queries).toHaveLength(2);
  // Within the hour nothing is asked for again.
  registry.queries.length = 0;
  expect((await run('--all', '--json')).json.items).toHaveLength(12);
  expect(registry.queries).toEqual([]);
});

test('killed look-ups go on in the next run, which asks for little twice', async () => {
  const started = home.start(['check', 'expiry', '--all', '--json'], { env });
  await expect.poll(() => select('SELECT 1 FROM domain_registrations'), { interval: 20 }).toHaveLength(10);
  started.process.kill('SIGKILL');
  await started.ended;
  await endLeases();
  await endPeriods();
  registry.queries.length = 0;
  expect((await run('--all', '--json')).json).toMatchObject({ ok: true, summary: { total: 12, unknown: 0 } });
  expect(registry.queries).toHaveLength(2);
});

test('a refusal is remembered by the next process', async () => {
  isDown = true;
  const started = home.start(['check', 'expiry', 'site.ru', '--json'], { env });
  await expect.poll(() => select('SELECT 1 FROM registry_pauses')).toHaveLength(1);
  started.process.kill('SIGINT');
  await started.ended;
  isDown = false;
  await transaction(() => execute(`UPDATE registry_pauses SET until = '2099-01-01T00:00:00.000Z'`));
  registry.queries.length = 0;
  const { exit, json } = await run('site.ru', 'site.com', '--json');
  expect(exit).toBe(5);
  expect(json.items).toMatchObject([
    { domain: 'site.ru', error: 'The server whois.tcinet.ru has refused: it is left alone until 2099-01-01 00:00 UTC' },
    { domain: 'site.com', expired_at: ENDS },
  ]);
  expect(registry.queries).toEqual(['site.com']);
});

test('two processes keep the pace of a server together', async () => {
  const names = (from: string): string[] => Array.from({ length: 8 }, (_, index) => `${from}-${index}.com`);
  const asked: number[] = [];
  const note = (): void => {
    while (asked.length < registry.queries.length) asked.push(Date.now());
  };
  const count = setInterval(note, 10);
  const begun = Date.now();
  const runs = await Promise.all([run(...names('one'), '--json'), run(...names('other'), '--json')]);
  clearInterval(count);
  note();
  expect(runs.map(({ exit, json }) => [exit, json.items.length])).toEqual([
    [0, 8],
    [0, 8],
  ]);
  expect(asked).toHaveLength(16);
  // Ten calls in ten seconds: the eleventh waits for the next period, and none had begun before.
  expect((asked[10] ?? 0) - begun).toBeGreaterThanOrEqual(10_000);
});

test('tables show the day of the registry, JSON the time', async () => {
  await home.run(['domain', 'add', 'moscow-day.ru']);
  await transaction(() =>
    execute("UPDATE domains SET expired_at = '2027-02-13T21:00:00.000Z' WHERE domain_name = 'moscow-day.ru'"),
  );
  const asked = ['domain', 'list', '--search', 'moscow-day', '--lang', 'en'];
  await transaction(() =>
    execute(
      `INSERT INTO domain_registrations (domain_id, looked_up_at, suspect_date, suspect_source, suspect_since)
       SELECT id, expired_at, '2026-03-01T21:00:00.000Z', 'whois', expired_at FROM domains WHERE domain_name = 'moscow-day.ru'`,
    ),
  );
  expect((await home.run(asked)).stdout).toMatch(/expires +suspect[^]*2027-02-14 +2026-03-02/);
  expect((await home.run([...asked, '--json'])).json.items).toMatchObject([{ expired_at: '2027-02-13T21:00:00.000Z' }]);
});
