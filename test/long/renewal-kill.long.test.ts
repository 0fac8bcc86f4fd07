// A renewal, killed at every point that it passes, with an answer that is heard and one that is lost.
import { expect, test } from 'vitest';
import { playRenewal, POINTS, useRenewals } from '../services/purchases/renewal-kill.ts';

useRenewals();

test.each(POINTS)('killed at %s it is paid once', async (point) => {
  await playRenewal(point);
  expect(POINTS).toContain(point);
});

const LOST = ['purchase:failed', ...POINTS.slice(POINTS.indexOf('purchase:settled'))];

test.each(LOST)('killed at %s after its answer was lost it is paid once', async (point) => {
  await playRenewal(point, true);
  expect(LOST).toContain(point);
});
