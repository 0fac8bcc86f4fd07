import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { select, transaction } from '../../../db/index.ts';
import { closeDays, listCheckDays, listChecks } from '../../../src/services/checks/check-history.ts';
import { storeHealth } from '../../../src/services/checks/check-http.ts';
import { storeLooks } from '../../../src/services/checks/check-store.ts';
import type { Look } from '../../../src/services/checks/look-rows.ts';
import { updateDomain } from '../../../src/services/portfolio/domains.ts';
import { purge } from '../../../src/services/system/purge.ts';
import { SYSTEM } from '../../../src/services/access/scope.ts';
import { factsOf } from '../../../src/services/transfers/facts.ts';
import { findStop } from '../../../src/services/transfers/stops.ts';
import { updateBlocklist } from '../../../src/services/checks/blocklist.ts';
import type { Config } from '../../../src/lib/config.ts';
import { placeOf, plainDays, plainStretches } from '../../support/check-model.ts';
import { startDatabase } from '../../support/database.ts';
import { temporaryConfig } from '../../support/server.ts';
import { addDomains, type Batch, DAY, HOUR, iso, keep, keepWhole, makeHistory, plain, START } from './check-rounds.ts';

let database: Awaited<ReturnType<typeof startDatabase>>;
beforeEach(async () => {
  vi.useFakeTimers({ toFake: ['Date'] });
  database = await startDatabase();
});
afterEach(async () => {
  await database.close();
  vi.useRealTimers();
});

describe('random histories', () => {
  test.each([1, 2, 3])('%i: stretches and days equal those computed from all rows', async (seed) => {
    const ids = await addDomains(6);
    const history = makeHistory(seed, ids);
    for (const [index, batch] of history.entries()) {
      await keep(batch);
      if (index % 30 === 0) await closeDays();
    }
    const looks = plain(history);
    for (const id of ids) {
      const { data } = await listChecks(SYSTEM, id);
      for (const kind of ['http', 'blocklist'] as const) {
        const found = data
          .filter((row) => row.kind === kind)
          .map(({ verdict, detail, since, checked_at, repeats }) => {
            return { verdict, place: placeOf(kind, detail), since, checked_at, repeats };
          });
        expect(found).toEqual(plainStretches(looks, id, kind));
      }
      expect((await listCheckDays(SYSTEM, id)).data).toEqual(plainDays(looks, id));
      await closeDays();
      expect((await listCheckDays(SYSTEM, id)).data).toEqual(plainDays(looks, id));
    }
    const [kept] = await select<{ rows: number; looks: number }>(
      'SELECT count(*) AS rows, sum(repeats) AS looks FROM checks',
    );
    expect(kept?.looks).toBe(looks.length);
    expect(kept?.rows).toBeLessThan(looks.length * 0.7);
  });

  test.each([4, 5, 6])('%i: the facts for moving a site equal those of unfolded rows', async (seed) => {
    const config = temporaryConfig({});
    const play = async (store: (batch: Batch) => Promise<void>): Promise<object[]> => {
      await database.close();
      database = await startDatabase();
      const ids = await addDomains(9);
      vi.setSystemTime(START);
      await loadList(config);
      const told: object[] = [];
      for (const [index, batch] of makeHistory(seed, ids).entries()) {
        await store(batch);
        if (index % 5 !== 0) continue;
        const { mains, reserves } = await factsOf(1, new Map(), batch.at);
        const seen = mains.map(({ observations, ...main }) => {
          const end = observations.findIndex(({ verdict }) => verdict !== 'blocked');
          return Object.assign(main, { observations: end === -1 ? observations : observations.slice(0, end) });
        });
        told.push({ seen, reserves, stop: await findStop() });
      }
      return told;
    };
    const whole = await play(keepWhole);
    const folded = await play(keep);
    expect(folded).toEqual(whole);
    const text = JSON.stringify(whole);
    const facts = ['"flapped":true', '"flapped":false', '"blocked_lately":true', '"cause":"wave"', '"stop":null'];
    expect(facts.filter((fact) => !text.includes(fact))).toEqual([]);
  });
});

async function loadList(config: Config): Promise<void> {
  const file = `${config.dataDir}/list.txt`;
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, 'other.example\n');
  await updateBlocklist(config.blocklistDir, { file, accept: true, now: new Date() });
}

const one = (id: number, code: number, ms = 100): Look => ({ id, verdict: String(code), code, ms, detail: null });

test('the newest three looks that say "blocked" keep the versions of their lists', async () => {
  await addDomains(1);
  const look = { id: 1, verdict: 'blocked', detail: 'd1.example' };
  for (let hour = 1; hour <= 6; hour += 1) {
    vi.setSystemTime(START + hour * HOUR);
    await transaction(() => storeLooks('blocklist', [look], { list_version: `v${hour}`, fetched_at: iso(Date.now()) }));
  }
  const rows = await select('SELECT list_version, since, repeats FROM checks ORDER BY id');
  expect(rows).toEqual([
    { list_version: 'v4', since: iso(START + HOUR), repeats: 4 },
    { list_version: 'v5', since: null, repeats: 1 },
    { list_version: 'v6', since: null, repeats: 1 },
  ]);
  const { data } = await listChecks(SYSTEM, 1);
  expect(data).toMatchObject([{ list_version: 'v6', since: iso(START + HOUR), repeats: 6 }]);
});

test('a day that was closed is whole while a clock that was set back adds to it', async () => {
  await addDomains(1);
  const day = new Date(START + DAY).toISOString().slice(0, 10);
  const midnight = Date.parse(day) + DAY;
  for (let hour = 1; hour <= 20; hour += 1) {
    vi.setSystemTime(midnight - hour * HOUR);
    await storeHealth([one(1, 200)]);
  }
  vi.setSystemTime(midnight + 30_000);
  await closeDays();
  vi.setSystemTime(midnight - 10_000);
  await storeHealth([one(1, 503, 900)]);
  vi.setSystemTime(midnight + 40_000);
  const whole = [{ domain_id: 1, day, checks: 21, up: 20, median_ms: 100, worst_ms: 900 }];
  const shown = async () => (await listCheckDays(SYSTEM, 1)).data;
  const before = await shown();
  await closeDays();
  expect([before, await shown()]).toMatchObject([whole, whole]);
});

test('a renamed domain begins a new stretch and a new day', async () => {
  await addDomains(1);
  vi.setSystemTime(START);
  await storeHealth([one(1, 200)]);
  await updateDomain(SYSTEM, 1, { domain_name: 'other.example' }, ['domain_name']);
  vi.setSystemTime(START + HOUR);
  await storeHealth([one(1, 200, 300)]);
  expect((await listChecks(SYSTEM, 1)).data).toMatchObject([{ repeats: 1 }, { repeats: 1 }]);
  expect((await listCheckDays(SYSTEM, 1)).data).toMatchObject([{ checks: 1, median_ms: 300 }]);
});

test('looks and days are purged after ninety days, but the current state of a domain is not', async () => {
  await addDomains(3);
  for (let day = 0; day < 100; day += 1) {
    vi.setSystemTime(START + day * DAY);
    // The first flaps, the second stays, the third is checked once.
    const looks = [one(1, day % 2 === 0 ? 200 : 503), one(2, 200), ...(day === 0 ? [one(3, 404)] : [])];
    await storeHealth(looks);
  }
  const before = await select<{ n: number }>('SELECT count(*) AS n FROM check_days');
  await purge();
  const rows = async (id: number) => (await listChecks(SYSTEM, id)).data;
  const oldest = iso(Date.now() - 90 * DAY);
  expect((await rows(1)).every(({ checked_at }) => checked_at >= oldest)).toBe(true);
  expect(await rows(1)).toHaveLength(91);
  expect(await rows(2)).toMatchObject([{ repeats: 100, since: iso(START) }]);
  expect(await rows(3)).toMatchObject([{ verdict: '404', repeats: 1 }]);
  const { data: days } = await listCheckDays(SYSTEM, 1);
  expect([days.length, days.at(-1)?.day]).toEqual([91, oldest.slice(0, 10)]);
  expect((await listCheckDays(SYSTEM, 3)).data).toEqual([]);
  expect(before[0]?.n).toBe(0);
});
