import { findRow } from '../../../db/rows.ts';
import { domains } from '../../shared/portfolio/tables.ts';
import type { Moment } from '../../lib/time/moment.ts';
import { zoneNameOf } from '../../lib/zone-name.ts';
import type { Act, Change, Item } from '../../operations/flow.ts';
import type { Sftp } from '../../providers/ssh/sftp.ts';
import { AppError } from '../../shared/errors.ts';
import type { Message } from '../../shared/i18n/index.ts';
import type { StoredAct } from '../../shared/operations.ts';
import { listAttached } from '../dns/rows.ts';
import { checkDeploy } from '../sites/deploys.ts';
import { serverAddress, type Address } from '../dns/pointing.ts';
import { actorOf, wholeZones } from '../access/ownership.ts';
import type { Release } from '../sites/releases.ts';
import type { Actor } from '../access/scope.ts';
import { reopening } from '../accounts/server-lane.ts';
import { openServer } from '../accounts/servers.ts';
import { releaseOfSite, siteOf } from '../sites/sites.ts';
import type { Model } from './gate.ts';
import { isDeclined, type Move, type TransferItem } from './queue.ts';
import { listRelatives } from './rows.ts';
import { asIfThere } from '../dns/zone-act.ts';
import { openZones, type OpenAccount } from '../dns/zones.ts';

/** An older name of the project, with the account that has its zone. */
interface Older {
  name: string;
  zone: string;
  lane: OpenAccount;
}

/** Everything that the acts of a move work with. Only acts call outside services. */
export interface MoveLane {
  signal: AbortSignal;
  source: OpenAccount;
  target: OpenAccount;
  older: Older[];
  /** Names that the project's site has had, with `www`: rules that forward to them are ours. */
  family: ReadonlySet<string>;
  /** The address for the reserve's records; null: it has no server, or that server's host is a name. */
  address: Address | null;
  /** The source, which a site that we did not deploy has to resemble. */
  model: Model;
  sftp: () => Promise<Sftp>;
  /** The site built for the new name; `releaseId` is the id of the uploaded release, where there is one. */
  release: () => Promise<Release>;
  releaseId: () => Promise<string>;
  /** When the gate was last passed in this process. */
  passed: Moment | null;
  /** Collects the warnings of a plan, whose acts wait for nothing. Null where the work is done. */
  warnings: Message[] | null;
  close: () => Promise<void>;
}

/**
 * Returns a lane whose `findZone` and `zone` always mean the zone that `name` lies in: the longest one of the account.
 */
const laneFor = (lane: OpenAccount, name: string): OpenAccount => ({
  ...lane,
  findZone: () => lane.findZone(name),
  zone: () => lane.zone(name),
});

/** An older name with its account, as the database has them. */
interface Former {
  domain_name: string;
  account_id: number;
}

/**
 * Returns the project's names that the site has moved from or to (`family`, with `www`), and those of them and of the
 * names attached to them whose rules may forward to the source (`former`).
 */
async function relativesOf({ source, target, project_id }: Move): Promise<{
  family: Set<string>;
  former: Former[];
}> {
  const rows = await listRelatives(project_id);
  const names = [source.name, ...rows.map(({ domain_name }) => domain_name)];
  const family = new Set(names.flatMap((name) => [name, `www.${name}`]));
  const former = rows.flatMap(({ domain_name, account_id, type }) => {
    const isPair = domain_name === source.name || domain_name === target.name;
    return isPair || type !== 'transfer' || account_id === null ? [] : [{ domain_name, account_id }];
  });
  const known = new Set([...names, target.name]);
  const attached = (await listAttached(names, project_id)).filter(({ domain_name }) => !known.has(domain_name));
  return { family, former: [...former, ...attached] };
}

/**
 * Opens the accounts of older names. A name whose account can't be opened, or whose zone is another's, is left out: its
 * rule still leads on by way of the source.
 */
async function openOlder(actor: Actor, former: Former[], signal: AbortSignal): Promise<Older[]> {
  const opened: Older[] = [];
  const whole = await wholeZones(
    actor,
    former.map(({ domain_name }) => zoneNameOf(domain_name)),
  );
  for (const { domain_name: name, account_id } of former) {
    const zone = zoneNameOf(name);
    if (!whole.has(zone)) continue;
    try {
      const lane = await openZones(account_id, [zone], { signal, foreground: true });
      opened.push({ name, zone, lane: laneFor(lane, name) });
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
    }
  }
  return opened;
}

/** Returns the source with its server's address; its stored page serves where it is down. */
async function modelOf({ source }: Move): Promise<Model> {
  const address = await serverAddress((await findRow(domains, source.id))?.server_id ?? null);
  const kept = async (): Promise<string | null> => {
    const content = await siteOf(source.id);
    const files = content ? (await releaseOfSite(content, source.name)).files : [];
    const page = files.find(({ path }) => path === 'index.html');
    return page ? Buffer.from(page.content).toString() : null;
  };
  return { domain: source.name, address: address?.address ?? null, kept };
}

/**
 * Builds the site for the new name. Throws AppError `conflict` where it has no content any more, `refused` where it
 * can't be deployed there.
 */
async function releaseOfMove(actor: Actor, { site, source, target, file_path, server_id }: Move): Promise<Release> {
  const content = await siteOf(site === 'target' ? target.id : source.id);
  if (!content) throw new AppError('conflict', 'site.changed_meanwhile', { domain: target.name });
  return checkDeploy(actor, { id: target.id, domain_name: target.name, file_path, server_id }, content);
}

/** Memoizes `make`, but not its failures. */
function kept<T>(make: () => Promise<T>): () => Promise<T> {
  let made: Promise<T> | undefined;
  return () => {
    made ??= make().catch((error: unknown) => {
      made = undefined;
      throw error;
    });
    return made;
  };
}

const uploadedId = (acts: readonly StoredAct[]): string | undefined => {
  const done = acts.find(({ name, state }) => name === 'upload' && state === 'done');
  return (done?.after as { release?: string } | undefined)?.release;
};

/** The lane of a declined item, which needs nothing. */
const EMPTY = { close: async () => undefined } as MoveLane;

/**
 * Opens the lane of a move; with `warnings` it is for a plan. Throws AppError `refused` where one of the two has no
 * account.
 */
export async function openMove(
  items: readonly Item<TransferItem>[],
  signal: AbortSignal,
  warnings: Message[] | null = null,
): Promise<MoveLane> {
  const [item] = items;
  if (!item || isDeclined(item.data)) return EMPTY;
  const move = item.data;
  const { source, target, source_account, target_account } = move;
  if (source_account === null || target_account === null) {
    throw new AppError('refused', 'transfer.no_account', { domain: source.name });
  }
  const { family, former } = await relativesOf(move);
  // A site is down, or a person waits: these calls go before bulk work.
  const options = { signal, foreground: true };
  const target_lane = laneFor(await openZones(target_account, [target.zone], options), target.name);
  let session: Sftp | undefined;
  const sftp = kept(async () => (session = await reopening(() => openServer(move.server_id ?? 0, signal))));
  const release = kept(async () => releaseOfMove(await actorOf(item.user_id), move));
  const uploaded = uploadedId(item.acts);
  return {
    signal,
    source: laneFor(await openZones(source_account, [source.zone], options), source.name),
    target: warnings === null ? target_lane : asIfThere(target_lane),
    older: await openOlder(await actorOf(item.user_id), former, signal),
    family,
    address: await serverAddress(move.server_id),
    model: await modelOf(move),
    sftp,
    release,
    // The uploaded release is switched to, even if its template has changed since.
    releaseId: async () => uploaded ?? (await release()).id,
    passed: null,
    warnings,
    close: async () => session?.close(),
  };
}

/** Returns an act that is built at each look, because building it asks outside services. */
export function late(name: string, make: () => Promise<Act | null>): Act {
  return { name, class: 'set', look: async (): Promise<Change | null> => (await (await make())?.look()) ?? null };
}
