// Properties of every choice, in any project.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { chooseAlone, chooseAsked, pickReserve } from '../../../src/shared/transfers/transfer-pick.ts';
import { largestWave } from '../../../src/shared/transfers/witnesses.ts';
import { at, inDays, main, NOW, project, reserve } from './transfer-facts.ts';

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
