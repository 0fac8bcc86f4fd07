import { select } from '../../db/index.ts';
import type { Config } from '../lib/config.ts';
import type { Act, Flow, Item, ItemWork, NewItem } from '../operations/flow.ts';
import { itemFlow } from '../operations/items.ts';
import { planItems, type Plan } from '../operations/plan.ts';
import { enqueue } from '../operations/queue.ts';
import type { Sftp } from '../providers/ssh.ts';
import type { DomainView } from '../shared/domains.ts';
import { AppError } from '../shared/errors.ts';
import { findDomain } from './domain-lists.ts';
import { pathsOf } from './release-paths.ts';
import { activateAct, activateBack, pruneAct, releaseIdOf, uploadAct, type Release } from './releases.ts';
import type { Actor } from './scope.ts';
import { reopening } from './server-lane.ts';
import { openServer, serverLane } from './servers.ts';
import { noteReleases, releaseOfSite, requireSite, siteOf, type NewRelease, type SiteContent } from './sites.ts';

/** A site on its way to a server. The release is named when it is queued: what has changed since is not what was asked for. */
interface Deployment {
  domain_id: number;
  domain: string;
  file_path: string;
  release: string;
}

/** Where a site goes. */
type Target = Pick<DomainView, 'id' | 'domain_name' | 'server_id' | 'file_path'>;

/** The name of an item about a domain's site: whoever works on a site takes it. */
export const siteItem = (domain: string): string => `site ${domain}`;

/** Throws `refused` where another site of the server lies in the same folder, above it or below: it would be moved away. */
async function refuseShared({ id, file_path, server_id }: Target): Promise<void> {
  const { live } = pathsOf(file_path);
  const rows = await select(
    `SELECT 1 FROM domains d LEFT JOIN sites s ON s.domain_id = d.id
     WHERE d.server_id = $server_id AND d.id <> $id AND d.deleted_at IS NULL
       AND ((d.file_path = $live AND s.release IS NOT NULL) OR substr(d.file_path, 1, length($live) + 1) = $live || '/'
         OR substr($live, 1, length(d.file_path) + 1) = d.file_path || '/') LIMIT 1`,
    { server_id, id, live },
  );
  if (rows.length > 0) throw new AppError('refused', 'site.path_shared', { path: live }, { code: 'path_shared' });
}

/** The work of deploying a site. Throws `refused` where it has no server, or its folder can't hold a site. */
async function deploymentOf(target: Target, release: string): Promise<NewItem> {
  const { id, domain_name, file_path, server_id } = target;
  if (server_id === null) {
    const fields = { server_id: 'site.no_server_field' };
    throw new AppError('refused', 'site.no_server', { domain: domain_name }, { code: 'no_server', fields });
  }
  await refuseShared(target);
  return {
    item: siteItem(domain_name),
    lane: serverLane(server_id),
    data: { domain_id: id, domain: domain_name, file_path, release } satisfies Deployment,
  };
}

/** Throws `refused` where a site can't be deployed to where it should go, and returns the release that would be. */
export async function checkDeploy(target: Target, content: SiteContent): Promise<Release> {
  const release = await releaseOfSite(content, target.domain_name);
  await deploymentOf(target, release.id);
  return release;
}

/** How work is started: `here` for this process to run, `idem_key` the client's name for the request. */
export interface DeployOptions {
  here?: boolean;
  idem_key?: string | undefined;
}

/**
 * Queues the deploying of what is kept of a domain's site. Throws `refused` without a site, a server or a folder that can
 * hold it, `busy` where something else is done with the site.
 */
export async function startDeploy(
  _config: Config,
  actor: Actor,
  domainId: number,
  { here = false, idem_key }: DeployOptions = {},
): Promise<{ id: number; started: boolean; domain: string }> {
  const domain = await findDomain(actor, domainId);
  const release = await releaseOfSite(await requireSite(domain), domain.domain_name);
  const item = await deploymentOf(domain, release.id);
  const { domain_name } = domain;
  const message = { key: 'site.deploying', params: { domain: domain_name } } as const;
  const started = await enqueue(
    { kind: 'deploy', subject: domain_name, user_id: actor.id, input: {}, message, items: [item], idem_key },
    here,
  );
  return { ...started, domain: domain_name };
}

/** What deploying would change, found by looking: of what is kept, or of `content` that is not kept yet. */
export async function planDeploy(config: Config, actor: Actor, domainId: number, content?: SiteContent): Promise<Plan> {
  const domain = await findDomain(actor, domainId);
  const release = await releaseOfSite(content ?? (await requireSite(domain)), domain.domain_name);
  return planItems(deployWork(config, release), [await deploymentOf(domain, release.id)], {});
}

/** A server that is open, and the releases that go there, each made once. */
interface DeployLane {
  sftp: Sftp;
  release: (data: Deployment) => Promise<Release>;
}

async function releaseFor({ domain_id, domain, release }: Deployment): Promise<Release> {
  const site = await siteOf(domain_id);
  const made = site && (await releaseOfSite(site, domain));
  if (made?.id !== release) throw new AppError('conflict', 'site.changed_meanwhile', { domain });
  return made;
}

async function openLane(config: Config, lane: string, signal: AbortSignal, given?: Release): Promise<DeployLane> {
  const id = Number(lane.slice(serverLane(0).length - 1));
  const made = new Map<number, Promise<Release>>();
  return {
    sftp: await reopening(() => openServer(config, id, signal)),
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

function actsOf({ data, acts }: Item<Deployment>, { sftp, release }: DeployLane): Act[] {
  const { file_path } = data;
  let former = acts.find(({ name }) => name === 'activate')?.before;
  const activate = activateAct(sftp, file_path, { id: data.release });
  return [
    {
      name: 'upload',
      class: 'set',
      // Made only when it is looked at: giving a site back needs none.
      look: async () => uploadAct(sftp, file_path, await release(data)).look(),
    },
    {
      ...activate,
      look: async () => {
        const change = await activate.look();
        former ??= change?.before;
        return change;
      },
      record: (_before, after) => live(data, after),
    },
    pruneAct(sftp, file_path, () => (typeof former === 'string' ? former : null)),
  ];
}

const deployWork = (config: Config, given?: Release): ItemWork<DeployLane, Deployment> => ({
  open: (lane, _items, signal) => openLane(config, lane, signal, given),
  close: ({ sftp }) => sftp.close(),
  acts: actsOf,
  // What was uploaded stays for a while, as every former release does.
  undo: ({ data, acts }, { sftp }) =>
    acts
      .filter(({ name }) => name === 'activate')
      .map(({ before, after }) =>
        Object.assign(activateBack(sftp, data.file_path, before, after), { record: () => live(data, before) }),
      ),
});

/** Deploying the site of a domain to its server. */
export const deployFlow = (config: Config): Flow =>
  itemFlow('deploy', deployWork(config), ({ done, noop, failed }) =>
    failed > 0
      ? { key: 'site.deploy_failed' }
      : { key: done > 0 ? 'site.deploy_done' : 'site.deploy_same', params: { done, noop } },
  );
