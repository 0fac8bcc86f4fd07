// How long a start takes is a figure of `npm run bench -- start`.
import { expect, test } from 'vitest';
import { crashRounds } from '../support/crash.ts';

test('a server killed a hundred times under writes loses nothing and is ready again', async () => {
  const { acknowledged, lost, damage, slowestStart } = await crashRounds(100);
  console.log(`crash: ${acknowledged} acknowledged writes in 100 rounds, ready again in ${slowestStart} ms at most`);
  expect({ lost, damage }).toEqual({ lost: [], damage: [] });
  expect(acknowledged).toBeGreaterThan(500);
});
