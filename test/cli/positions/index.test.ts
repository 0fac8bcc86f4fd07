// `check index`: its names, what it asks before it pays, and how it ends.
import { beforeAll, beforeEach, expect, test } from 'vitest';
import { closeDatabase, execute, openDatabase, transaction } from '../../../db/index.ts';
import { loadConfig } from '../../../src/lib/config.ts';
import type { Run } from '../cli.ts';
import { done, home, KEY, river, run, TOKEN, useSearchCli, web } from './world.ts';

useSearchCli();

const MAINS = ['indexed-1.ru', 'indexed-2.ru', 'gone.ru'];

/** The run before there was an account. */
let unready: Run;
/** The run while there was an account of Arsenkin alone. */
let byTasks: Run;

beforeAll(async () => {
  for (const name of MAINS) {
    await done(`domain add ${name}`);
    if (name !== 'gone.ru') web.hosts[name] = { topic: 'shop', from: null, until: null };
  }
  unready = await run('check index --yes --json');
  await done('arsenkin add tasks --token-stdin', [], TOKEN);
  byTasks = await run('check index indexed-1.ru --yes --json');
  await done('arsenkin remove tasks --yes');
  await done('xmlriver add river --login 12345 --key-stdin', [], KEY);
});
beforeEach(() => {
  river.charged.length = 0;
  river.faults.length = 0;
});

const namesOf = (items: { domain: string }[]): string[] => items.map(({ domain }) => domain).toSorted();

test('is not configured without an account', () => {
  expect([unready.exit, unready.json.error.code]).toEqual([4, 'not_configured']);
});

test('asks the service that has an account, whichever it is', () => {
  expect([byTasks.exit, byTasks.json.items]).toMatchObject([0, [{ domain: 'indexed-1.ru', yandex_indexation: true }]]);
});

test('asks before it pays: with --dry-run it says what, without a terminal it needs --yes', async () => {
  const plan = await done('check index --engine google --dry-run');
  expect([plan.dry_run, plan.requests, namesOf(plan.items)]).toEqual([true, 6, MAINS.toSorted()]);
  const refused = await run('check index --json');
  expect([refused.exit, refused.json.error.message]).toEqual([2, expect.stringContaining('--yes')]);
  expect(river.charged).toEqual([]);
});

test('ends with 75 while the schedule does the same, before anything is paid; a part of it is no run of the job', async () => {
  const inDatabase = async (sql: string): Promise<void> => {
    await openDatabase(loadConfig({ dataDir: home.dir }, {}).databaseFile);
    try {
      await transaction(() => execute(sql));
    } finally {
      await closeDatabase();
    }
  };
  await inDatabase(
    `INSERT INTO schedule_runs (name, rule, tries, lease_owner, lease_until, started_at)
     VALUES ('indexation', '', 1, 'other', '9', '2026-11-25T08:00:00.000Z')`,
  );
  const busy = await run('check index --yes --json');
  expect([busy.exit, busy.json.error.code]).toEqual([75, 'busy']);
  expect(busy.json.error.message).toContain('indexation');
  expect(river.charged).toEqual([]);
  expect((await run('check index indexed-1.ru --yes --json')).exit).toBe(0);
  await inDatabase(`DELETE FROM schedule_runs WHERE name = 'indexation'`);
});

test('checks all mains, or those of arguments, a file and a pipe', async () => {
  const all = await done('check index --yes');
  expect([namesOf(all.items), all.summary]).toEqual([MAINS.toSorted(), { total: 3, missing: 1 }]);
  expect(all.items.find(({ domain }: { domain: string }) => domain === 'gone.ru')).toMatchObject({
    yandex_indexation: false,
    google_indexation: false,
  });
  const file = home.file('names.txt', 'indexed-1.ru, # the first\nGONE.ru');
  const asked = (): string[] => [...new Set(river.charged.map(({ engine, query }) => `${engine} ${query}`))];
  for (const [words, input] of [
    [['indexed-1.ru', 'https://gone.ru/'], undefined],
    [['--file', file], undefined],
    [[], 'indexed-1.ru;gone.ru\n'],
    [['-'], 'indexed-1.ru\ngone.ru'],
  ] as const) {
    river.charged.length = 0;
    const { items } = await done('check index --yes --engine google', [...words], input);
    expect(namesOf(items)).toEqual(['gone.ru', 'indexed-1.ru']);
    expect(asked().filter((query) => !/^google .*(?:gone|indexed-1)/.test(query))).toEqual([]);
  }
});

test('names what it does not know, and checks the others', async () => {
  const { exit, json } = await run('check index indexed-1.ru nowhere.ru bad_name --yes --engine yandex --json');
  expect([exit, namesOf(json.items)]).toEqual([5, ['indexed-1.ru']]);
  expect(
    json.errors.map(({ domain, code }: { domain: string; code: string }) => `${domain} ${code}`).toSorted(),
  ).toEqual(['bad_name bad_name', 'nowhere.ru not_found']);
  river.charged.length = 0;
  const none = await run('check index nowhere.ru --yes --json');
  expect([none.exit, none.json.error.code]).toEqual([1, 'not_found']);
  expect(none.json.error.message).toContain('nowhere.ru');
  expect((await run('check index bad_name --yes --json')).exit).toBe(2);
  expect((await run('check index indexed-1.ru --engine bing --json')).exit).toBe(2);
  expect(river.charged).toEqual([]);
});

test.each([
  ['the key is wrong', 42, 4, 'not_configured'],
  ['the money is gone', 200, 1, 'failed'],
] as const)('ends where %s, and resumes with the whole answer', async (_what, fault, exit, code) => {
  river.faults.push({ kind: 'code', code: fault, times: 99 });
  const failed = await run('check index --yes --json');
  expect([failed.exit, failed.json.error.code]).toEqual([exit, code]);
  river.faults.length = 0;
  const { id } = failed.json.operation;
  const resumed = await run(`operation resume ${id} --yes --json`);
  expect([resumed.exit, namesOf(resumed.json.items)]).toEqual([0, MAINS.toSorted()]);
});

test('a part that failed is told as such', async () => {
  river.faults.push({ kind: 'code', code: 102, times: 9, query: 'https://indexed-2.ru/' });
  const { exit, json } = await run('check index indexed-1.ru indexed-2.ru --yes --engine google --json');
  expect([exit, json.error.code, json.items.length]).toEqual([5, 'partial', 2]);
});
