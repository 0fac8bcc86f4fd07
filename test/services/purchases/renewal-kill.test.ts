// A renewal whose process is killed is paid once, and its date is the registry's. test/long kills at every point.
import { expect, test } from 'vitest';
import { inTurns } from '../../support/vitest/turns.ts';
import { playAgain, playRenewal, pointsOfRenewal, POINTS, useRenewals } from './renewal-kill.ts';

useRenewals();

test('a renewal passes these points', async () => {
  expect(await pointsOfRenewal()).toEqual(POINTS);
});

const MOMENTS = ['renew:reserve:after-call', 'purchase:sending', 'purchase:answered', 'renew:send:after-call'];

test.each(inTurns(MOMENTS))(
  'a renewal that is killed at %s is paid once by the process that is left',
  async (point) => {
    await playRenewal(point);
    expect(POINTS).toContain(point);
  },
);

test('so is one whose answer is lost, and that is killed before it is noted', async () => {
  await playRenewal('purchase:failed', true);
  expect(POINTS).not.toContain('purchase:failed');
});

test.each(inTurns(POINTS))('another try of a released renewal that is killed at %s is paid once', async (point) => {
  await playAgain(point);
  expect(POINTS).toContain(point);
});

test('so is another try whose answer is lost, and that is killed before it is noted', async () => {
  await playAgain('purchase:failed', true);
  expect(POINTS).not.toContain('purchase:failed');
});
