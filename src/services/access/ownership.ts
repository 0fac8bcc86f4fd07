// The user who holds a zone, or a name in it. (Folders on servers: `portfolio/folders.ts`.)
import type { Act, Item } from '../../operations/flow.ts';
import { withConfirm } from '../../lib/outgoing/line.ts';
import { asciiName } from '../../shared/hostname.ts';
import { AppError } from '../../shared/errors.ts';
import type { Message } from '../../shared/i18n/index.ts';
import { findUserRole, listHoldings, listHoldingsAt, type HoldingRow } from './rows.ts';
import { isAdmin, SYSTEM, type Actor } from './scope.ts';
import { zoneNameOf } from '../../lib/zone-name.ts';

/** A name in a zone: its user, and its place in the order in which names were taken. */
interface Holding {
  id: number;
  name: string;
  holder: number;
  claim: number;
}

/**
 * Returns the holdings of one zone, ordered by claim. An attached name comes after a domain of the same claim. A name that its user has
 * in the portfolio as well is one holding, since the earlier of the two.
 */
function byClaim(rows: readonly HoldingRow[]): Holding[] {
  const ordered = rows
    .map((row) => (row.id < 0 ? { ...row, claim: row.claim + 0.5 } : row))
    .toSorted((a, b) => a.claim - b.claim || a.id - b.id);
  const joined = new Map<string, Holding>();
  for (const { id, name, holder, claim } of ordered) {
    const key = `${holder} ${name}`;
    const known = joined.get(key);
    joined.set(key, known ? { ...known, id: Math.max(known.id, id) } : { id, name, holder, claim });
  }
  return [...joined.values()];
}

const holdingsIn = async (zone: string): Promise<Holding[]> =>
  byClaim((await listHoldingsAt(zone)).filter(({ name }) => zoneNameOf(name) === zone));

const liesIn = (name: string, above: string): boolean => name === above || name.endsWith(`.${above}`);

/** Returns the holding that a name belongs to: the closest one at the name or above it. */
const closest = (name: string, holdings: readonly Holding[]): Holding | undefined =>
  holdings
    .filter((holding) => liesIn(name, holding.name))
    .reduce<Holding | undefined>((best, one) => (best && best.name.length >= one.name.length ? best : one), undefined);

/**
 * Returns the holdings that count, given all ordered by claim: a name below another user's earlier one was that user's
 * already.
 */
function inForce(holdings: readonly Holding[]): Holding[] {
  const kept: Holding[] = [];
  for (const holding of holdings) {
    const above = closest(holding.name, kept);
    if (!above || above.holder === holding.holder) kept.push(holding);
  }
  return kept;
}

/**
 * An actor's rights in a zone. `isWhole`: the zone with its settings, rules and all records. Else `holds` says whether
 * a name belongs to a domain: it is the domain's own or lies below it, and no other domain is closer.
 */
export interface Reach {
  isWhole: boolean;
  holds: (name: string, domainId: number) => boolean;
}

const WHOLE: Reach = { isWhole: true, holds: () => true };

/**
 * Returns an actor's rights in a zone by its domains, ordered by claim. The user who holds all domains of a zone has
 * the whole zone, and so has the holder of its own name where every other user's domain came later; those later ones
 * give no rights. In any other zone of several holders each has the names of their domains, and only admins have the
 * rest.
 */
function reachBy(actor: Actor, zone: string, holdings: readonly Holding[]): Reach {
  if (isAdmin(actor)) return WHOLE;
  const foreign = holdings.find(({ holder }) => holder !== actor.id);
  const apex = holdings.find(({ name }) => name === zone);
  if (!foreign || (apex && apex.holder === actor.id && apex.claim < foreign.claim)) return WHOLE;
  const kept = inForce(holdings);
  const own = new Set(kept.flatMap(({ id, holder }) => (holder === actor.id ? [id] : [])));
  return { isWhole: false, holds: (name, id) => own.has(id) && closest(asciiName(name), kept)?.id === id };
}

/**
 * Returns the actor's rights in the zone of a name, by the portfolio as it is now. A zone is the registered one: a zone
 * that Cloudflare has for a name below it belongs to the same holders.
 */
export async function reachIn(actor: Actor, name: string): Promise<Reach> {
  if (isAdmin(actor)) return WHOLE;
  const zone = zoneNameOf(name);
  return reachBy(actor, zone, await holdingsIn(zone));
}

/** Returns the holdings of many zones, by one query. */
async function holdingsOf(zones: ReadonlySet<string>): Promise<Map<string, Holding[]>> {
  const found = new Map<string, HoldingRow[]>();
  for (const holding of await listHoldings()) {
    const zone = zoneNameOf(holding.name);
    if (!zones.has(zone)) continue;
    const rows = found.get(zone);
    if (rows) rows.push(holding);
    else found.set(zone, [holding]);
  }
  return new Map([...found].map(([zone, rows]) => [zone, byClaim(rows)]));
}

// Up to so many zones are queried one by one: SQLite searches the names for one zone in a tenth of the time that
// reading all of them takes.
const FEW = 8;

/** Returns those of the registered zones that an actor holds as a whole. */
export async function wholeZones(actor: Actor, zones: Iterable<string>): Promise<Set<string>> {
  const asked = new Set(zones);
  if (isAdmin(actor)) return asked;
  const all = asked.size > FEW ? await holdingsOf(asked) : null;
  const whole = new Set<string>();
  for (const zone of asked) {
    const holdings = all ? (all.get(zone) ?? []) : await holdingsIn(zone);
    if (reachBy(actor, zone, holdings).isWhole) whole.add(zone);
  }
  return whole;
}

/** The AppError `not_found` for a zone, or names in it, that somebody else holds: for the caller it does not exist. */
export const notYours = (zone: string): AppError => new AppError('not_found', 'zone.not_yours', { zone });

/** Returns why the user who works on them holds items no more, by their names: what `check` throws as AppError. */
export async function refusedAmong<D>(
  items: readonly Item<D>[],
  check: (item: Item<D>) => Promise<void>,
): Promise<Map<string, Message>> {
  const refused = new Map<string, Message>();
  for (const item of items) {
    await check(item).catch((error: unknown) => {
      if (!(error instanceof AppError)) throw error;
      refused.set(item.item, { key: error.key, params: error.params });
    });
  }
  return refused;
}

/** Returns `refusedAmong` of items that work on whole zones, which are asked for at once. */
export async function foreignZones(items: readonly Item<{ zone: string }>[]): Promise<Map<string, Message>> {
  const zones = new Set(items.map(({ data }) => zoneNameOf(data.zone)));
  const whole = await wholeZones(await actorOf(items[0]?.user_id ?? null), zones);
  return refusedAmong(items, async ({ data: { zone } }) => {
    if (!whole.has(zoneNameOf(zone))) throw notYours(zone);
  });
}

/** Throws AppError `not_found` unless the actor holds the whole zone. */
export async function requireZone(actor: Actor, zone: string): Promise<void> {
  if (!(await reachIn(actor, zone)).isWhole) throw notYours(zone);
}

/** Returns the first of the zones that the actor does not hold as a whole; null: there is none. */
export async function foreignZone(actor: Actor, zones: readonly string[]): Promise<string | null> {
  const whole = await wholeZones(actor, zones);
  return zones.find((zone) => !whole.has(zone)) ?? null;
}

/**
 * Returns the user that an operation works for, with the current role; null is the command line. A deleted user has no
 * rights. A disabled one has, so that begun work can be settled; the engine (`endingOf`) begins nothing more for them.
 */
export async function actorOf(user_id: number | null): Promise<Actor> {
  if (user_id === null) return SYSTEM;
  return (await findUserRole(user_id)) ?? { id: user_id, login: '', role: 'user' };
}

/** Returns an act with `check`, which asks our own rows alone, before each call that changes something: it may have waited for its turn for minutes. */
export const confirmedAct = (act: Act, check: () => Promise<void>): Act => ({
  ...act,
  look: async (isOver) => {
    const change = await act.look(isOver);
    return change && { ...change, perform: () => withConfirm(check, change.perform) };
  },
});

/** Returns the acts with `check` before each look, and as `confirmedAct`: an object may have changed hands since it was planned. */
export const guarded = (acts: readonly Act[], check: () => Promise<void>): Act[] =>
  acts.map((one) => {
    const act = confirmedAct(one, check);
    return {
      ...act,
      look: async (isOver) => {
        await check();
        return act.look(isOver);
      },
    };
  });

/**
 * Returns acts on a whole zone that are only made while the user who asked for them holds it. Their looks throw
 * AppError `not_found`.
 */
export const zoneActs = (user_id: number | null, zone: string, acts: readonly Act[]): Act[] =>
  guarded(acts, async () => requireZone(await actorOf(user_id), zone));
