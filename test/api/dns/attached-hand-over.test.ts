// Who holds an attached name, and names below it, once its main domain was given to another user.
import { beforeEach, expect, test } from 'vitest';
import { createPerson, type Person } from '../../support/server.ts';
import {
  add,
  addProject,
  attach,
  cdn,
  handOver,
  HELD,
  looks,
  NOT_THERE,
  other,
  owner,
  points,
  rename,
  take,
  useAttached,
} from './attached.ts';

useAttached();

let third: Person;
beforeEach(async () => {
  third = await createPerson(cdn.server);
});

/** Of `looks`: the names of the domain are theirs, but not the whole zone. */
const IN_PART = [200, 404];

/** Gives the owner's domains to another user by one bulk edit, and returns what undoes it. */
async function giveAtOnce(names: string[]): Promise<string> {
  const act = { kind: 'edit', fields: { project_id: await addProject(other) } };
  const { status, body } = await cdn.call('POST /api/domains_bulk', { selection: { names }, act });
  expect([status, body.data?.changes]).toEqual([200, names.length]);
  return body.data.undo;
}

/** Attaches `old.com` to the owner's `main.com`, and has a third user come later. Returns the ids of those and of the owner's own row of it. */
async function attachedAndNamed() {
  const main = await add(owner, 'main.com');
  const typo = await add(owner, 'typo.com');
  await attach(owner);
  const below = await add(third, 'x.old.com');
  await rename(typo, 'old.com');
  expect([await looks(owner, typo), await looks(third, below)]).toEqual([HELD, NOT_THERE]);
  return { main, below, old: typo };
}

test.each(['before', 'after'])(
  'who hands a main domain over keeps a name below the attached one that was added %s the attaching',
  async (when) => {
    const main = await add(owner, 'main.com');
    const early = when === 'before' ? await add(owner, 'shop.old.com') : null;
    await attach(owner);
    const later = await add(third, 'sub.shop.old.com');
    const shop = early ?? (await add(owner, 'shop.old.com'));
    await handOver(main);
    expect([await looks(owner, shop), await points(other), await points(owner)]).toEqual([IN_PART, 422, 422]);
    expect(await looks(third, later)).toEqual(NOT_THERE);
    // Without the main domain as well.
    await take(other, main);
    expect([await looks(owner, shop), await looks(third, later)]).toEqual([IN_PART, NOT_THERE]);
  },
);

test('a name that is renamed to one below an attached name takes its place', async () => {
  const main = await add(owner, 'main.com');
  const typo = await add(owner, 'typo.com');
  await attach(owner);
  await rename(typo, 'shop.old.com');
  await handOver(main);
  expect(await looks(owner, typo)).toEqual(IN_PART);
});

test('a main domain and its attached name that are given away at once are the new user’s as they were the giver’s', async () => {
  const { below, old } = await attachedAndNamed();
  await giveAtOnce(['main.com', 'old.com']);
  expect([await looks(other, old), await looks(third, below)]).toEqual([HELD, NOT_THERE]);
  // The attached name has kept its place, too.
  await take(other, old);
  expect([await points(other), await looks(third, below)]).toEqual([200, NOT_THERE]);
});

test('so are they one after the other, the attached name first', async () => {
  const { main, below, old } = await attachedAndNamed();
  await handOver(old);
  await handOver(main);
  expect([await looks(other, old), await looks(third, below)]).toEqual([HELD, NOT_THERE]);
});

test('an undone hand-over leaves the giver what was theirs before, and nobody else anything', async () => {
  const { below, old } = await attachedAndNamed();
  // The receiver has names there, which belonged to the giver.
  const foreign = await add(other, 'y.old.com');
  const undo = await giveAtOnce(['main.com']);
  expect(await cdn.call(`POST /api/domains_bulk/${undo}/undo`, {})).toMatchObject({
    status: 200,
    body: { data: { restored: 1, kept: 0 } },
  });
  expect([await looks(owner, old), await looks(third, below), await looks(other, foreign)]).toEqual([
    HELD,
    NOT_THERE,
    NOT_THERE,
  ]);
  await take(owner, old);
  expect([await points(owner), await points(other), await looks(third, below)]).toEqual([200, 422, NOT_THERE]);
});
