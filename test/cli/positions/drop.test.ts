// `--fail-on-drop`: which check is compared with which, and what is no drop. Checks of earlier days are stored by SQL.
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { closeDatabase, execute, openDatabase, select, transaction } from '../../../db/index.ts';
import { loadConfig } from '../../../src/lib/config.ts';
import { dayOf } from '../../../src/shared/positions/places.ts';
import { done, home, KEY, river, run, useSearchCli } from './world.ts';

useSearchCli();

const TODAY = dayOf(Date.now());
let project: number;
let domain: number;
let count = 0;

beforeAll(() => done('xmlriver add river --login 12345 --key-stdin', [], KEY));
beforeEach(async () => {
  project = (await done(`project create p-${(count += 1)}`)).id;
  domain = (await done(`domain add d-${count}.example --project ${project}`)).items[0].id;
});

/** A check: days ago, the place, and how many places were read. */
type Check = [ago: number, place: number, depth?: number];

async function inDatabase(work: () => Promise<unknown>): Promise<void> {
  await openDatabase(loadConfig({ dataDir: home.dir }, {}).databaseFile);
  try {
    await transaction(work);
  } finally {
    await closeDatabase();
  }
}

/** Adds keywords with their checks in Yandex. */
async function checked(keywords: Record<string, Check[]>): Promise<void> {
  const { items } = await done(`keyword add --project ${project}`, Object.keys(keywords));
  await inDatabase(async () => {
    await execute('INSERT INTO search_scopes (project_id, domain_ids) VALUES ($project, $ids)', {
      project,
      ids: JSON.stringify([domain]),
    });
    for (const { id, value } of items as { id: number; value: string }[]) {
      await execute(
        `INSERT INTO search_queries (keyword_id, engine, region, device) VALUES ($id, 'yandex', '213', 'desktop')`,
        { id },
      );
      for (const [ago, place, depth = 50] of keywords[value] ?? []) {
        const of = { id, day: TODAY - ago };
        const query = '(SELECT id FROM search_queries WHERE keyword_id = $id)';
        await execute(
          `INSERT INTO search_days (query_id, day, depth, requests, source, checked_at, scope_id)
           VALUES (${query}, $day, $depth, 1, 'xmlriver', '2026-01-01T00:00:00.000Z', (SELECT MAX(id) FROM search_scopes))`,
          { ...of, depth },
        );
        if (place > 0) {
          await execute(
            `INSERT INTO positions (query_id, day, domain_id, place) VALUES (${query}, $day, $domain, $place)`,
            {
              ...of,
              domain,
              place,
            },
          );
        }
      }
    }
  });
}

async function shown(n: number): Promise<[exit: number | null, drops: Record<string, number | null>]> {
  const { exit, json } = await run(`position show --project ${project} --engine yandex --fail-on-drop ${n} --json`);
  const drops = json.items.map(({ keyword, drop }: { keyword: string; drop: number | null }) => [keyword, drop]);
  expect(json.ok).toBe(true);
  return [exit, Object.fromEntries(drops)];
}

describe('--fail-on-drop', () => {
  test('compares the check of the latest day with the one before, however long ago; N places are a drop', async () => {
    await checked({
      fell: [
        [20, 1],
        [9, 3],
        [1, 8],
      ],
      rose: [
        [2, 9],
        [1, 4],
      ],
      first: [[1, 40]],
    });
    expect(await shown(5)).toEqual([3, { fell: 5, rose: -5, first: null }]);
    expect((await shown(6))[0]).toBe(0);
  });

  test('counts a place that is no longer within the depth as the first one behind it', async () => {
    await checked({
      lost: [
        [2, 45],
        [1, 0],
      ],
      never: [
        [2, 0],
        [1, 0],
      ],
      back: [
        [2, 0],
        [1, 30],
      ],
    });
    expect(await shown(6)).toEqual([3, { lost: 6, never: 0, back: -21 }]);
    expect((await shown(7))[0]).toBe(0);
  });

  test('takes a reading of another depth for no drop where it does not tell', async () => {
    await checked({
      a: [
        [2, 0, 10],
        [1, 35, 50],
      ],
      b: [
        [2, 40, 50],
        [1, 0, 10],
      ],
      c: [
        [2, 0, 10],
        [1, 0, 50],
      ],
    });
    expect(await shown(1)).toEqual([0, { a: null, b: null, c: null }]);
  });

  test('takes a keyword that was not checked on the latest day for no drop', async () => {
    await checked({
      old: [
        [5, 1],
        [3, 50],
      ],
      today: [
        [2, 7],
        [0, 7],
      ],
    });
    expect(await shown(1)).toEqual([0, { old: null, today: 0 }]);
  });

  test('of a reading looks at what it has read: a failed keyword has not dropped, one that is lost has', async () => {
    await checked({
      open: [
        [3, 1],
        [2, 40],
      ],
      lost: [
        [2, 40],
        [1, 1],
      ],
    });
    river.faults.push({ kind: 'code', code: 102, times: 9, query: 'open' });
    const { exit, json } = await run(
      `position fetch --project ${project} --engine yandex --wait --yes --fail-on-drop 5 --json`,
    );
    river.faults.length = 0;
    expect([exit, json.summary, json.errors.length]).toEqual([3, { total: 2, dropped: 1 }, 1]);
    expect(json.items).toMatchObject([
      { keyword: 'open', place: 40, drop: null },
      { keyword: 'lost', place: 0, before: 1, drop: 50 },
    ]);
  });
});

test('keyword remove asks where paid positions would be lost', async () => {
  await checked({ read: [[1, 1]], unread: [] });
  const refused = await run(`keyword remove read --project ${project} --json`);
  expect([refused.exit, refused.json.error.message]).toEqual([2, expect.stringContaining('--yes')]);
  await done(`keyword remove unread --project ${project}`);
  await done(`keyword remove read --project ${project} --yes`);
  expect((await done(`keyword list --project ${project}`)).items).toEqual([]);
  await inDatabase(async () => {
    expect(await select('SELECT * FROM positions WHERE domain_id = $domain', { domain })).toEqual([]);
  });
});
