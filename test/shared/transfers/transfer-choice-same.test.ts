// The choice for many main domains is the one that sorting the reserves anew for each of them gives.
import fc from 'fast-check';
import { expect, test, vi } from 'vitest';
import {
  chooseAlone,
  chooseAsked,
  pickReserve,
  type MainFacts,
  type ProjectFacts,
  type ReserveFacts,
} from '../../../src/shared/transfers/transfer-pick.ts';
import { inDays, main, NOW, project, reserve } from './transfer-facts.ts';

const zone = fc.constantFrom('a.example', 'b.example', 'c.example', 'd.example');
const server_id = fc.option(fc.constantFrom(1, 2));
const rarely = fc.nat(5).map((n) => n === 0);
const anyMain = fc.record({
  listed: fc.constantFrom('free', 'blocked', 'unknown'),
  busy: rarely,
  zone,
  server_id,
  came_from: fc.subarray([100, 101, 102, 103]),
  cloudflare_account_id: fc.option(fc.constant(1), { freq: 9 }),
});
const anyReserve = fc.record({
  transfer_type: fc.constantFrom('auto', 'auto', 'auto', 'manual'),
  listed: fc.constantFrom('free', 'free', 'free', 'blocked', 'unknown'),
  status: fc.constantFrom('available', 'available', 'blocked'),
  expired_at: fc.option(fc.integer({ min: 20, max: 40 }).map(inDays)),
  http_status_code: fc.option(fc.constantFrom(200, 503)),
  zone: fc.oneof(zone, fc.constant('other.example')),
  taken_on: fc.option(fc.subarray([1, 2]), { nil: undefined }),
  busy: rarely,
  failed: rarely,
  unfit: fc.option(fc.constantFrom('zone', 'site'), { nil: undefined, freq: 1 }),
});
const anyProject = fc
  .tuple(
    fc.array(anyMain, { maxLength: 8 }),
    fc.oneof(fc.array(anyReserve, { maxLength: 8 }), fc.array(anyReserve, { minLength: 9, maxLength: 40 })),
    fc.constantFrom('on', 'off'),
  )
  .map(([mains, reserves, last_reserve]) =>
    project({
      mains: mains.map((change, index) => main({ ...change, id: index + 1 })),
      reserves: reserves.map((change, index) => reserve(index + 100, change)),
      last_reserve,
    }),
  );

/** The rule in its plainest form: what one main domain gets of the reserves that are left, all of them looked at for it alone. */
function plainly(one: MainFacts, left: ReserveFacts[], lastToo: boolean): [string, number | null] {
  if (one.cloudflare_account_id === null) return ['auto_transfer.main_no_account', null];
  const ready = left.filter((other) => pickReserve(one, [other], NOW).pick);
  const isDown = ({ http_status_code: code }: ReserveFacts): boolean => code === 503;
  const [pick] = ready.toSorted(
    (first, second) =>
      Number(isDown(first)) - Number(isDown(second)) ||
      Date.parse(second.expired_at ?? '1970-01-01') - Date.parse(first.expired_at ?? '1970-01-01') ||
      first.id - second.id,
  );
  if (pick) return ready.length > 1 || lastToo ? ['auto_transfer.chosen', pick.id] : ['auto_transfer.last', null];
  const reasons = new Set(
    left.map((other) => {
      const found = pickReserve(one, [other], NOW);
      return found.pick ? null : found.unready[0]?.reason;
    }),
  );
  if (reasons.size === 0) return ['auto_transfer.no_reserve', null];
  return [reasons.size === 1 ? `auto_transfer.all_${[...reasons][0]}` : 'auto_transfer.none_ready', null];
}

const plainlyAsked = ({ mains, reserves, last_reserve }: ProjectFacts) => {
  let left = reserves.map((one) => ({ ...one, failed: false, blocked_lately: false }));
  return mains.map((one) => {
    if (one.busy) return ['auto_transfer.main_busy', null];
    if (one.listed === 'free') return ['auto_transfer.not_listed', null];
    const found = plainly(one, left, last_reserve === 'on');
    left = left.filter(({ id }) => id !== found[1]);
    return found;
  });
};

test('each main domain of a request gets the reserve, or the reason, that looking at every reserve left for it alone gives', () => {
  fc.assert(
    fc.property(anyProject, (given) => {
      const chosen = chooseAsked(given, NOW).map(({ reason, target }) => [reason.key, target?.id ?? null]);
      expect(chosen).toEqual(plainlyAsked(given));
    }),
    { numRuns: 500 },
  );
});

test('an automatic choice is that of the first main domain that may move, with the reserves as they are', () => {
  fc.assert(
    fc.property(anyProject, (given) => {
      const first = chooseAlone(given, NOW).find(({ target }) => target !== null);
      const may = given.mains.filter(({ busy, listed }) => !busy && listed === 'blocked');
      const plain = may
        .map((one) => [one.id, plainly(one, [...given.reserves], given.last_reserve === 'on')[1]])
        .find(([, target]) => target !== null);
      expect(first && [first.main.id, first.target?.id]).toEqual(plain);
    }),
    { numRuns: 500 },
  );
});

test('the reserves of a project are looked at and sorted once, however many of its main domains are blocked', () => {
  const reserves = Array.from({ length: 300 }, (_, n) => reserve(n + 1000, { expired_at: inDays(31 + (n % 97)) }));
  const parsed = (mains: number): number => {
    const parse = vi.spyOn(Date, 'parse');
    try {
      chooseAsked(project({ mains: Array.from({ length: mains }, (_, n) => main({ id: n + 1 })), reserves }), NOW);
      return parse.mock.calls.length;
    } finally {
      parse.mockRestore();
    }
  };
  expect(parsed(1)).toBeGreaterThan(300);
  expect(parsed(100)).toBe(parsed(1));
});
