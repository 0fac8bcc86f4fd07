// `position fetch|show`: what is asked before it is paid, how it ends, and what it goes on with.
import { beforeEach, describe, expect, test } from 'vitest';
import { done, home, KEY, river, run, start, useSearchCli, wellPlaced } from './world.ts';

useSearchCli(30);

const WORDS = ['one', 'two', 'three'];
let project: string;
let count = 0;

beforeEach(async () => {
  river.faults.length = 0;
  if (count === 0) await done('xmlriver add river --login 12345 --key-stdin', [], KEY);
  project = `shop-${(count += 1)}`;
  await done(`project create ${project}`);
  await done(`keyword add --project ${project}`, WORDS);
  const name = `${count}-${wellPlaced('yandex', 'one')}`;
  await done(`domain add ${name} --project ${project}`);
  river.charged.length = 0;
});

const fetchOf = (more = ''): string => `position fetch --project ${project}${more}`;

describe('position fetch', () => {
  test('asks before it pays: with --dry-run it says what, without a terminal it needs --yes', async () => {
    const { json, exit } = await run(fetchOf(' --dry-run --json'));
    expect([exit, json.dry_run, json.requests, json.sum]).toEqual([0, true, 30, '0.76']);
    expect(json.items).toMatchObject([
      { engine: 'yandex', requests: 15, balance: expect.any(String) },
      { engine: 'google', requests: 15 },
    ]);
    for (const flags of [' --wait --json', ' --json']) {
      const refused = await run(fetchOf(flags));
      expect([refused.exit, refused.json.error.code]).toEqual([2, 'usage']);
      expect(refused.json.error.message).toContain('--yes');
    }
    expect(river.charged).toEqual([]);
    expect((await done('operation list')).items).toEqual([]);
  });

  test('reads both engines and prints every keyword, in one document or as CSV', async () => {
    const { json, exit } = await run(fetchOf(' --wait --yes --json'));
    expect([exit, json.ok, json.operations.length, json.items.length]).toEqual([0, true, 2, 6]);
    expect(
      json.items.map(({ engine, keyword }: { engine: string; keyword: string }) => `${engine} ${keyword}`),
    ).toEqual(['yandex', 'google'].flatMap((engine) => WORDS.map((word) => `${engine} ${word}`)));
    expect(json.items[0]).toMatchObject({
      date: new Date().toISOString().slice(0, 10),
      place: 0,
      before: null,
      drop: null,
    });
    const csv = await run(`position show --project ${project} --engine google --csv`);
    expect(csv.stdout.split('\r\n')).toHaveLength(5);
    expect(csv.stdout).toMatch(/^engine,keyword,date,place,before,drop,url\r\ngoogle,one,/);
    const shown = await done(`operation show ${json.operations[1]}`);
    expect(shown.items).toMatchObject([{ engine: 'google' }, { engine: 'google' }, { engine: 'google' }]);
  });

  test('without --wait queues, and does not take --fail-on-drop', async () => {
    const trap = await run(fetchOf(' --yes --fail-on-drop 3 --json'));
    expect([trap.exit, trap.json.error.message]).toEqual([2, expect.stringContaining('--wait')]);
    const { operations } = await done(fetchOf(' --engine google --yes'));
    expect((await done(`operation show ${operations[0]}`)).state).toBe('queued');
    expect(river.charged).toEqual([]);
    // The same reading is the same operation, which is run here.
    const waited = await done(fetchOf(' --engine google --wait --yes'));
    expect(waited.operations).toEqual(operations);
  });

  test.each([
    ['one keyword is refused', [{ kind: 'code', code: 102, times: 1, query: 'two' }], 5, 1],
    ['the service does not know the login', [{ kind: 'code', code: 42, times: 99 }], 4, 3],
    ['the money is gone', [{ kind: 'code', code: 200, times: 99 }], 1, 3],
  ] as const)('says what is open where %s', async (_what, faults, code, open) => {
    river.faults.push(...faults);
    const { exit, json } = await run(fetchOf(' --engine yandex --wait --yes --json'));
    expect([exit, json.ok, json.exit, json.errors.length]).toEqual([code, false, code, open]);
    expect(json.errors[0]).toMatchObject({ keyword: expect.any(String), message: expect.any(String) });
    expect(json.items).toHaveLength(3);
    expect(json.items.filter(({ date }: { date: string | null }) => date === null)).toHaveLength(open);
    river.faults.length = 0;
    river.charged.length = 0;
    const resumed = await run(`operation resume ${json.operations[0]} --yes --json`);
    expect([resumed.exit, resumed.json.items.length, resumed.json.errors]).toEqual([0, 3, []]);
    expect(new Set(river.charged.map(({ query }) => query)).size).toBe(open);
  });

  test('Ctrl-C stops it, and the command that it prints gives the whole answer and pays no page twice', async () => {
    const many = Array.from({ length: 60 }, (_, index) => `word ${index}`);
    await done(`keyword add --project ${project}`, [], many.join('\n'));
    const started = start(fetchOf(` --wait --yes --json --fail-on-drop 5 --data-dir ${home.dir} --as admin`));
    while (river.charged.length < 40) await new Promise((resolve) => setTimeout(resolve, 20));
    started.process.kill('SIGINT');
    const stopped = await started.ended;
    expect([stopped.exit, stopped.json.ok, stopped.json.error.code]).toEqual([130, false, 'interrupted']);
    const [, first = '', rest = ''] = /: seo-admin (.*?) && seo-admin (.*)$/.exec(stopped.json.error.message) ?? [];
    // Both read and pay where this one did, and as the same person.
    const data = `--data-dir ${home.dir}`;
    expect(first).toBe(`${data} operation resume ${stopped.json.operations[0]} --as admin --lang en --json`);
    expect(rest.startsWith(`${data} `)).toBe(true);
    expect(rest.slice(data.length)).toMatch(
      /^ position fetch --project \d+ --engine google --wait --yes --fail-on-drop 5 --as admin --lang en --json$/,
    );
    expect((await done('operation list')).items[0]).toMatchObject({ id: stopped.json.operations[0], state: 'queued' });
    const resumed = await run(first);
    expect([resumed.exit, resumed.json.items.length]).toEqual([0, 63]);
    expect(resumed.json.items.every(({ place }: { place: number | null }) => place !== null)).toBe(true);
    const paid = river.charged.map(({ query, page }) => `${query} ${page}`);
    expect(paid.length).toBe(new Set(paid).size);
    expect(new Set(river.charged.map(({ engine }) => engine))).toEqual(new Set(['yandex']));
  });

  test('two at once: one of them is told that it runs', async () => {
    const many = Array.from({ length: 60 }, (_, index) => `word ${index}`);
    await done(`keyword add --project ${project}`, [], many.join('\n'));
    // The first is at work for as long as the second needs to find it there.
    let release = (): void => undefined;
    const released = new Promise<void>((resolve) => {
      release = resolve;
    });
    river.hold = () => (river.charged.length < 20 ? Promise.resolve() : released);
    const first = start(fetchOf(' --engine yandex --wait --yes --json'));
    await expect.poll(() => river.charged.length, { interval: 20 }).toBeGreaterThanOrEqual(20);
    const second = await run(fetchOf(' --engine yandex --wait --yes --json'));
    river.hold = undefined;
    release();
    expect([second.exit, second.json.error.code]).toEqual([75, 'busy']);
    expect((await first.ended).exit).toBe(0);
  });

  test('is not configured without an account, and has nothing to do without keywords', async () => {
    await done(`project create empty-${count}`);
    for (const flags of ['--yes', '--dry-run']) {
      const empty = await run(`position fetch --project empty-${count} ${flags} --json`);
      expect([empty.exit, empty.json.error.message]).toEqual([1, 'The project has no keywords']);
    }
    await done('xmlriver remove river --yes');
    for (const flags of ['--yes --wait', '--yes', '--dry-run']) {
      const none = await run(fetchOf(` ${flags} --json`));
      expect([none.exit, none.json.error.code]).toEqual([4, 'not_configured']);
    }
    await done('xmlriver add river --login 12345 --key-stdin', [], KEY);
  });

  test.each([
    ['an engine that is none', ' --engine bing'],
    ['a drop of nothing', ' --wait --fail-on-drop 0'],
    ['a drop that is no number', ' --wait --fail-on-drop x'],
  ])('refuses %s', async (_what, flags) => {
    const { exit, json } = await run(fetchOf(`${flags} --json`));
    expect([exit, json.error.code]).toEqual([2, 'usage']);
  });
});
