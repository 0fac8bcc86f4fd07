// Names that are attached again, or were to be, while their rule or their main domain was gone.
import { expect, test } from 'vitest';
import { select } from '../../../db/index.ts';
import { pointingAt } from '../../support/cdn.ts';
import {
  add,
  addZone,
  as,
  attach,
  cdn,
  deleteRule,
  HELD,
  looks,
  NOT_THERE,
  other,
  owner,
  points,
  rename,
  restore,
  take,
  useAttached,
} from './attached.ts';

useAttached();

const attachments = () => select('SELECT domain_name, forward_to FROM attachments ORDER BY domain_name');

test.each(['restored', 'renamed back', 'added anew'])(
  'a main domain that is %s has a name again that somebody attached to it meanwhile',
  async (how) => {
    const main = await add(owner, 'main.com');
    await attach(owner);
    await (how === 'renamed back' ? rename(main, 'new.com') : take(owner, main));
    // Both names are free.
    await attach(other);
    if (how === 'restored') await restore(owner, main);
    else if (how === 'renamed back') await rename(main, 'main.com');
    else await add(owner, 'main.com');
    expect([await points(other), await points(owner)]).toEqual([422, 200]);
  },
);

test('a name that another user attaches to a main domain of the same name is that user’s', async () => {
  const main = await add(owner, 'main.com');
  await attach(owner);
  await take(owner, main);
  const theirs = await add(other, 'main.com');
  await attach(other);
  expect([await points(other), await points(owner)]).toEqual([200, 422]);
  await take(other, theirs);
  await restore(owner, main);
  expect([await points(other), await points(owner)]).toEqual([200, 200]);
});

test.each(['restored', 'renamed'])(
  'a row that is %s to an attached name keeps its place when the rule is deleted',
  async (how) => {
    await add(owner, 'main.com');
    addZone('old.com');
    const row = await add(owner, how === 'renamed' ? 'typo.com' : 'old.com');
    if (how === 'restored') await take(owner, row);
    await attach(owner);
    const below = await add(other, 'x.old.com');
    await (how === 'renamed' ? rename(row, 'old.com') : restore(owner, row));
    await deleteRule(owner, row);
    expect([await attachments(), await looks(owner, row), await looks(other, below)]).toEqual([[], HELD, NOT_THERE]);
  },
);

// Attached by this operation, or found as if it were.
test.each(['done', 'noop'])(
  'another try of an attaching does not bring back a name whose rule was deleted since (%s)',
  async (state) => {
    await add(owner, 'main.com');
    for (const name of ['old.com', 'bad.com']) addZone(name);
    if (state === 'noop') await attach(owner);
    const bad = cdn.zone('bad.com').id;
    const isBad = ({ method, path }: { method: string; path: string }) => method !== 'GET' && path.includes(bad);
    cdn.fake.faults.push({ kind: 'status', status: 400, times: 9999, match: isBad });
    const names = pointingAt(cdn, 'main.com', { pageRules: ['old.com', 'bad.com'] });
    const { id } = (await as(owner, 'POST /api/manage_dns', names)).body.operation;
    expect(await cdn.ended(id)).toMatchObject({ state: 'partial', counts: { [state]: 1, failed: 1 } });
    expect(await attachments()).toEqual([{ domain_name: 'old.com', forward_to: 'main.com' }]);
    const old = await add(owner, 'old.com');
    await deleteRule(owner, old);
    await take(owner, old);
    cdn.fake.faults.length = 0;
    expect((await as(owner, `POST /api/operations/${id}/retry`, {})).status).toBe(200);
    expect(await cdn.ended(id)).toMatchObject({ state: 'succeeded' });
    expect(cdn.zone('old.com').page_rules).toEqual([]);
    expect(await attachments()).toEqual([{ domain_name: 'bad.com', forward_to: 'main.com' }]);
    expect(await points(other)).toBe(200);
  },
);

test.each(['restored', 'renamed back'])(
  'a main domain below its attached name that is %s comes after who has taken that name meanwhile',
  async (how) => {
    addZone('old.com');
    const main = await add(owner, 'x.old.com');
    await attach(owner, 'x.old.com');
    await (how === 'restored' ? take(owner, main) : rename(main, 'typo.com'));
    const theirs = await add(other, how === 'restored' ? 'old.com' : 'www.x.old.com');
    expect(await looks(other, theirs)).toEqual(HELD);
    await (how === 'restored' ? restore(owner, main) : rename(main, 'x.old.com'));
    const apart =
      how === 'restored'
        ? [HELD, NOT_THERE]
        : [
            [200, 404],
            [200, 404],
          ];
    expect([await looks(other, theirs), await looks(owner, main)]).toEqual(apart);
  },
);
