// Who answers for an outside object: a zone, a name in it. (Folders on servers: `folders.ts`.)
import { select } from '../../../db/index.ts';
import type { Act } from '../../operations/flow.ts';
import { asciiName } from '../../shared/hostname.ts';
import { AppError } from '../../shared/errors.ts';
import { isAdmin, SYSTEM, type Actor } from './scope.ts';
import { zoneNameOf } from '../../lib/zone-name.ts';

/** A domain of a zone: whose it is, and its place in the order in which the names were taken. */
interface Holding {
  id: number;
  name: string;
  holder: number;
  claim: number;
}

const HOLDINGS = `SELECT d.id, d.domain_name AS name, COALESCE(p.user_id, d.user_id) AS holder,
    COALESCE(d.name_claim, d.id) AS claim
  FROM domains d LEFT JOIN projects p ON p.id = d.project_id WHERE d.deleted_at IS NULL`;

async function holdingsIn(zone: string): Promise<Holding[]> {
  const rows = await select<Holding>(
    `${HOLDINGS} AND (d.domain_name = $zone OR substr(d.domain_name, -length($below)) = $below) ORDER BY claim`,
    { zone, below: `.${zone}` },
  );
  return rows.filter(({ name }) => zoneNameOf(name) === zone);
}

const liesIn = (name: string, above: string): boolean => name === above || name.endsWith(`.${above}`);

/** The holding that a name belongs to: the closest at it or above it. */
const closest = (name: string, holdings: readonly Holding[]): Holding | undefined =>
  holdings
    .filter((holding) => liesIn(name, holding.name))
    .reduce<Holding | undefined>((best, one) => (best && best.name.length >= one.name.length ? best : one), undefined);

/** The holdings that count, of holdings by claim: a name below an earlier one of somebody else's was his already. */
function inForce(holdings: readonly Holding[]): Holding[] {
  const kept: Holding[] = [];
  for (const holding of holdings) {
    const above = closest(holding.name, kept);
    if (!above || above.holder === holding.holder) kept.push(holding);
  }
  return kept;
}

/**
 * How far an actor's rights in a zone go. `isWhole`: the zone with its settings, rules and all records. Else `holds` says
 * whether a name belongs to a domain: it is the domain's own or lies below it, and no other domain is closer.
 */
export interface Reach {
  isWhole: boolean;
  holds: (name: string, domainId: number) => boolean;
}

const WHOLE: Reach = { isWhole: true, holds: () => true };

/**
 * Rights in a zone by its domains, ordered by claim. The whole zone answers to whoever holds all its domains, and to the
 * holder of its own name where every foreign domain came later; of a later one below it nothing belongs to its holder. In any
 * other zone of several holders each has the names of his domains, and nobody but admins the rest.
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
 * The rights of an actor in the zone of a name as the portfolio stands. A zone is the registered one: a zone that Cloudflare
 * has for a name below it answers to the same holders.
 */
export async function reachIn(actor: Actor, name: string): Promise<Reach> {
  if (isAdmin(actor)) return WHOLE;
  const zone = zoneNameOf(name);
  return reachBy(actor, zone, await holdingsIn(zone));
}

/** The holdings of many zones by one look at the portfolio. */
async function holdingsOf(zones: ReadonlySet<string>): Promise<Map<string, Holding[]>> {
  const found = new Map<string, Holding[]>();
  for (const holding of await select<Holding>(`${HOLDINGS} ORDER BY claim`)) {
    const zone = zoneNameOf(holding.name);
    if (!zones.has(zone)) continue;
    const rows = found.get(zone);
    if (rows) rows.push(holding);
    else found.set(zone, [holding]);
  }
  return found;
}

// SQLite looks through the names for one zone in a tenth of the time that they all take to be read.
const FEW = 8;

/** Those of the registered zones that an actor answers for as a whole. */
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

/** What is said of a zone, or of names in it, that somebody else answers for: it is not there for the caller. */
export const notYours = (zone: string): AppError => new AppError('not_found', 'zone.not_yours', { zone });

/** Throws `not_found` unless the actor answers for the whole zone. */
export async function requireZone(actor: Actor, zone: string): Promise<void> {
  if (!(await reachIn(actor, zone)).isWhole) throw notYours(zone);
}

/** The first of the zones that the actor does not answer for as a whole; null: he does for all. */
export async function foreignZone(actor: Actor, zones: readonly string[]): Promise<string | null> {
  const whole = await wholeZones(actor, zones);
  return zones.find((zone) => !whole.has(zone)) ?? null;
}

/**
 * The user that an operation works for, with the role of now; null is the command line. One who is gone has no rights. That one
 * who is disabled begins nothing more is the engine's (`endingOf`): what he had begun is still settled with what he may see.
 */
export async function actorOf(user_id: number | null): Promise<Actor> {
  if (user_id === null) return SYSTEM;
  const [row] = await select<Actor>('SELECT id, login, role FROM users WHERE id = $user_id', { user_id });
  return row ?? { id: user_id, login: '', role: 'user' };
}

/** The acts with a look before each: what was somebody's when it was planned may be another's when it is done. */
export const guarded = (acts: readonly Act[], check: () => Promise<void>): Act[] =>
  acts.map((act) => ({
    ...act,
    look: async (isOver) => {
      await check();
      return act.look(isOver);
    },
  }));

/** Acts on a whole zone, each made only while whoever asked for them answers for it. */
export const zoneActs = (user_id: number | null, zone: string, acts: readonly Act[]): Act[] =>
  guarded(acts, async () => requireZone(await actorOf(user_id), zone));
