// Which domain holds a folder on a server. (Zones and names: `access/ownership.ts`.)
import { AppError } from '../../shared/errors.ts';
import { isFolderOfSite, plainFolder } from '../../shared/portfolio/site-folders.ts';
import { listServerHosts } from '../accounts/rows.ts';
import { pathsOf } from './release-paths.ts';
import { findHolder } from './rows.ts';
import { isAdmin, type Actor } from '../access/scope.ts';
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
export function refusal(actor: Actor, { own, others }: Claims, blocker: Claim): AppError {
  const details = { code: 'path_shared', fields: { file_path: 'site.path_shared_field' } };
  const { domain, path } = own;
  if (others.some(({ paths }) => some(paths, own.paths, isBelow))) {
    return new AppError('refused', 'site.path_above', { domain, path }, details);
  }
  // The caller must not learn of another user's domain.
  return isAdmin(actor) || blocker.holder === actor.id
    ? new AppError('refused', 'site.path_of', { domain, path, other: blocker.domain }, details)
    : new AppError('refused', 'site.path_shared', { domain, path }, details);
}

/** Returns the error for a folder that is no site's. */
export const unsafe = (path: string): AppError =>
  new AppError(
    'refused',
    'site.unsafe_path',
    { path: path.slice(0, 100) },
    { code: 'unsafe_path', fields: { file_path: 'site.unsafe_path_field' } },
  );

/**
 * Throws AppError `refused` where a domain of `holder`'s must not be saved with a folder: a folder of the system, one
 * above other sites', and any that meets another holder's. Domains of one holder may share a folder; only the first is
 * deployed there.
 */
export async function refuseFolder(actor: Actor, place: Place, holder: number): Promise<void> {
  const refused = refusalToSave(actor, place, await claimsMet(place, holder));
  if (refused) throw refused;
}

function refusalToSave(actor: Actor, place: Place, claims: Claims): AppError | null {
  if (!isFolderOfSite(place.file_path)) return unsafe(place.file_path);
  const all = [claims.own, ...claims.others];
  const bad = claims.others.find(
    (other) =>
      some(other.paths, claims.own.paths, overlaps) &&
      !isShared(other, all) &&
      (other.holder !== claims.own.holder || some(other.paths, claims.own.paths, isBelow)),
  );
  return bad ? refusal(actor, claims, bad) : null;
}

/** Returns the claims on servers as they are after domains have moved to where they are to be: two of them may meet there. */
async function claimsAfter(servers: readonly number[], moving: readonly Claim[]): Promise<Claim[]> {
  const there = await claimsOn(servers);
  const at = new Map(there.map((claim) => [claim.id, claim]));
  const isHeld = ({ id, path, server_id }: Claim): boolean =>
    at.get(id)?.path === path && at.get(id)?.server_id === server_id;
  return [...there, ...moving.filter((claim) => servers.includes(claim.server_id) && !isHeld(claim))];
}

/**
 * Returns what `refuseFolder` would throw for each of many places, by the ids of their domains. Reads the claims of
 * each server once.
 */
export async function refusedFolders(
  actor: Actor,
  wanted: readonly { place: Place; holder: number }[],
): Promise<Map<number, AppError>> {
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

/** Throws AppError `refused` for a folder in which no site may be. */
export function refuseUnfit({ file_path }: Place): void {
  if (!isFolderOfSite(file_path)) throw unsafe(file_path);
  pathsOf(file_path);
}

/** Throws AppError `refused` where a site can't be deployed to a folder, by the portfolio alone. */
export async function requireFolder(actor: Actor, place: Place): Promise<void> {
  refuseUnfit(place);
  const claims = await claimsMet(place, (await findHolder(place.id)) ?? actor.id ?? 0);
  const blocker = blockerOf(claims);
  if (blocker) throw refusal(actor, claims, blocker);
}
