// Which reserve is taken, and when a main domain counts as blocked.
import { describe, expect, it } from 'vitest';
import { pickReserve, type ReserveFacts } from '../../../src/shared/transfers/transfer-pick.ts';
import { isWitnessed, type Observation } from '../../../src/shared/transfers/witnesses.ts';
import { alone, inDays, main, NOW, picked, reserve, seen, WITNESSED } from './transfer-facts.ts';

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
