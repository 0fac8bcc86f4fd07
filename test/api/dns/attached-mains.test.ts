// The place of an attached name in the order of claims, whatever becomes of its rule and of its main domain.
import { expect, test } from 'vitest';
import { createPerson } from '../../support/server.ts';
import {
  add,
  addProject,
  attach,
  cdn,
  deleteRule,
  done,
  handOver,
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

test('an attached name that is added to the portfolio stays as long held as it was, without its rule and main domain too', async () => {
  const main = await add(owner, 'main.com');
  await attach(owner);
  const below = await add(other, 'x.old.com');
  const old = await add(owner, 'old.com');
  await handOver(main);
  expect([await looks(owner, old), await looks(other, below)]).toEqual([HELD, NOT_THERE]);
  await handOver(main, owner);
  const deletion = await deleteRule(owner, old);
  expect([await looks(owner, old), await looks(other, below)]).toEqual([HELD, NOT_THERE]);
  await done(owner, `POST /api/operations/${deletion}/restore`, {});
  await take(owner, main);
  expect([await looks(owner, old), await looks(other, below)]).toEqual([HELD, NOT_THERE]);
});

test('who is given a main domain has its attached names, before whoever came after them', async () => {
  const main = await add(owner, 'main.com');
  await attach(owner);
  const third = await createPerson(cdn.server);
  const below = await add(third, 'x.old.com');
  await handOver(main);
  expect([await points(other), await points(owner), await looks(third, below)]).toEqual([200, 422, NOT_THERE]);
  expect(await looks(other, await add(other, 'old.com'))).toEqual(HELD);
});

test('a main domain and its attached one that are given away at once leave nothing behind', async () => {
  const ids = [await add(owner, 'main.com')];
  await attach(owner);
  ids.push(await add(owner, 'old.com'));
  const act = { kind: 'edit', fields: { project_id: await addProject(other) } };
  const given = await cdn.call('POST /api/domains_bulk', { selection: { names: ['main.com', 'old.com'] }, act });
  expect([given.status, given.body.data?.changes]).toEqual([200, 2]);
  expect([await looks(other, ids[1]!), await points(owner)]).toEqual([HELD, 422]);
});

test('attaching a name again keeps its place', async () => {
  await add(owner, 'main.com');
  await attach(owner);
  const below = await add(other, 'x.old.com');
  await attach(owner);
  expect([await points(owner), await looks(other, below)]).toEqual([200, NOT_THERE]);
});

test('a main domain that its user adds anew has its attached names again, after who came meanwhile', async () => {
  const main = await add(owner, 'main.com');
  await attach(owner, 'main.com', ['old.com', 'older.com']);
  await take(owner, main);
  const old = await add(other, 'old.com');
  const again = await add(owner, 'main.com');
  expect([await looks(other, old), await points(other, 'older.com'), await points(owner, 'older.com')]).toEqual([
    HELD,
    422,
    200,
  ]);
  // The former row in its place, and that one in another user's portfolio.
  await take(owner, again);
  await restore(owner, main);
  expect([await points(other, 'older.com'), await points(owner, 'older.com')]).toEqual([422, 200]);
  await handOver(main);
  expect([await points(other, 'older.com'), await points(owner, 'older.com')]).toEqual([200, 422]);
});

test('a main domain that is renamed holds no attached name until it has its name back', async () => {
  const main = await add(owner, 'main.com');
  await attach(owner);
  await rename(main, 'new.com');
  const stranger = await add(other, 'main.com');
  const third = await createPerson(cdn.server);
  expect([await points(third), await points(other)]).toEqual([200, 200]);
  const below = await add(third, 'x.old.com');
  await take(other, stranger);
  await rename(main, 'main.com');
  expect([await points(other), await points(owner), await looks(third, below)]).toEqual([422, 422, [200, 404]]);
});

test('a name that an undone attaching has freed is attached anew, in its user’s place', async () => {
  const main = await add(owner, 'main.com');
  await done(owner, `POST /api/operations/${await attach(owner)}/restore`, {});
  const below = await add(other, 'x.old.com');
  expect(await looks(other, below)).toEqual(HELD);
  await take(other, below);
  await add(other, 'second.com');
  await attach(other, 'second.com');
  expect([await points(owner), await points(other)]).toEqual([422, 200]);
  await take(owner, main);
  expect(await points(other)).toBe(200);
});

test('a name with letters of another alphabet is held as any other', async () => {
  const main = await add(owner, 'главный.рф');
  await attach(owner, 'главный.рф', ['старый.рф']);
  const old = await add(owner, 'старый.рф');
  await take(owner, main);
  await add(other, 'главный.рф');
  expect([await looks(owner, old), await points(other, 'старый.рф')]).toEqual([HELD, 422]);
});
