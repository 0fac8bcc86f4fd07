// A date in doubt, and who decides about it; look-ups that are cancelled.
import { describe, expect, test } from 'vitest';
import { select } from '../../../../db/index.ts';
import { runOperation } from '../../../../src/operations/engine.ts';
import { cancelOperation } from '../../../../src/operations/queue.ts';
import { startExpiry } from '../../../../src/services/checks/check-expiry.ts';
import { decideDate, findRegistration } from '../../../../src/services/checks/registration.ts';
import {
  add,
  addRegistrar,
  age,
  ann,
  bob,
  ENDS,
  lookUp,
  refused,
  register,
  registry,
  shop,
  stored,
  useExpiries,
} from './world.ts';

useExpiries();

const LATER = '2028-08-13T04:00:00.000Z';
const EARLIER = ENDS;

/** A domain of ann's whose registry tells an earlier date than the known one. */
async function inDoubt(): Promise<number> {
  await add(ann, ['site.com'], { expired_at: LATER });
  register('site.com');
  await lookUp(ann);
  const [row] = await select<{ id: number }>('SELECT id FROM domains');
  return row?.id ?? 0;
}

const audited = () =>
  select<{ object: string; before: string; after: string }>(
    `SELECT object, before, after FROM audit WHERE object = 'domains' AND action = 'update' ORDER BY id`,
  );

describe('a date in doubt', () => {
  test('is shown beside the known one, and taken over at a person’s word, who is audited', async () => {
    const id = await inDoubt();
    expect(await findRegistration(ann, id)).toMatchObject({
      expired_at: LATER,
      suspect: { date: EARLIER, source: 'rdap' },
    });
    const decided = await decideDate(ann, id, { decision: 'accept', date: EARLIER });
    expect(decided).toMatchObject({ expired_at: EARLIER, source: 'rdap', suspect: null });
    expect((await audited()).map(({ after }) => after)).toEqual([expect.stringContaining(EARLIER)]);
  });

  test('is told at the end of the look-ups that found it', async () => {
    await inDoubt();
    await age(2);
    const { message } = await lookUp(ann);
    expect(JSON.parse(message)).toMatchObject({ also: [{ key: 'expiry.doubts', params: { n: 1 } }] });
    expect(JSON.parse((await lookUp(bob)).message)).not.toHaveProperty('also');
  });

  test('that is turned down stays away, and the known one stands', async () => {
    const id = await inDoubt();
    await decideDate(ann, id, { decision: 'ignore', date: EARLIER });
    for (let day = 0; day < 3; day += 1) {
      await age(24);
      await lookUp(ann);
    }
    expect(await findRegistration(ann, id)).toMatchObject({ expired_at: LATER, source: 'hand', suspect: null });
    expect((await audited()).map(({ after }) => after)).toEqual([expect.stringContaining('ignored_date')]);
  });

  test('is taken over by a look-up a day later', async () => {
    const id = await inDoubt();
    await age(24);
    await lookUp(ann);
    expect(await findRegistration(ann, id)).toMatchObject({ expired_at: EARLIER, source: 'rdap', suspect: null });
  });

  test('that a registrar and the registry tell is taken over at once', async () => {
    const registrar = await addRegistrar(ann);
    await add(ann, ['first.ru'], { registrar, expired_at: LATER });
    // As the fake registrar has it.
    register('first.ru', { expires_at: '2027-02-13T21:00:00.000Z' });
    await lookUp(ann);
    expect((await stored())['first.ru']).toMatchObject({ source: 'registrar', suspect: null });
    expect(shop.requests.filter(({ path }) => path === '/service/get_list')).toHaveLength(1);
  });

  test('is nobody else’s to see or to decide, and is decided once', async () => {
    const id = await inDoubt();
    const accept = { decision: 'accept', date: EARLIER } as const;
    await expect(findRegistration(bob, id)).rejects.toMatchObject({ kind: 'not_found' });
    await expect(decideDate(bob, id, accept)).rejects.toMatchObject({ kind: 'not_found' });
    await expect(decideDate(ann, id, { ...accept, date: LATER })).rejects.toMatchObject({ kind: 'conflict' });
    await decideDate(ann, id, accept);
    await expect(decideDate(ann, id, accept)).rejects.toMatchObject({ kind: 'conflict' });
  });
});

describe('look-ups', () => {
  test('that are cancelled while a server refuses end soon, and keep what was found', async () => {
    await add(ann, ['site.com', 'refused.com']);
    register('site.com');
    register('refused.com');
    refused.add('refused.com');
    const { id } = await startExpiry(ann, {}, true);
    const running = runOperation(id);
    await expect.poll(() => registry.queries, { interval: 20 }).toContain('refused.com');
    await cancelOperation(id);
    expect(await running).toMatchObject({ state: 'cancelled' });
    expect(await stored()).toMatchObject({ 'site.com': { expired_at: ENDS }, 'refused.com': { expired_at: null } });
  });

  test('of a server that refused are held back by the next run, and made again after its pause', async () => {
    await add(ann, ['refused.com']);
    register('refused.com');
    refused.add('refused.com');
    expect(await lookUp(ann)).toMatchObject({ state: 'failed', failed: 1 });
    const [pause] = await select<{ refusals: number }>('SELECT refusals FROM registry_pauses');
    expect(pause?.refusals).toBe(3);
    refused.clear();
    expect(await lookUp(ann)).toMatchObject({ state: 'succeeded', failed: 0 });
    expect(await select('SELECT * FROM registry_pauses')).toEqual([]);
  });
});
