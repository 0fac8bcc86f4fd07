// The rights in zones that follow from the domains of the portfolio, below the API.
import { afterEach, beforeEach, expect, test } from 'vitest';
import { execute, select, transaction } from '../../../db/index.ts';
import type { Act } from '../../../src/operations/flow.ts';
import {
  actorOf,
  foreignZone,
  guarded,
  reachIn,
  requireZone,
  wholeZones,
  zoneActs,
} from '../../../src/services/access/ownership.ts';
import { SYSTEM, type Actor } from '../../../src/services/access/scope.ts';
import { insertUser } from '../../../src/services/access/users.ts';
import { startDatabase } from '../../support/database.ts';

let database: Awaited<ReturnType<typeof startDatabase>>;
let ann: Actor;
let ben: Actor;
let boss: Actor;

beforeEach(async () => {
  database = await startDatabase();
  const make = async (login: string, role: 'admin' | 'user'): Promise<Actor> =>
    actorOf(await transaction(() => insertUser({ login, role }, 'no hash')));
  [ann, ben, boss] = [await make('ann', 'user'), await make('ben', 'user'), await make('boss', 'admin')];
});
afterEach(() => database.close());

/** Adds a domain with a later claim than the existing ones; `more` are further columns as stored. */
const add = (holder: Actor, name: string, more: Record<string, string | number> = {}): Promise<number> =>
  transaction(() => {
    const columns = Object.keys(more);
    return execute(
      `INSERT INTO domains (user_id, domain_name, unicode_name, file_path, type, transfer_type, transfer_dns, status, created_at,
         updated_at${columns.map((column) => `, ${column}`).join('')})
       VALUES ($user, $name, $name, '/', 'main', 'auto', 'off', 'available', '', ''${columns.map((column) => `, $${column}`).join('')})`,
      { user: holder.id!, name, ...more },
    );
  });
const idOf = async (name: string): Promise<number> =>
  (await select<{ id: number }>('SELECT id FROM domains WHERE domain_name = $name', { name }))[0]!.id;
const hasWhole = async (actor: Actor, name: string): Promise<boolean> => (await reachIn(actor, name)).isWhole;

test('many zones looked up together get the same answers as each by itself', async () => {
  const zones = Array.from({ length: 12 }, (_, index) => `zone-${index}.com`);
  for (const [index, zone] of zones.entries()) {
    // In turn: all ann's; all ben's; ann's with a later name of ben below it; ann's after a name of ben below it.
    const kind = index % 4;
    if (kind === 3) await add(ben, `early.${zone}`);
    await add(kind === 1 ? ben : ann, zone);
    await add(kind === 1 ? ben : ann, `www.${zone}`);
    if (kind === 2) await add(ben, `late.${zone}`);
  }
  await add(ben, 'zone-0.com.elsewhere.com');
  const wanted = {
    ann: zones.filter((_, index) => index % 4 === 0 || index % 4 === 2),
    ben: zones.filter((_, index) => index % 4 === 1),
  };
  const nobodys = ['free-1.com', 'free-2.com'];
  for (const [actor, own] of [
    [ann, wanted.ann],
    [ben, wanted.ben],
  ] as const) {
    expect([...(await wholeZones(actor, [...zones, ...nobodys]))]).toEqual([...own, ...nobodys]);
    for (const zone of zones) {
      expect([zone, ...(await wholeZones(actor, [zone]))]).toEqual(own.includes(zone) ? [zone, zone] : [zone]);
      expect([zone, await hasWhole(actor, zone)]).toEqual([zone, own.includes(zone)]);
    }
  }
  expect([...(await wholeZones(boss, zones))]).toEqual(zones);
  expect([...(await wholeZones(SYSTEM, zones))]).toEqual(zones);
});

test('the first zone that somebody else answers for is named', async () => {
  await add(ann, 'hers.com');
  await add(ben, 'his.com');
  await add(ben, 'other.com');
  expect(await foreignZone(ann, ['hers.com', 'free.com'])).toBeNull();
  expect(await foreignZone(ann, ['hers.com', 'other.com', 'his.com'])).toBe('other.com');
  expect(await foreignZone(boss, ['his.com'])).toBeNull();
  await expect(requireZone(ann, 'www.his.com')).rejects.toMatchObject({ kind: 'not_found', key: 'zone.not_yours' });
  await requireZone(ann, 'www.hers.com');
});

test('a name belongs to the closest domain at it or above it', async () => {
  await add(ben, 'y.zone.com');
  await add(ann, 'x.zone.com');
  await add(ann, 'deep.x.zone.com');
  await add(ben, 'later.x.zone.com');
  const ids: Record<string, number> = {};
  for (const name of ['y', 'x', 'deep.x', 'later.x']) ids[name] = await idOf(`${name}.zone.com`);
  const { isWhole, holds } = await reachIn(ann, 'zone.com');
  expect(isWhole).toBe(false);
  const held = (name: string) => Object.keys(ids).filter((key) => holds(name, ids[key]!));
  expect(held('x.zone.com')).toEqual(['x']);
  expect(held('A.X.zone.com.')).toEqual(['x']);
  expect(held('a.deep.x.zone.com')).toEqual(['deep.x']);
  // A name that was added below a domain of somebody else belongs to the owner of that domain.
  expect(held('later.x.zone.com')).toEqual(['x']);
  for (const name of ['zone.com', 'y.zone.com', 'yx.zone.com', 'www.zone.com']) expect(held(name)).toEqual([]);
});

test('a name in the portfolio that is attached as well belongs to its row', async () => {
  await add(ben, 'y.zone.com');
  await add(ann, 'main.com');
  await transaction(() =>
    execute("INSERT INTO attachments (domain_name, forward_to, created_at) VALUES ('shop.zone.com', 'main.com', '')"),
  );
  await add(ann, 'shop.zone.com');
  const { holds } = await reachIn(ann, 'zone.com');
  expect(holds('shop.zone.com', await idOf('shop.zone.com'))).toBe(true);
});

test('the order of the claims counts, not that of the rows', async () => {
  await add(ben, 'x.zone.com', { name_claim: 50 });
  await add(ann, 'zone.com', { name_claim: 40 });
  expect([await hasWhole(ann, 'zone.com'), await hasWhole(ben, 'zone.com')]).toEqual([true, false]);
  await transaction(() => execute("UPDATE domains SET name_claim = 50 WHERE domain_name = 'zone.com'"));
  expect([await hasWhole(ann, 'zone.com'), await hasWhole(ben, 'zone.com')]).toEqual([false, false]);
  await transaction(() => execute("UPDATE domains SET name_claim = 60 WHERE domain_name = 'zone.com'"));
  expect([await hasWhole(ann, 'zone.com'), await hasWhole(ben, 'zone.com')]).toEqual([false, false]);
  await transaction(() => execute("UPDATE domains SET deleted_at = 'now' WHERE domain_name = 'x.zone.com'"));
  expect(await hasWhole(ann, 'zone.com')).toBe(true);
});

test('an act on a zone is looked at only while its user answers for the zone', async () => {
  await add(ann, 'zone.com');
  const looks: (boolean | undefined)[] = [];
  const act: Act = {
    name: 'act',
    class: 'set',
    look: async (isOver) => {
      looks.push(isOver);
      return null;
    },
  };
  const [hers] = zoneActs(ann.id, 'zone.com', [act]);
  const [his] = zoneActs(ben.id, 'zone.com', [act]);
  const [system] = zoneActs(null, 'zone.com', [act]);
  await hers!.look(true);
  await system!.look();
  await expect(his!.look()).rejects.toMatchObject({ kind: 'not_found' });
  expect(looks).toEqual([true, undefined]);
  const refusal = new Error('no');
  const [refused] = guarded([act], () => Promise.reject(refusal));
  await expect(refused!.look()).rejects.toBe(refusal);
  expect(looks).toHaveLength(2);
});

test('a user who answers for a whole zone holds every name in it', async () => {
  await add(ann, 'zone.com');
  const id = await idOf('zone.com');
  for (const actor of [ann, boss, SYSTEM]) {
    const { isWhole, holds } = await reachIn(actor, 'zone.com');
    expect([isWhole, holds('any.zone.com', id)]).toEqual([true, true]);
  }
});

test('a deleted user has no rights', async () => {
  expect(await actorOf(987_654)).toEqual({ id: 987_654, login: '', role: 'user' });
  expect(await actorOf(null)).toBe(SYSTEM);
  expect(await actorOf(boss.id)).toMatchObject({ login: 'boss', role: 'admin' });
});
