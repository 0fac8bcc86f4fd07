// Which domain holds a folder on a server. (Zones and names: `access/ownership.ts`.)
import type { Config } from '../../lib/config.ts';
import { messageFor } from '../../operations/failure.ts';
import { ProviderError } from '../../providers/provider-error.ts';
import type { Sftp } from '../../providers/ssh.ts';
import { AppError } from '../../shared/errors.ts';
import { isFolderOfSite, plainFolder } from '../../shared/portfolio/site-folders.ts';
import { namesIn, resolved, seeByLogins } from './folder-logins.ts';
import { listServerHosts, type ServerHost } from '../accounts/rows.ts';
import { hasFolderAt, listFolders, type FolderRow } from './folder-rows.ts';
import { actorOf } from '../access/ownership.ts';
import { pathsOf } from './release-paths.ts';
import { findHolder } from './rows.ts';
import { isAdmin, type Actor } from '../access/scope.ts';
import { openServer } from '../accounts/servers.ts';

/** A folder that a site is to have; `id` is its domain's, 0 while there is none. */
export interface Place {
  id: number;
  domain_name: string;
  server_id: number | null;
  file_path: string;
}

/** A domain with the folder of its site. `paths` are its spellings: as saved, and as servers resolve it. */
interface Claim extends FolderRow {
  paths: string[];
  /** A page is in the folder itself, so it is a site's, whatever is below. Only looked for where that decides. */
  hasPage?: boolean;
}

// A name and its address are one host where both have shown the same key.
const isSameHost = (one: ServerHost, other: ServerHost): boolean =>
  one.id === other.id || one.ssh_host === other.ssh_host || (one.host_key !== null && one.host_key === other.host_key);

const isBelow = (path: string, above: string): boolean => path.startsWith(above === '/' ? '/' : `${above}/`);
const overlaps = (one: string, other: string): boolean => one === other || isBelow(one, other) || isBelow(other, one);
const some = (one: readonly string[], other: readonly string[], test: (a: string, b: string) => boolean): boolean =>
  one.some((a) => other.some((b) => test(a, b)));

async function claimsOn(servers: readonly number[]): Promise<Claim[]> {
  const rows = await listFolders(servers);
  return rows.map((row) => {
    const path = plainFolder(row.path);
    return Object.assign(row, { path, paths: [path] });
  });
}

/** The claim on a folder (`own`) and all those of other domains on its host. */
interface Claims {
  own: Claim;
  others: Claim[];
}

/** Returns the claim on a folder that its domain does not hold yet: it comes after all others. */
const asNew = ({ id, domain_name, server_id, file_path }: Place, holder: number): Claim => {
  const path = plainFolder(file_path);
  const claim = Number.MAX_SAFE_INTEGER;
  return { id, domain: domain_name, holder, claim, deployed: 0, server_id: server_id ?? 0, path, paths: [path] };
};

function claimsFor(place: Place, holder: number, all: readonly Claim[]): Claims {
  const wanted = asNew(place, holder);
  const held = all.find(
    ({ id, server_id, path }) => id === place.id && server_id === place.server_id && path === wanted.path,
  );
  return { own: held ?? wanted, others: all.filter(({ id }) => id !== place.id) };
}

// A folder above two others is no site's: its row claims nothing. Except where a page is in it or it was deployed:
// otherwise two rows below it, saved by anybody, would void the claim of a site.
const isShared = (claim: Claim, all: readonly Claim[]): boolean =>
  !isFolderOfSite(claim.path) || (claim.deployed === 0 && claim.hasPage !== true && isAboveMany(claim, all));

const isAboveMany = (claim: Claim, all: readonly Claim[]): boolean =>
  all.filter((other) => some(other.paths, claim.paths, isBelow)).length > 1;

/**
 * Returns the claim that forbids a site in a folder; null: the folder is free. The first domain to claim a folder holds
 * it, with all below and above it, and so does a site that was deployed.
 */
function blockerOf({ own, others }: Claims): Claim | null {
  const met = others.filter(({ paths }) => some(paths, own.paths, overlaps));
  const all = [own, ...others];
  const isAbove = met.filter(({ paths }) => some(paths, own.paths, isBelow));
  const blocks = (other: Claim): boolean => {
    if (isShared(other, all)) return false;
    if (other.claim < own.claim || other.deployed === 1) return true;
    // That site would be moved away with the folder.
    return isAbove.includes(other) && (other.holder === own.holder || isAbove.length > 1);
  };
  return met.filter(blocks).sort((one, other) => one.claim - other.claim)[0] ?? null;
}

function refusal(actor: Actor, { own, others }: Claims, blocker: Claim): AppError {
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

const unsafe = (path: string): AppError =>
  new AppError(
    'refused',
    'site.unsafe_path',
    { path: path.slice(0, 100) },
    { code: 'unsafe_path', fields: { file_path: 'site.unsafe_path_field' } },
  );

const serversOf = (place: Place, hosts: readonly ServerHost[]): number[] => {
  const host = hosts.find(({ id }) => id === place.server_id);
  return host ? hosts.filter((other) => isSameHost(host, other)).map(({ id }) => id) : [];
};

async function claimsAt(place: Place, holder: number): Promise<Claims> {
  return claimsFor(place, holder, await claimsOn(serversOf(place, await listServerHosts())));
}

/**
 * As `claimsAt`; but where no other domain of the host is at the folder, above it or below it, as is usual, no claims
 * are read.
 */
async function claimsMet(place: Place, holder: number): Promise<Claims> {
  const servers = serversOf(place, await listServerHosts());
  const isMet = await hasFolderAt(servers, plainFolder(place.file_path), place.id);
  return claimsFor(place, holder, isMet ? await claimsOn(servers) : []);
}

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
  for (const { place, holder } of wanted) {
    const server = place.server_id ?? 0;
    const near = nearBy.get(server) ?? claimsNear(await claimsOn(serversOf(place, hosts)));
    nearBy.set(server, near);
    const error = refusalToSave(actor, place, claimsFor(place, holder, near(plainFolder(place.file_path))));
    if (error) refused.set(place.id, error);
  }
  return refused;
}

/**
 * Returns a function that finds the claims that decide about a folder: at it, below it and above it, and below the
 * latter.
 */
function claimsNear(claims: readonly Claim[]): (path: string) => Claim[] {
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

function refuseUnfit({ file_path }: Place): void {
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

// Sites usually lie side by side: where there are more parent folders than this, the rest of the paths are compared as
// they are written.
const MOST_RESOLVED = 32;

const segmentsOf = (path: string): string[] => path.split('/').filter((part) => part !== '');

/**
 * Whether two paths may mean one folder, or one inside the other, whatever their roots and links are: one has the last
 * part of the other in it.
 */
const mayMeet = (one: string, other: string): boolean => {
  const [left, right] = [segmentsOf(one), segmentsOf(other)];
  return left.includes(right.at(-1) ?? '') || right.includes(left.at(-1) ?? '');
};

/**
 * Connects to servers that may be the same host and whose key is not known yet, so that their keys are stored. A server
 * that does not answer counts as another host.
 */
async function learnHosts(config: Config, place: Place, paths: readonly string[], signal: AbortSignal): Promise<void> {
  const hosts = await listServerHosts();
  const near = new Set(serversOf(place, hosts));
  const unknown = hosts.filter(({ id, host_key }) => host_key === null && !near.has(id));
  const claims = await claimsOn(unknown.map(({ id }) => id));
  const asked = new Set(claims.filter((claim) => some([claim.path], paths, mayMeet)).map(({ server_id }) => server_id));
  for (const id of asked) {
    try {
      await (await openServer(config, id, signal)).close();
    } catch (error) {
      if (!messageFor(error)) throw error;
    }
  }
}

/** Throws AppError `refused` where the user of a deployment has lost its domain since. */
async function refuseLost(actor: Actor, { id, domain_name }: Place): Promise<void> {
  const holder = await findHolder(id);
  if (holder !== null && (isAdmin(actor) || holder === actor.id)) return;
  throw new AppError('refused', 'domain.not_yours', { domain: domain_name });
}

const PAGE = /\.(?:html?|php)$/i;

/** Sets `hasPage` of claims above the site's folder that have several folders below them. */
async function lookForPages({ own, others }: Claims, sftp: Pick<Sftp, 'list'>): Promise<void> {
  const all = [own, ...others];
  for (const other of others) {
    if (!some(own.paths, other.paths, isBelow) || !isFolderOfSite(other.path) || !isAboveMany(other, all)) continue;
    other.hasPage = await holdsPage(sftp, other.path);
  }
}

async function holdsPage(sftp: Pick<Sftp, 'list'>, folder: string): Promise<boolean> {
  try {
    const entries = (await sftp.list(folder)) ?? [];
    return entries.some(({ name, type }) => type !== 'directory' && PAGE.test(name));
  } catch (error) {
    // A folder that can be passed but not listed holds the folders of users.
    if (error instanceof ProviderError && error.kind === 'refused') return false;
    throw error;
  }
}

/**
 * Throws AppError `refused` unless a folder is still its domain's, and the domain still the user's who asked: by the
 * portfolio as it is now, by the keys that servers show, and by the folders as this server and its other logins resolve
 * them.
 */
export async function checkPlace(
  config: Config,
  user_id: number | null,
  place: Place,
  sftp: Pick<Sftp, 'realPath' | 'list'>,
  signal: AbortSignal,
): Promise<void> {
  const actor = await actorOf(user_id);
  await refuseLost(actor, place);
  refuseUnfit(place);
  const known = new Map<string, string>();
  const path = plainFolder(place.file_path);
  const own = await resolved(sftp, path, known);
  if (own.includes('/.releases/')) throw unsafe(place.file_path);
  await learnHosts(config, place, [path, own], signal);
  const hosts = await listServerHosts();
  const user = hosts.find(({ id }) => id === place.server_id)?.ssh_user;
  const claims = await claimsAt(place, (await findHolder(place.id)) ?? actor.id ?? 0);
  claims.own.paths.push(own);
  const parents = new Set<string>();
  const foreign: Claim[] = [];
  // The folder may be another login's root.
  const within = await namesIn(sftp, path);
  for (const other of claims.others) {
    // A session of another user may have another root.
    if (hosts.find(({ id }) => id === other.server_id)?.ssh_user !== user) {
      const isWithin = within.has(segmentsOf(other.path)[0] ?? '');
      if (isWithin || some([other.path], claims.own.paths, mayMeet)) foreign.push(other);
      continue;
    }
    parents.add(other.path.slice(0, other.path.lastIndexOf('/')));
    if (parents.size <= MOST_RESOLVED) other.paths.push(await resolved(sftp, other.path, known));
  }
  const meets = (way: string): boolean => some([way], claims.own.paths, overlaps);
  await seeByLogins(config, foreign, { sight: sftp, path: own }, meets, signal);
  await lookForPages(claims, sftp);
  const blocker = blockerOf(claims);
  if (blocker) throw refusal(actor, claims, blocker);
}
