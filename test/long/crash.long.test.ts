import { expect, test } from 'vitest';
import { crashRounds } from '../support/crash.ts';

const READY_MS = 3_000;
// Run from the sources, which are compiled at every start, slowly on a busy machine.
const SLACK = 2;

test('a server killed a hundred times under writes loses nothing and is soon ready again', async () => {
  const { acknowledged, lost, damage, slowestStart } = await crashRounds(100);
  console.log(`crash: ${acknowledged} acknowledged writes in 100 rounds, ready again in ${slowestStart} ms at most`);
  expect({ lost, damage }).toEqual({ lost: [], damage: [] });
  expect(acknowledged).toBeGreaterThan(500);
  expect(slowestStart).toBeLessThan(READY_MS * SLACK);
});
