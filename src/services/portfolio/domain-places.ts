import { note } from '../../../db/audit.ts';
import type { Act } from '../../operations/flow.ts';
import { AppError } from '../../shared/errors.ts';
import { actorOf } from '../access/ownership.ts';
import { SYSTEM, type Actor } from '../access/scope.ts';
import type { StoredAct } from '../../shared/operations.ts';
import { listChosenIds, listChosenNamed } from './bulk-rows.ts';
import { isTaken, refusedFolders } from './folders.ts';
import { findPlace, updatePlaces, type Place, type Placed } from './rows.ts';

const samePlace = (one: Place, other: Place): boolean =>
  one.account_id === other.account_id && one.server_id === other.server_id;

const placeOf = ({ account_id, server_id }: Place): Place => ({ account_id, server_id });

/** Returns the error where a domain of an actor's among the names must not get a server: its folder there is another's. */
export async function serverRefusal(
  actor: Actor,
  names: readonly string[],
  server_id: number | null,
): Promise<AppError | undefined> {
  const moved = (await listChosenNamed(actor, names)).filter(
    (row) => server_id !== null && row.server_id !== server_id,
  );
  if (moved.length === 0) return undefined;
  const wanted = moved.map(({ id, domain_name, file_path, holder }) => ({
    place: { id, domain_name, file_path, server_id },
    holder,
  }));
  return [...(await refusedFolders(actor, wanted)).values()].find(isTaken);
}

/** Throws `serverRefusal` as AppError `refused`. `field` is where the caller has chosen the server. */
export async function refuseServer(
  actor: Actor,
  names: readonly string[],
  server_id: number | null,
  field: string,
): Promise<void> {
  const refused = await serverRefusal(actor, names, server_id);
  if (!refused) return;
  const { key, params, code, fields } = refused;
  throw new AppError('refused', key, params, { code, fields: { [field]: fields?.['file_path'] ?? key } });
}

interface Placing {
  found: Placed;
  to: Place;
}

/** Leaves out the rows whose folder on the server has become another's since they were looked at. */
async function stillFree(rows: readonly Placing[]): Promise<Placing[]> {
  const servers = new Map(
    rows.flatMap(({ found, to }) => (to.server_id === found.server_id ? [] : [[found.id, to.server_id] as const])),
  );
  if (servers.size === 0) return [...rows];
  const wanted = (await listChosenIds(SYSTEM, [...servers.keys()])).map(({ id, domain_name, file_path, holder }) => ({
    place: { id, domain_name, file_path, server_id: servers.get(id) ?? null },
    holder,
  }));
  const refused = await refusedFolders(SYSTEM, wanted);
  return rows.filter(({ found }) => !isTaken(refused.get(found.id)));
}

async function savePlaces(placings: Placing[]): Promise<void> {
  const rows = await stillFree(placings);
  if ((await updatePlaces(rows)) === 0) return;
  const places = (place: (row: Placing) => Place) => ({ places: rows.map((row) => placeOf(place(row))) });
  const ids = rows.map(({ found }) => found.id);
  const [before, after] = [places(({ found }) => found), places(({ to }) => to)];
  note({ action: 'update', object: 'domains', ids, before, after });
}

/** Returns the act that gives a domain of the user's the place `to`, if `isMeant` accepts the place that it has. */
function placing(user_id: number | null, domain: string, to: Place, isMeant: (at: Place) => boolean): Act {
  const look: Act['look'] = async () => {
    const actor = await actorOf(user_id);
    const row = await findPlace(actor, domain);
    if (!row || !isMeant(row) || samePlace(row, to)) return null;
    await refuseServer(actor, [domain], to.server_id, 'server_id');
    return { before: row, after: placeOf(to), perform: async () => undefined };
  };
  const record: Act['record'] = (before) => ({
    save: savePlaces,
    row: { found: before as Placed, to } satisfies Placing,
  });
  return { name: PLACE, class: 'set', look, record };
}

/** The name of the act that gives a domain its place. */
export const PLACE = 'place';

/**
 * Returns the act that gives a domain of the user's its place. A name that is not in the portfolio, or is another
 * user's, is left alone.
 */
export const placeAct = (user_id: number | null, domain: string, to: Place): Act =>
  placing(user_id, domain, placeOf(to), () => true);

/**
 * Returns the act that gives a domain of the user's its earlier place back, unless somebody has given it another one
 * since. A domain that has gone to another user is left alone.
 */
export const placeBack = (user_id: number | null, domain: string, { before, after }: StoredAct): Act => ({
  ...placing(user_id, domain, placeOf(before as Place), (at) => samePlace(at, after as Place)),
  differs: async () => {
    const [was, row] = [before as Place, await findPlace(await actorOf(user_id), domain)];
    if (!row || !samePlace(row, after as Place)) return [];
    const fields = (['account_id', 'server_id'] as const).filter((field) => row[field] !== was[field]);
    return fields.map((field) => ({ name: field, was: was[field], is: row[field] }));
  },
});
