// Who holds an attached name once its main domain has gone, come back, moved or changed hands.
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import {
  add,
  addProject,
  addZone,
  as,
  attach,
  cdn,
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

test('a stranger who takes the name of a former main domain gets no name that was attached to it', async () => {
  const main = await add(owner, 'main.com');
  await attach(owner);
  const old = await add(owner, 'old.com');
  const below = await add(other, 'x.old.com');
  await take(owner, main);
  await add(other, 'main.com');
  expect([await looks(other, below), await looks(owner, old)]).toEqual([NOT_THERE, HELD]);
  expect((await as(other, `POST /api/domain_dns/${below}`, { dns: [], override: true })).status).toBe(404);
  // Nor one that is free: its former holder may point it.
  await take(owner, old);
  await take(other, below);
  expect([await points(owner), await points(other)]).toEqual([200, 200]);
});

test('a name that a transfer has led to the new main domain belongs to it', async () => {
  for (const name of ['main.com', 'old.com', 'res.com']) addZone(name);
  const project_id = await addProject(owner);
  const main = await add(owner, 'main.com', { type: 'main', project_id });
  await attach(owner);
  // Neither the name below nor the reserve was there when the name was attached.
  const below = await add(other, 'x.old.com');
  const reserve = await add(owner, 'res.com', { type: 'transfer', project_id });
  const move = (sourceDomainId: number, targetDomainId: number): Promise<number> =>
    done(owner, 'POST /api/transfer_explicit', { sourceDomainId, targetDomainId, force: true });
  const leadsTo = () => cdn.zone('old.com').page_rules.map(({ actions }) => actions[0]?.value);
  await move(main, reserve);
  expect(leadsTo()).toEqual([expect.objectContaining({ url: 'https://res.com/$2' })]);
  await take(owner, main);
  const burnt = await add(other, 'main.com');
  expect([await points(other), await points(owner), await looks(other, below)]).toEqual([422, 200, NOT_THERE]);
  await take(other, burnt);
  // Back again, as a move of its own.
  await restore(owner, main);
  await move(reserve, main);
  expect(leadsTo()).toEqual([expect.objectContaining({ url: 'https://main.com/$2' })]);
  await take(owner, reserve);
  await add(other, 'res.com');
  expect([await points(other), await points(owner), await looks(other, below)]).toEqual([422, 200, NOT_THERE]);
});

test('who had a restored or renamed domain before an admin attached its name keeps it', async () => {
  const old = await add(owner, 'old.com');
  await take(owner, old);
  await restore(owner, old);
  const renamed = await add(owner, 'typo.com');
  await rename(renamed, 'older.com');
  // Later by the clock as well, which has milliseconds.
  await sleep(20);
  await add(other, 'main.com');
  for (const name of ['old.com', 'older.com']) addZone(name);
  await attach(cdn.server.admin, 'main.com', ['old.com', 'older.com']);
  expect([await looks(owner, old), await looks(owner, renamed)]).toEqual([HELD, HELD]);
  expect(await looks(other, await add(other, 'x.old.com'))).toEqual(NOT_THERE);
});

test.each(['restored', 'renamed'])(
  'a row that is %s to an attached name takes its place, and keeps it without the main domain',
  async (how) => {
    const isRenamed = how === 'renamed';
    const row = await add(owner, isRenamed ? 'typo.com' : 'old.com');
    if (!isRenamed) await take(owner, row);
    const main = await add(owner, 'main.com');
    await attach(owner);
    const below = await add(other, 'x.old.com');
    await (isRenamed ? rename(row, 'old.com') : restore(owner, row));
    expect([await looks(owner, row), await looks(other, below)]).toEqual([HELD, NOT_THERE]);
    await take(owner, main);
    expect([await looks(owner, row), await looks(other, below)]).toEqual([HELD, NOT_THERE]);
  },
);

test('a row that gets another name leaves the place of the attached one behind', async () => {
  const main = await add(owner, 'main.com');
  await attach(owner);
  const row = await add(owner, 'typo.com');
  await rename(row, 'old.com');
  const below = await add(other, 'x.old.com');
  addZone('new.com');
  const elsewhere = await add(other, 'x.new.com');
  await rename(row, 'new.com');
  await take(owner, main);
  const inPart = [200, 404];
  expect([await looks(other, below), await looks(other, elsewhere), await looks(owner, row)]).toEqual([
    HELD,
    inPart,
    inPart,
  ]);
});

test.each(['added', 'restored'])('who hands a main domain over keeps an attached name that is %s', async (how) => {
  const main = await add(owner, 'main.com');
  const former = how === 'restored' ? await add(owner, 'old.com') : null;
  if (former !== null) await take(owner, former);
  await attach(owner);
  if (former !== null) await restore(owner, former);
  const old = former ?? (await add(owner, 'old.com'));
  await handOver(main);
  expect([await looks(owner, old), await looks(other, await add(other, 'x.old.com'))]).toEqual([HELD, NOT_THERE]);
});

test('a main domain that is restored comes after who took the attached name meanwhile', async () => {
  const main = await add(owner, 'main.com');
  await attach(owner);
  await take(owner, main);
  const old = await add(other, 'old.com');
  await restore(owner, main);
  expect([await looks(other, old), await points(owner, 'shop.old.com')]).toEqual([HELD, 422]);
});
