// The domain that holds a folder on a server. (Zones and names: `access/ownership.ts`.)
import { updateRow } from '../../../db/rows.ts';
import { AppError } from '../../shared/errors.ts';
import { domains } from '../../shared/portfolio/tables.ts';
import { isDeployable, isFitFolder, isFolderOfSite, plainFolder } from '../../shared/portfolio/site-folders.ts';
import { listServerHosts } from '../accounts/rows.ts';
import { findHolder, listDeletedFolders } from './rows.ts';
import { isAdmin, SYSTEM, type Actor } from '../access/scope.ts';
import { hasFolderAt } from './folder-rows.ts';
import {
  asNew,
  type Claims,
  type Claim,
  some,
  isBelow,
  type Place,
  claimsMet,
  overlaps,
  isShared,
  claimsNear,
  claimsOn,
  serversOf,
  claimsFor,
  blockerOf,
} from './folder-claims.ts';

/** Returns the error for a folder that `blocker` holds; another user's domain is not named. */
export function refusal(actor: Actor, { own }: Claims, blocker: Claim): AppError {
  const details = { code: 'path_shared', fields: { file_path: 'site.path_shared_field' } };
  const { domain, path } = own;
  const isAbove = some(blocker.paths, own.paths, isBelow);
  // The caller must not learn of another user's domain.
  return isAdmin(actor) || blocker.holder === actor.id
    ? new AppError(
        'refused',
        isAbove ? 'site.path_above_of' : 'site.path_of',
        { domain, path, other: blocker.domain },
        details,
      )
    : new AppError('refused', isAbove ? 'site.path_above' : 'site.path_shared', { domain, path }, details);
}

/** Returns the error for a folder that is no site's. */
export const unsafe = (path: string): AppError =>
  new AppError(
    'refused',
    'site.unsafe_path',
    { path: path.slice(0, 100) },
    { code: 'unsafe_path', fields: { file_path: 'site.unsafe_path_field' } },
  );

/** Whether a folder is refused as another's. An unsafe folder, as in rows of older versions, does not prevent other changes of its row. */
export const isTaken = (refused: AppError | undefined): boolean => refused?.code === 'path_shared';

/**
 * Throws AppError `refused` where a domain of `holder`'s must not be saved with a folder: one that is not fit for a site,
 * one above other sites', and any that meets another holder's. Domains of one holder may share a folder; only the first is
 * deployed there. `isKept`: it has that folder already, on another server.
 */
export async function refuseFolder(actor: Actor, place: Place, holder: number, isKept = false): Promise<void> {
  const refused = refusalToSave(actor, place, await claimsMet(place, holder));
  if (refused && (!isKept || isTaken(refused))) throw refused;
}

function refusalToSave(actor: Actor, place: Place, claims: Claims): AppError | null {
  if (!isFolderOfSite(place.file_path)) return unsafe(place.file_path);
  const all = [claims.own, ...claims.others];
  const bad = claims.others.find(
    (other) =>
      some(other.paths, claims.own.paths, overlaps) &&
      !isShared(other, claims.own, all) &&
      (other.holder !== claims.own.holder || some(other.paths, claims.own.paths, isBelow)),
  );
  if (bad) return refusal(actor, claims, bad);
  return isFitFolder(place.file_path) ? null : unsafe(place.file_path);
}

/** Returns the claims on servers as they are after domains have moved to where they are to be: two of them may meet there. */
async function claimsAfter(servers: readonly number[], moving: readonly Claim[]): Promise<Claim[]> {
  const there = await claimsOn(servers);
  const at = new Map(there.map((claim) => [claim.id, claim]));
  const isHeld = ({ id, path, server_id }: Claim): boolean =>
    at.get(id)?.path === path && at.get(id)?.server_id === server_id;
  return [...there, ...moving.filter((claim) => servers.includes(claim.server_id) && !isHeld(claim))];
}

/** A folder that a domain of `holder`'s is to have. */
export interface Held {
  place: Place;
  holder: number;
}

/**
 * Returns what `refuseFolder` would throw for each of many places, by the ids of their domains. Reads the claims of
 * each server once; for a single place none where no other folder meets it, as is usual.
 */
export async function refusedFolders(actor: Actor, wanted: readonly Held[]): Promise<Map<number, AppError>> {
  const [only] = wanted;
  if (only && wanted.length === 1) {
    const error = refusalToSave(actor, only.place, await claimsMet(only.place, only.holder));
    return new Map(error ? [[only.place.id, error]] : []);
  }
  const hosts = await listServerHosts();
  const nearBy = new Map<number, (path: string) => Claim[]>();
  const refused = new Map<number, AppError>();
  const moving = wanted.map(({ place, holder }) => asNew(place, holder));
  for (const { place, holder } of wanted) {
    const server = place.server_id ?? 0;
    const near = nearBy.get(server) ?? claimsNear(await claimsAfter(serversOf(place, hosts), moving));
    nearBy.set(server, near);
    const error = refusalToSave(actor, place, claimsFor(place, holder, near(plainFolder(place.file_path))));
    if (error) refused.set(place.id, error);
  }
  return refused;
}

/**
 * Takes the server from those of deleted domains whose folder there has gone to another domain, so that they can be brought
 * back. Only inside a transaction.
 */
export async function leaveTakenFolders(actor: Actor, ids: readonly number[]): Promise<void> {
  const wanted = (await listDeletedFolders(ids)).map(({ holder, ...place }) => ({ place, holder }));
  const refused = wanted.length === 0 ? [] : await refusedFolders(actor, wanted);
  for (const [id, error] of refused) if (isTaken(error)) await updateRow(domains, id, { server_id: null });
}

/** Throws AppError `refused` for a folder to which no site is deployed. */
export function refuseUnfit({ file_path }: Place): void {
  if (!isFolderOfSite(file_path) || !isDeployable(file_path)) throw unsafe(file_path);
}

/** Throws AppError `refused` where a site can't be deployed to a folder, by the portfolio alone. */
export async function requireFolder(actor: Actor, place: Place): Promise<void> {
  refuseUnfit(place);
  const claims = await claimsMet(place, (await findHolder(place.id)) ?? actor.id ?? 0);
  const blocker = blockerOf(claims);
  if (blocker) throw refusal(actor, claims, blocker);
}

// So many folders are looked up one by one: all of a server are thousands, and seldom is one met.
const FEW = 8;

/** Returns the ids of those domains whose folders would meet another user's on a server. */
export async function takenOn(server_id: number, wanted: readonly Held[]): Promise<Set<number>> {
  const servers = serversOf({ server_id }, await listServerHosts());
  let mayMeet = wanted.length > FEW;
  for (const { place } of mayMeet ? [] : wanted) {
    mayMeet ||= await hasFolderAt(servers, plainFolder(place.file_path), place.id);
  }
  const refused = mayMeet ? await refusedAt(SYSTEM, servers, wanted) : [];
  return new Set(refused.map(({ held }) => held.place.id));
}

/**
 * Returns what `refuseFolder` would throw for folders that go to further servers at once, as where their server's row gets
 * another host. Domains of one holder meet as before.
 */
export async function refusedAt(
  actor: Actor,
  servers: readonly number[],
  wanted: readonly Held[],
): Promise<{ held: Held; error: AppError }[]> {
  const near = claimsNear(await claimsOn(servers));
  return wanted.flatMap((held) => {
    const { place, holder } = held;
    const others = near(plainFolder(place.file_path)).filter((other) => other.holder !== holder);
    const error = refusalToSave(actor, place, claimsFor(place, holder, others));
    return error && isTaken(error) ? [{ held, error }] : [];
  });
}
