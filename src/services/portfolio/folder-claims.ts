import { plainHost } from '../../shared/accounts/shapes.ts';
import { plainFolder, isFolderOfSite } from '../../shared/portfolio/site-folders.ts';
import { type ServerHost, listServerHosts } from '../accounts/rows.ts';
import { type FolderRow, listFolders, hasFolderAt } from './folder-rows.ts';

/** A folder that a site is to have; `id` is its domain's, 0 while there is none. */
export interface Place {
  id: number;
  domain_name: string;
  server_id: number | null;
  file_path: string;
}

/** A domain with the folder of its site. `paths` are its spellings: as saved, and as servers resolve it. */
export interface Claim extends FolderRow {
  paths: string[];
  /** The folder is a site's, whatever is below: it is not there yet, or holds something of its own. Looked for where that decides. */
  isUsed?: boolean;
  /** The folder lies in that of the site, on the server as well, and is no part of that site. Looked for where that decides. */
  isThere?: boolean;
}

// A name and its address are one host where both have shown the same key.
const isSameHost = (one: ServerHost, other: ServerHost): boolean =>
  one.id === other.id ||
  plainHost(one.ssh_host) === plainHost(other.ssh_host) ||
  (one.host_key !== null && one.host_key === other.host_key);
/** Whether a plain path lies below another one. */
export const isBelow = (path: string, above: string): boolean => path.startsWith(above === '/' ? '/' : `${above}/`);
/** Whether two plain paths are one folder, or one inside the other. */
export const overlaps = (one: string, other: string): boolean =>
  one === other || isBelow(one, other) || isBelow(other, one);
/** Whether the test holds for any pair of paths out of two lists. */
export const some = (
  one: readonly string[],
  other: readonly string[],
  test: (a: string, b: string) => boolean,
): boolean => one.some((a) => other.some((b) => test(a, b)));

/** Returns the claims of all domains on these servers. */
export async function claimsOn(servers: readonly number[]): Promise<Claim[]> {
  const rows = await listFolders(servers);
  return rows.map((row) => {
    const path = plainFolder(row.path);
    return Object.assign(row, { path, paths: [path] });
  });
}

/** The claim on a folder (`own`) and all those of other domains on its host. */
export interface Claims {
  own: Claim;
  others: Claim[];
}

/** Returns the claim on a folder that its domain does not hold yet: it comes after all others. */
export const asNew = ({ id, domain_name, server_id, file_path }: Place, holder: number): Claim => {
  const path = plainFolder(file_path);
  const claim = Number.MAX_SAFE_INTEGER;
  return { id, domain: domain_name, holder, claim, deployed: 0, server_id: server_id ?? 0, path, paths: [path] };
};

/** Returns the claim on a place, held or new, and those of the other domains out of `all`. */
export function claimsFor(place: Place, holder: number, all: readonly Claim[]): Claims {
  const wanted = asNew(place, holder);
  const held = all.find(
    ({ id, server_id, path }) => id === place.id && server_id === place.server_id && path === wanted.path,
  );
  return { own: held ?? wanted, others: all.filter(({ id }) => id !== place.id) };
}

/**
 * Whether a claim does not count for a folder below it (`own`). A folder above two others may hold those of all sites,
 * and then its row claims nothing. The holders of those two do not matter: only the server can tell (`isUsed`), before
 * anything is written.
 */
export const isShared = (claim: Claim, own: Claim, all: readonly Claim[]): boolean =>
  !isFolderOfSite(claim.path) || (claim.isUsed !== true && isInDoubt(claim, own, all));
/** Whether the server has to tell if a claim counts for a folder below it. */
export const isInDoubt = (claim: Claim, own: Claim, all: readonly Claim[]): boolean =>
  claim.deployed === 0 &&
  some(own.paths, claim.paths, isBelow) &&
  all.filter((other) => some(other.paths, claim.paths, isBelow)).length > 1;

/**
 * Returns the claim that forbids a site in a folder; null: the folder is free. The first domain to claim a folder holds
 * it, with all below and above it, and so does a site that was deployed. A later row of another holder's is the wrong
 * one, except where the server has its folder and nothing else in this one.
 */
export function blockerOf({ own, others }: Claims): Claim | null {
  const met = others.filter(({ paths }) => some(paths, own.paths, overlaps));
  const all = [own, ...others];
  const blocks = (other: Claim): boolean => {
    if (isShared(other, own, all)) return false;
    if (other.claim < own.claim || other.deployed === 1) return true;
    // That site would be moved away with the folder.
    return some(other.paths, own.paths, isBelow) && (other.holder === own.holder || other.isThere === true);
  };
  return met.filter(blocks).sort((one, other) => one.claim - other.claim)[0] ?? null;
}

/** Returns the ids of the rows that are the same host as a place's server. */
export const serversOf = (place: Pick<Place, 'server_id'>, hosts: readonly ServerHost[]): number[] => {
  const host = hosts.find(({ id }) => id === place.server_id);
  return host ? hosts.filter((other) => isSameHost(host, other)).map(({ id }) => id) : [];
};

/**
 * Returns the claim on a place and those of other domains on its host; where no other domain of the host is at the folder, above it or below
 * it, as is usual, no claims are read.
 */
export async function claimsMet(place: Place, holder: number): Promise<Claims> {
  const servers = serversOf(place, await listServerHosts());
  const isMet = await hasFolderAt(servers, plainFolder(place.file_path), place.id);
  return claimsFor(place, holder, isMet ? await claimsOn(servers) : []);
}

/**
 * Returns a function that finds the claims that decide about a folder: at it, below it and above it, and below the
 * latter.
 */
export function claimsNear(claims: readonly Claim[]): (path: string) => Claim[] {
  const under = new Map<string, Claim[]>();
  const taken = new Set(claims.map(({ path }) => path));
  for (const claim of claims) {
    for (const folder of [claim.path, ...foldersAbove(claim.path)]) {
      const found = under.get(folder);
      if (found) found.push(claim);
      else under.set(folder, [claim]);
    }
  }
  return (path) => {
    const folders = [path, ...foldersAbove(path).filter((folder) => taken.has(folder))];
    return [...new Set(folders.flatMap((folder) => under.get(folder) ?? []))];
  };
}

function foldersAbove(path: string): string[] {
  const parts = path.split('/').slice(1, -1);
  return ['/', ...parts.map((_, index) => `/${parts.slice(0, index + 1).join('/')}`)];
}
