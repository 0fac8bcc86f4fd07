import { messageFor } from '../../operations/failure.ts';
import { ProviderError } from '../../providers/provider-error.ts';
import { kindOfKey } from '../../providers/ssh/host-key.ts';
import type { Sftp } from '../../providers/ssh/sftp.ts';
import { isFolderOfSite, plainFolder } from '../../shared/portfolio/site-folders.ts';
import { actorOf } from '../access/ownership.ts';
import { type Actor, isAdmin } from '../access/scope.ts';
import { listServerHosts, type ServerHost } from '../accounts/rows.ts';
import { hostKeyOfKind, keyShownBy, openServer } from '../accounts/servers.ts';
import {
  type Place,
  serversOf,
  claimsOn,
  some,
  claimsFor,
  type Claim,
  overlaps,
  blockerOf,
  isBelow,
  isInDoubt,
  type Claims,
} from './folder-claims.ts';
import { resolved, namesIn, seeByLogins } from './folder-logins.ts';
import { listFoldersNamed } from './folder-rows.ts';
import { lostDomain } from './domain-lists.ts';
import { refuseUnfit, unsafe, refusal } from './folders.ts';
import { findHolder } from './rows.ts';

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

/** Returns those servers on which a domain's folder may meet one of these paths. */
async function meeting(hosts: readonly ServerHost[], paths: readonly string[]): Promise<ServerHost[]> {
  const parts = paths.map(segmentsOf);
  const ends = parts.flatMap((names) => names.at(-1) ?? []);
  const near =
    hosts.length === 0
      ? []
      : await listFoldersNamed(
          hosts.map(({ id }) => id),
          ends,
          parts.flat(),
        );
  const met = new Set(
    near.filter(({ path }) => some([plainFolder(path)], paths, mayMeet)).map(({ server_id }) => server_id),
  );
  return hosts.filter(({ id }) => met.has(id));
}

/** Returns those servers that show the key of `own` now: their rows have pinned another one, as where the host was set up anew. */
async function showingKeyOf(
  own: ServerHost,
  others: readonly ServerHost[],
  paths: readonly string[],
  signal: AbortSignal,
): Promise<ServerHost[]> {
  const found: ServerHost[] = [];
  for (const other of await meeting(others, paths)) {
    const shown = await keyShownBy(other.id, kindOfKey(own.host_key ?? ''), signal);
    if (shown !== null && shown === own.host_key) found.push(other);
  }
  return found;
}

/**
 * Returns the servers that are the same host as a place's: by their rows, by the keys of other kinds that the host
 * shows, and by those that they show themselves. Hosts are asked only where a folder may meet one of these paths.
 */
async function serversOfHost(place: Place, paths: readonly string[], signal: AbortSignal): Promise<number[]> {
  const hosts = await listServerHosts();
  const near = serversOf(place, hosts);
  const kindOf = ({ host_key }: ServerHost): string => kindOfKey(host_key ?? '');
  const own = hosts.find(({ id }) => id === place.server_id);
  const known = hosts.filter((one) => one.host_key !== null && !near.includes(one.id));
  if (!own) return near;
  const others = known.filter((one) => kindOf(one) !== kindOf(own));
  const shown = new Set<string | null>();
  for (const kind of new Set((await meeting(others, paths)).map(kindOf))) {
    shown.add(await hostKeyOfKind(place.server_id ?? 0, kind, signal));
  }
  const same = others.filter(({ host_key }) => shown.has(host_key));
  const again = await showingKeyOf(
    own,
    known.filter((one) => !same.includes(one)),
    paths,
    signal,
  );
  return [...near, ...[...same, ...again].map(({ id }) => id)];
}

/**
 * Connects to servers that may be the same host and whose key is not known yet, so that their keys are stored. A server
 * that does not answer counts as another host.
 */
async function learnHosts(place: Place, paths: readonly string[], signal: AbortSignal): Promise<void> {
  const hosts = await listServerHosts();
  const near = new Set(serversOf(place, hosts));
  const unknown = hosts.filter(({ id, host_key }) => host_key === null && !near.has(id));
  for (const { id } of await meeting(unknown, paths)) {
    try {
      await (await openServer(id, signal)).close();
    } catch (error) {
      if (!messageFor(error)) throw error;
    }
  }
}

/** Throws AppError `refused` where the user of a deployment has lost its domain since. */
export async function refuseLost(actor: Actor, { id, domain_name }: Pick<Place, 'id' | 'domain_name'>): Promise<void> {
  const holder = await findHolder(id);
  if (holder !== null && (isAdmin(actor) || holder === actor.id)) return;
  throw await lostDomain(actor, { id, name: domain_name });
}

type Lister = Pick<Sftp, 'list'>;

/** Returns the names in a folder; null: there is none. */
async function namesAt(sight: Lister, path: string): Promise<string[] | null> {
  try {
    return (await sight.list(path))?.map(({ name }) => name) ?? null;
  } catch (error) {
    // A folder that can be passed but not listed holds the folders of users.
    if (error instanceof ProviderError && error.kind === 'refused') return [];
    throw error;
  }
}

/** Whether something in the folder is neither ours nor on the way to one of these claims' folders. */
const holdsMore = (names: readonly string[], folder: string, claims: readonly Claim[]): boolean => {
  const ways = claims.flatMap(({ paths }) => paths.filter((path) => isBelow(path, folder)));
  const known = new Set(['.releases', ...ways.map((path) => path.slice(folder.length + 1).split('/')[0])]);
  return names.some((name) => !known.has(name));
};

/** Whether a claim's folder bears the name of its domain, as panels make them: so it is that domain's, whoever holds what is above. */
const bearsName = ({ domain, paths }: Claim, above: string): boolean =>
  paths.some((path) => isBelow(path, above) && path.slice(above.length).split('/').includes(domain));

/**
 * Whether a folder is its domain's although others claim what is below: it is not there yet, or something in it belongs
 * neither to a site that was deployed, nor to an earlier row, nor to a folder that bears its domain's name. Other rows
 * prove nothing: anybody may save them.
 */
async function isUsed(claim: Claim, all: readonly Claim[], sight: Lister): Promise<boolean> {
  let isThere = false;
  for (const path of new Set(claim.paths)) {
    const names = await namesAt(sight, path);
    if (names === null) continue;
    isThere = true;
    const sites = all.filter((other) => other.deployed === 1 || other.claim < claim.claim || bearsName(other, path));
    if (holdsMore(names, path, sites)) return true;
  }
  return !isThere;
}

/**
 * Sets `isThere` of later claims of other holders below the site's folder. The folder counts as theirs where it bears
 * their domain's name, and where this one holds nothing else; a single one never does.
 */
async function lookBelow({ own, others }: Claims, sight: Lister): Promise<void> {
  if (own.deployed === 1) return;
  const isLater = ({ holder, claim, deployed }: Claim): boolean =>
    holder !== own.holder && claim > own.claim && deployed === 0;
  const below = others.filter((other) => isLater(other) && some(other.paths, own.paths, isBelow));
  if (below.length < 2) return;
  const there: Claim[] = [];
  for (const folder of new Set(own.paths)) {
    const names = await namesAt(sight, folder);
    if (names === null) continue;
    const isOthers = !holdsMore(names, folder, others);
    for (const other of below.filter((one) => isOthers || bearsName(one, folder))) {
      const paths = other.paths.filter((path) => isBelow(path, folder));
      const found = await Promise.all(paths.map((path) => namesAt(sight, path)));
      if (found.some((content) => content !== null)) there.push(other);
    }
  }
  const isApart = (one: Claim): boolean => there.some((other) => !some(one.paths, other.paths, overlaps));
  for (const other of there.filter(isApart)) other.isThere = true;
}

/** Looks at the server for what decides between claims: sets `isUsed` of those above the site's folder, `isThere` of those below. */
async function lookInside(claims: Claims, sight: Lister): Promise<void> {
  const { own, others } = claims;
  const all = [own, ...others];
  for (const other of others) {
    if (isFolderOfSite(other.path) && isInDoubt(other, own, all)) other.isUsed = await isUsed(other, all, sight);
  }
  await lookBelow(claims, sight);
}

/**
 * Throws AppError `refused` unless a folder is still its domain's, and the domain still the user's who asked: by the
 * portfolio as it is now, by the keys that servers show, and by the folders as this server and its other logins resolve
 * them.
 */
export async function checkPlace(
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
  await learnHosts(place, [path, own], signal);
  const hosts = await listServerHosts();
  const user = hosts.find(({ id }) => id === place.server_id)?.ssh_user;
  const all = await claimsOn(await serversOfHost(place, [path, own], signal));
  const claims = claimsFor(place, (await findHolder(place.id)) ?? actor.id ?? 0, all);
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
  await seeByLogins(foreign, { sight: sftp, path: own }, meets, signal);
  await lookInside(claims, sftp);
  const blocker = blockerOf(claims);
  if (blocker) throw refusal(actor, claims, blocker);
}
