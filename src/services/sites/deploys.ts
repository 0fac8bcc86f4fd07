import { transaction } from '../../../db/index.ts';
import type { Act, Flow, Item, ItemWork, NewItem } from '../../operations/flow.ts';
import { listItemRows } from '../../operations/item-rows.ts';
import { countItems, itemFlow } from '../../operations/items.ts';
import { itemOn, type Lock } from '../../operations/locks.ts';
import { planItems, type Plan } from '../../operations/plan.ts';
import { enqueue } from '../../operations/queue.ts';
import type { Sftp } from '../../providers/ssh/sftp.ts';
import type { DomainView } from '../../shared/portfolio/domains.ts';
import { AppError } from '../../shared/errors.ts';
import type { StoredAct } from '../../shared/operations.ts';
import { findDomain } from '../portfolio/domain-lists.ts';
import { requireFolder } from '../portfolio/folders.ts';
import { checkPlace, refuseLost } from '../portfolio/folder-check.ts';
import type { Place } from '../portfolio/folder-claims.ts';
import { serverAddress } from '../dns/pointing.ts';
import { actorOf, guarded, refusedAmong } from '../access/ownership.ts';
import { releaseIdOf, type Release } from './releases.ts';
import { pruneAct, uploadAct, uploadBack } from './release-upload.ts';
import { activateAct, activateBack, keepAct } from './release-switch.ts';
import type { Actor } from '../access/scope.ts';
import { reopening } from '../accounts/server-lane.ts';
import { openServer } from '../accounts/servers.ts';
import { serverLane } from '../accounts/lanes.ts';
import { servedAct, servedWarning } from './site-served.ts';
import {
  noteReleases,
  refuseMoved,
  releaseOfSite,
  requireSite,
  siteOf,
  type NewRelease,
  type SiteContent,
} from './sites.ts';

/** The deployment of a site. Its release is fixed when it is queued: a site that has changed since is refused. */
interface Deployment {
  domain_id: number;
  domain: string;
  file_path: string;
  release: string;
}

/** The target of a deployment. */
type Target = Pick<DomainView, 'id' | 'domain_name' | 'server_id' | 'file_path'>;

/** Returns the lock of all work on a domain's site. */
export const siteLock = (domain: string): Lock => ({ kind: 'site', name: domain });

/**
 * Returns the item that deploys a site. Throws AppError `refused` where the site has no server, or its folder can't
 * hold it.
 */
export async function deploymentOf(actor: Actor, target: Target, release: string): Promise<NewItem> {
  const { id, domain_name, file_path, server_id } = target;
  if (server_id === null) {
    const fields = { server_id: 'site.no_server_field' };
    throw new AppError('refused', 'site.no_server', { domain: domain_name }, { code: 'no_server', fields });
  }
  await requireFolder(actor, target);
  return {
    ...itemOn(siteLock(domain_name)),
    ...serverLane(server_id),
    data: { domain_id: id, domain: domain_name, file_path, release } satisfies Deployment,
  };
}

/**
 * Builds the release that would be deployed and returns it. Throws AppError `refused` where it can't be deployed to its
 * target.
 */
export async function checkDeploy(actor: Actor, target: Target, content: SiteContent): Promise<Release> {
  const release = await releaseOfSite(content, target.domain_name);
  await deploymentOf(actor, target, release.id);
  return release;
}

/** `here`: this process runs the work. `idem_key`: the client's name for the request. */
export interface DeployOptions {
  here?: boolean;
  idem_key?: string | undefined;
}

/**
 * Queues the deployment of a domain's stored site. Throws AppError `not_found`; `refused` without a site, a server or a
 * folder that can hold it; `busy` where another operation works on the site.
 */
export async function startDeploy(
  actor: Actor,
  domainId: number,
  { here = false, idem_key }: DeployOptions = {},
): Promise<{ id: number; started: boolean; domain: string }> {
  const domain = await findDomain(actor, domainId);
  const release = await releaseOfSite(await requireSite(domain), domain.domain_name);
  const started = await transaction(async () => {
    // It may have been deleted, or have got another server, while its release was built.
    const now = await findDomain(actor, domainId);
    return queueDeploy(actor, now, release.id, { here, idem_key });
  });
  return { ...started, domain: domain.domain_name };
}

/** Queues the deployment of a release. Inside the transaction that stores its site both are done, or neither. */
export async function queueDeploy(
  actor: Actor,
  target: Target,
  release: string,
  { here = false, idem_key }: DeployOptions = {},
): Promise<{ id: number; started: boolean }> {
  const { domain_name } = target;
  const item = await deploymentOf(actor, target, release);
  const message = { key: 'site.deploying', params: { domain: domain_name } } as const;
  return enqueue(
    { kind: 'deploy', subject: domain_name, user_id: actor.id, input: {}, message, items: [item], idem_key },
    here,
  );
}

/** Returns what deploying the stored site, or `content` instead, would change; changes nothing. */
export async function planDeploy(actor: Actor, domainId: number, content?: SiteContent): Promise<Plan> {
  const domain = await findDomain(actor, domainId);
  const release = await releaseOfSite(content ?? (await requireSite(domain)), domain.domain_name);
  return planItems(deployWork(release), [await deploymentOf(actor, domain, release.id)], {}, actor.id);
}

/** An open server, and the releases for it, each built once. */
interface DeployLane {
  signal: AbortSignal;
  sftp: Sftp;
  /** Throws AppError `conflict` or `refused` where a folder is no longer its domain's. */
  check: (item: Item<Deployment>) => Promise<void>;
  /** The server's IP address; null: its host is a name. */
  address: string | null;
  /** For a plan, of which the server serves nothing yet. */
  isPlan: boolean;
  release: (data: Deployment) => Promise<Release>;
}

async function releaseFor({ domain_id, domain, release }: Deployment): Promise<Release> {
  const site = await siteOf(domain_id);
  const made = site && (await releaseOfSite(site, domain));
  if (made?.id !== release) throw new AppError('conflict', 'site.changed_meanwhile', { domain });
  return made;
}

async function openAccount(id: number, signal: AbortSignal, given?: Release): Promise<DeployLane> {
  const made = new Map<number, Promise<Release>>();
  const sftp = await reopening(() => openServer(id, signal));
  const placeOf = ({ domain_id, domain, file_path }: Deployment): Place => ({
    id: domain_id,
    domain_name: domain,
    server_id: id,
    file_path,
  });
  return {
    sftp,
    check: async ({ data, user_id }) => {
      await refuseMoved(placeOf(data));
      await checkPlace(user_id, placeOf(data), sftp, signal);
    },
    signal,
    address: (await serverAddress(id))?.address ?? null,
    isPlan: given !== undefined,
    release: (data) => {
      const release = made.get(data.domain_id) ?? (given ? Promise.resolve(given) : releaseFor(data));
      made.set(data.domain_id, release);
      return release;
    },
  };
}

const live = (data: Deployment, link: unknown) => ({
  save: noteReleases,
  row: { domain_id: data.domain_id, release: releaseIdOf(data.file_path, link) } satisfies NewRelease,
});

function actsOf(item: Item<Deployment>, lane: DeployLane): Act[] {
  const { sftp, release, check } = lane;
  const { data, acts } = item;
  const { file_path } = data;
  let former = acts.find(({ name, state }) => name === 'activate' && state !== 'undone')?.before;
  const activate = activateAct(sftp, file_path, { id: data.release });
  const deploy: Act[] = [
    {
      name: 'upload',
      class: 'set',
      // The release is built at the look only: an undo needs none.
      look: async () => uploadAct(sftp, file_path, await release(data)).look(),
    },
    keepAct(sftp, file_path, { id: data.release }),
    {
      ...activate,
      look: async () => {
        const change = await activate.look();
        former ??= change?.before;
        return change;
      },
      record: (_before, after) => live(data, after),
    },
  ];
  return [
    ...guarded(deploy, () => check(item)),
    pruneAct(sftp, file_path, () => (typeof former === 'string' ? former : null)),
    ...(lane.isPlan ? [] : [servedAct({ domain: data.domain, address: lane.address }, data.release, lane.signal)]),
  ];
}

function uploadUndone({ data }: Item<Deployment>, { sftp }: DeployLane, { name, before }: StoredAct): Act | null {
  if (name === 'activate') return null;
  return name === 'upload' && before === null ? uploadBack(sftp, data.file_path, data.release) : null;
}

const deployWork = (given?: Release): ItemWork<DeployLane, Deployment> => ({
  open: (_lane, items, signal) => openAccount(items[0]?.lane_id ?? 0, signal, given),
  close: ({ sftp }) => sftp.close(),
  // An upload may take minutes, and a partial one is not live.
  isCut: true,
  acts: actsOf,
  // The upload of a deployment that can't go on is removed.
  rollback: { until: 'activate', undo: uploadUndone },
  refused: (items) =>
    refusedAmong(items, async ({ data: { domain_id: id, domain: domain_name }, user_id }) =>
      refuseLost(await actorOf(user_id), { id, domain_name }),
    ),
  // The uploaded release stays for a while, as every former one does.
  undo: (item, { sftp, check }) => {
    const { data, acts } = item;
    const back = acts
      .filter(({ name }) => name === 'activate')
      .map(({ before, after }) =>
        Object.assign(activateBack(sftp, data.file_path, before, after), { record: () => live(data, before) }),
      );
    return guarded(back, () => check(item));
  },
});

/** The flow that deploys a domain's site to its server. */
export const deployFlow: Flow = {
  ...itemFlow('deploy', deployWork()),
  finished: async ({ id }) => {
    const { done, noop, failed } = await countItems(id);
    if (done + noop + failed > 1) return { key: 'bulk.deployed', params: { done: done + noop, failed } };
    if (failed > 0) return { key: 'site.deploy_failed' };
    const [row] = await listItemRows(id);
    const warning = servedWarning(JSON.parse(row?.acts ?? '[]') as StoredAct[]);
    return warning ?? { key: done > 0 ? 'site.deploy_done' : 'site.deploy_same', params: { done, noop } };
  },
};
