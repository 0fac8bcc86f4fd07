import fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import {
  chooseAlone,
  chooseAsked,
  isWitnessed,
  largestWave,
  pickReserve,
  type Choice,
  type MainFacts,
  type Observation,
  type ProjectFacts,
  type ReserveFacts,
} from '../../../src/shared/transfers/transfer-pick.ts';

const NOW = Date.parse('2026-11-20T12:00:00.000Z');
const inDays = (days: number): string => new Date(NOW + days * 86_400_000).toISOString();
const at = (minutes: number): string => new Date(NOW - minutes * 60_000).toISOString();

const seen = (minutes: number, change: Partial<Observation> = {}): Observation => ({
  verdict: 'blocked',
  entry: 'main-1.example',
  list_version: 'v1',
  list_fetched_at: at(minutes),
  ...change,
});
const WITNESSED = [seen(0), seen(30), seen(60)];

const main = (change: Partial<MainFacts> = {}): MainFacts => ({
  id: 1,
  domain_name: `main-${change.id ?? 1}.example`,
  type: 'main',
  transfer_type: 'auto',
  status: 'blocked',
  listed: 'blocked',
  busy: false,
  observations: WITNESSED.map((observation) => ({ ...observation, entry: `main-${change.id ?? 1}.example` })),
  flapped: false,
  came_from: [],
  cloudflare_account_id: 1,
  zone: `main-${change.id ?? 1}.example`,
  ...change,
});
const reserve = (id: number, change: Partial<ReserveFacts> = {}): ReserveFacts => ({
  id,
  domain_name: `reserve-${id}.example`,
  type: 'transfer',
  transfer_type: 'auto',
  status: 'available',
  listed: 'free',
  busy: false,
  failed: false,
  blocked_lately: false,
  expired_at: inDays(100),
  http_status_code: 200,
  http_error: null,
  zone: `reserve-${id}.example`,
  ...change,
});
const project = (change: Partial<ProjectFacts> = {}): ProjectFacts => ({
  last_reserve: 'off',
  moving: false,
  moved: { project: 0, overall: 0 },
  mains: [main()],
  reserves: [reserve(11), reserve(12)],
  ...change,
});

const picked = (...reserves: ReserveFacts[]): number | null => pickReserve(main(), reserves, NOW).pick?.id ?? null;
const short = (choices: Choice[]) =>
  choices.map(({ main: { id }, decision, target, reason }) => [id, decision, target?.id ?? null, reason.key]);
const alone = (change: Partial<ProjectFacts> = {}) => short(chooseAlone(project(change), NOW));
const asked = (change: Partial<ProjectFacts> = {}, last = false) => short(chooseAsked(project(change), NOW, last));

describe('a reserve', () => {
  it.each<[string, Partial<ReserveFacts>]>([
    ['manual', { transfer_type: 'manual' }],
    ['manual', { type: 'main' }],
    ['blocked', { status: 'blocked' }],
    ['blocked', { listed: 'blocked' }],
    ['blocked', { blocked_lately: true }],
    ['unknown', { listed: 'unknown' }],
    ['expiring', { expired_at: inDays(29.9) }],
    ['expiring', { expired_at: inDays(-1) }],
    ['same_zone', { zone: 'main-1.example' }],
    ['expiring', { expired_at: inDays(30) }],
    ['busy', { busy: true }],
    ['failed', { failed: true }],
  ])('is not taken: %s %o', (reason, change) => {
    const found = pickReserve(main(), [reserve(5, change)], NOW);
    expect(found).toMatchObject({ pick: null, unready: [{ reason, reserve: { id: 5 } }] });
    // The next reserve is taken.
    expect(picked(reserve(5, change), reserve(6, { expired_at: inDays(31) }))).toBe(6);
  });

  it('that expires a millisecond after the thirty days is taken', () => {
    expect(picked(reserve(5, { expired_at: new Date(NOW + 30 * 86_400_000 + 1).toISOString() }))).toBe(5);
  });

  it('that is not taken is reported in the order of the ids', () => {
    const { unready } = pickReserve(
      main(),
      [6, 7, 5].map((id) => reserve(id, { busy: true })),
      NOW,
    ) as {
      unready: { reserve: ReserveFacts }[];
    };
    expect(unready.map(({ reserve: { id } }) => id)).toEqual([5, 6, 7]);
  });

  it('that was the main domain before is rejected as such while it is blocked, and taken when it is free again', () => {
    const old = (change: Partial<ReserveFacts>) => pickReserve(main({ came_from: [5] }), [reserve(5, change)], NOW);
    expect(old({ listed: 'blocked' })).toMatchObject({ unready: [{ reason: 'came_from' }] });
    expect(old({ status: 'blocked' })).toMatchObject({ unready: [{ reason: 'came_from' }] });
    expect(old({})).toMatchObject({ pick: { id: 5 } });
  });

  it('with the latest expiry comes first, then the smaller id; one without a date comes later, one known to be down last', () => {
    expect(picked(reserve(1, { expired_at: inDays(50) }), reserve(2, { expired_at: inDays(60) }))).toBe(2);
    expect(picked(reserve(2), reserve(1))).toBe(1);
    expect(picked(reserve(1, { expired_at: null }), reserve(2, { expired_at: inDays(31) }))).toBe(2);
    expect(picked(reserve(1, { expired_at: null }))).toBe(1);
    const down = [{ http_status_code: 503 }, { http_status_code: null, http_error: 'timeout' }];
    for (const change of down) {
      expect(picked(reserve(1, { ...change, expired_at: inDays(300) }), reserve(2, { expired_at: null }))).toBe(2);
      expect(picked(reserve(1, change))).toBe(1);
    }
    expect(picked(reserve(1, { http_status_code: 299 }), reserve(2))).toBe(1);
    expect(picked(reserve(1, { http_status_code: 300 }), reserve(2))).toBe(2);
    expect(picked(reserve(1, { http_status_code: 199 }), reserve(2))).toBe(2);
    // A reserve that was never checked does not count as down.
    const never = { http_status_code: null, http_error: null };
    expect(picked(reserve(1, { ...never, expired_at: inDays(300) }), reserve(2))).toBe(1);
  });
});

describe('a blocked main is witnessed', () => {
  it.each<[string, boolean, Observation[]]>([
    ['by three fetches over ten minutes', true, [seen(0), seen(5), seen(10)]],
    ['not within less than ten minutes', false, [seen(0), seen(5), seen(9.9)]],
    ['by two versions at once', true, [seen(0), seen(0), seen(0, { list_version: 'v0' })]],
    ['not by one fetch that was looked at three times', false, [seen(0), seen(0), seen(0)]],
    ['not by two observations', false, [seen(0), seen(60)]],
    ['not with a free one among the last three', false, [seen(0), seen(30, { verdict: 'available' }), seen(60)]],
    ['independent of looks before the last three', true, [...WITNESSED, seen(90, { verdict: 'available' })]],
    ['not by a witness older than the last three', false, [seen(0), seen(0), seen(0), seen(60)]],
    [
      'not by looks at an unknown list',
      false,
      [0, 30, 60].map((m) => seen(m, { list_version: null, list_fetched_at: null })),
    ],
    ['not by a look at a former name', false, [seen(0), seen(30, { entry: 'former.example' }), seen(60)]],
    ['by a mask over its name', true, [seen(0), seen(30, { entry: '*.example' }), seen(60)]],
    ['by a mask of its own name', true, [seen(0), seen(30, { entry: '*.main-1.example' }), seen(60)]],
    ['not by a mask over another name', false, [seen(0), seen(30, { entry: '*.ain-1.example' }), seen(60)]],
  ])('%s', (_, expected, observations) => {
    expect(isWitnessed(main({ observations }))).toBe(expected);
    expect(alone({ mains: [main({ observations })] })[0]?.[1]).toBe(expected ? 'started' : 'waiting');
  });
});

describe('an automatic run', () => {
  it('moves a witnessed main to the picked reserve', () => {
    expect(alone()).toEqual([[1, 'started', 11, 'auto_transfer.chosen']]);
  });

  it.each<[string, Partial<MainFacts>]>([
    ['is no main', { type: 'transfer' }],
    ['is moved by hand', { transfer_type: 'manual' }],
    ['is not blocked', { status: 'available' }],
  ])('leaves a domain alone that %s', (_, change) => {
    expect(alone({ mains: [main(change)] })).toEqual([]);
  });

  it.each<[string, Partial<MainFacts>]>([
    ['main_busy', { busy: true }],
    ['flapping', { flapped: true }],
    ['not_listed', { listed: 'free' }],
    ['not_listed', { listed: 'unknown' }],
    ['seen', { observations: [] }],
  ])('lets a main wait: %s', (reason, change) => {
    expect(alone({ mains: [main(change)] })).toEqual([[1, 'waiting', null, `auto_transfer.${reason}`]]);
  });

  it('reports how many witnesses a waiting main has, and never more than it needs', () => {
    const params = (...observations: Observation[]) =>
      chooseAlone(project({ mains: [main({ observations })] }), NOW)[0]?.reason.params;
    expect(params()).toEqual({ n: 0, of: 3 });
    expect(params(seen(0))).toEqual({ n: 1, of: 3 });
    expect(params(seen(0), seen(0), seen(0), seen(0))).toEqual({ n: 3, of: 3 });
  });

  it('moves one main of a project at a time, and a waiting one does not block the others', () => {
    const three = [main({ id: 3 }), main({ id: 1, observations: [] }), main({ id: 2 })];
    expect(alone({ mains: three }).map(([id, decision]) => [id, decision])).toEqual([
      [1, 'waiting'],
      [2, 'started'],
      [3, 'waiting'],
    ]);
    expect(alone({ moving: true })).toEqual([[1, 'waiting', null, 'auto_transfer.turn']]);
  });

  it('moves at most three domains a day in a project and twenty in all', () => {
    const moved = (inProject: number, overall: number) =>
      alone({ moved: { project: inProject, overall } })[0]?.slice(1);
    expect(moved(2, 19)).toEqual(['started', 11, 'auto_transfer.chosen']);
    expect(moved(3, 3)).toEqual(['declined', null, 'auto_transfer.limit_project']);
    expect(moved(0, 20)).toEqual(['declined', null, 'auto_transfer.limit_overall']);
  });

  it('uses the last ready reserve only if the project allows it', () => {
    const reserves = [reserve(11), reserve(12, { listed: 'blocked' })];
    expect(alone({ reserves })).toEqual([[1, 'declined', null, 'auto_transfer.last']]);
    expect(alone({ reserves, last_reserve: 'on' })).toEqual([[1, 'started', 11, 'auto_transfer.chosen']]);
  });

  it('declines a main without a CDN account, as it could not be redirected', () => {
    const mains = [main({ cloudflare_account_id: null })];
    expect(alone({ mains })).toEqual([[1, 'declined', null, 'auto_transfer.main_no_account']]);
    expect(asked({ mains })).toEqual([[1, 'declined', null, 'auto_transfer.main_no_account']]);
  });

  it('reports the common reason where no reserve is ready', () => {
    const none = (...reserves: ReserveFacts[]) => alone({ reserves, last_reserve: 'on' })[0]?.[3];
    expect(none()).toBe('auto_transfer.no_reserve');
    expect(none(reserve(1, { listed: 'unknown' }), reserve(2, { listed: 'unknown' }))).toBe(
      'auto_transfer.all_unknown',
    );
    expect(none(reserve(1, { listed: 'unknown' }), reserve(2, { busy: true }))).toBe('auto_transfer.none_ready');
  });
});

describe('a requested run', () => {
  it('moves every blocked main in any mode and without witnesses, and uses each reserve once', () => {
    const mains = [main({ id: 2, transfer_type: 'manual', observations: [] }), main({ listed: 'unknown' })];
    expect(asked({ mains, reserves: [reserve(11), reserve(12), reserve(13)] })).toEqual([
      [1, 'started', 11, 'auto_transfer.chosen'],
      [2, 'started', 12, 'auto_transfer.chosen'],
    ]);
  });

  it('ignores the limits of automatic runs, and tries failed reserves again', () => {
    expect(asked({ moved: { project: 9, overall: 99 }, moving: true })[0]?.[1]).toBe('started');
    const reserves = [reserve(11, { failed: true }), reserve(12, { failed: true })];
    expect(asked({ reserves })[0]?.slice(1, 3)).toEqual(['started', 11]);
  });

  it('declines a main that is off the list by now or is busy', () => {
    expect(asked({ mains: [main({ listed: 'free' })] })).toEqual([[1, 'declined', null, 'auto_transfer.not_listed']]);
    expect(asked({ mains: [main({ busy: true })] })).toEqual([[1, 'declined', null, 'auto_transfer.main_busy']]);
  });

  it('keeps the last reserve unless the person or the project says otherwise', () => {
    const mains = [main(), main({ id: 2 })];
    expect(asked({ mains }).map(([, decision]) => decision)).toEqual(['started', 'declined']);
    expect(asked({ mains }, true).map(([, decision]) => decision)).toEqual(['started', 'started']);
    expect(asked({ mains, last_reserve: 'on' }).map(([, decision]) => decision)).toEqual(['started', 'started']);
  });
});

const listed = fc.constantFrom('free', 'blocked', 'unknown');
const anyReserve = fc.record({
  transfer_type: fc.constantFrom('auto', 'manual'),
  listed,
  expired_at: fc.option(fc.integer({ min: 0, max: 80 }).map(inDays)),
  http_status_code: fc.option(fc.constantFrom(200, 503)),
  busy: fc.boolean(),
});
const anyProject = fc
  .tuple(
    fc.array(fc.record({ listed, busy: fc.boolean() }), { maxLength: 6 }),
    fc.array(anyReserve, { maxLength: 8 }),
    fc.constantFrom('on', 'off'),
    fc.nat(4),
  )
  .map(([mains, reserves, last_reserve, moved]) =>
    project({
      mains: mains.map((change, index) => main({ ...change, id: index + 1 })),
      reserves: reserves.map((change, index) => reserve(index + 100, change)),
      last_reserve,
      moved: { project: moved, overall: moved },
    }),
  );

test('the choice does not depend on the order of the rows; it uses no reserve twice, only ready ones, and the last one only if allowed', () => {
  const shuffled = anyProject.chain((given) =>
    fc.tuple(
      fc.constant(given),
      fc.shuffledSubarray([...given.mains], { minLength: given.mains.length }),
      fc.shuffledSubarray([...given.reserves], { minLength: given.reserves.length }),
    ),
  );
  fc.assert(
    fc.property(shuffled, ([given, mains, reserves]) => {
      for (const choose of [chooseAlone, chooseAsked]) {
        const choices = choose(given, NOW);
        expect(choose({ ...given, mains, reserves }, NOW)).toEqual(choices);
        const targets = choices.flatMap(({ target }) => target ?? []);
        expect(new Set(targets).size).toBe(targets.length);
        const ready = given.reserves.filter((one) => pickReserve(main(), [one], NOW).pick !== null).length;
        expect(targets.every(({ listed: verdict, busy }) => verdict === 'free' && !busy)).toBe(true);
        const spared = given.last_reserve === 'off' ? Math.max(ready - 1, 0) : ready;
        expect(targets.length).toBeLessThanOrEqual(spared);
        const atOnce = given.moved.project < 3 ? 1 : 0;
        expect(targets.length).toBeLessThanOrEqual(choose === chooseAlone ? atOnce : spared);
      }
    }),
  );
});

test('the largest wave is the maximum number of names within ten minutes, in any order', () => {
  const minutes = [0, 1, 2, 60, 61, 65, 70, 71, 200];
  expect(largestWave(minutes.toReversed().map(at))).toBe(4);
  expect(largestWave([61, 0, 200, 65, 2, 71, 1, 70, 60].map(at))).toBe(4);
  expect(largestWave([])).toBe(0);
  expect(largestWave([1, 0].map(at))).toBe(2);
  expect(largestWave([13, 8, 1, 0].map(at))).toBe(3);
  expect(largestWave([at(10), at(0)])).toBe(2);
  expect(largestWave([new Date(NOW - 600_001).toISOString(), at(0)])).toBe(1);
});
