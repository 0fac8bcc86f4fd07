// Each stage of a run is an act: a kill there leaves nothing that is not found and finished. test/long kills at every moment.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { select } from '../../../db/index.ts';
import { cfAccount } from '../../support/cloudflare-state.ts';
import { inTurns } from '../../support/vitest/turns.ts';
import { ACTS, startRuns, WHEN, type Runs } from './reserve-kill.ts';

let runs: Runs;
beforeAll(async () => {
  runs = await startRuns();
});
afterAll(() => runs.close());

test('a run passes these acts after its purchase', async () => {
  const points = (await runs.points()).filter((point) => /^(?:dns_change|deploy):/.test(point));
  expect(points).toEqual(ACTS.flatMap((act) => WHEN.map((when) => `${act}:${when}`)));
});

// Each act dies at one of the four moments.
test.each(inTurns(ACTS.map((act, row) => `${act}:${WHEN[row % WHEN.length]}`)))(
  'a run that is killed at %s is finished, with one charge, one zone and one site',
  async (point) => {
    await runs.play(point);
    expect(await runs.charged()).toBe(1);
  },
);

test('a run that is killed before its zone is made goes on in the same account, though that has more pending zones now', async () => {
  await runs.play('dns_change:zone:before-intent', async ({ fake, accounts }) => {
    const changes = await select<{ subject: string }>(
      `SELECT subject FROM operations WHERE kind = 'dns_change' ORDER BY id DESC LIMIT 1`,
    );
    const account_id = cfAccount(accounts.indexOf(Number.parseInt(changes[0]!.subject, 10)) + 1);
    for (let n = 0; n < 20; n += 1) fake.addZone({ name: `pending-${n}.ru`, account_id, status: 'pending' });
  });
  expect(await runs.charged()).toBe(1);
});

test('a run that is cancelled once its name is paid says that it is bought, and finishes when it is tried again', async () => {
  const told = { state: 'partial', done: 1, counts: { done: 1, cancelled: 0 }, retryable: true };
  expect(await runs.cancel()).toMatchObject({ ...told, message: expect.stringContaining('куплен') });
  expect(await runs.charged()).toBe(1);
});
