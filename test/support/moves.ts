// Sites that move: a project with a main domain, a reserve and an older name; a fake Cloudflare, an SSH server and fake
// sites.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import type { DomainRow } from '../../src/shared/portfolio/tables.ts';
import type { OperationItemRow, OperationRow } from '../../src/shared/operations/tables.ts';
import type { TransferHistoryRow } from '../../src/shared/transfers/tables.ts';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { closeDatabase, select, transaction } from '../../db/index.ts';
import { openForCommand } from '../../src/cli/open.ts';
import { startCloudflare, type CloudflareFake } from '../../src/demo/cloudflare.ts';
import type { JournalEntry } from '../../src/demo/cloudflare/faults.ts';
import type { Zone } from '../../src/demo/cloudflare/state.ts';
import type { Trouble } from '../../src/demo/domains.ts';
import { startSites, type Sites } from '../../src/demo/sites.ts';
import { startSsh, type Ssh } from '../../src/demo/ssh.ts';
import type { Config } from '../../src/lib/config.ts';
import { setFirstPause } from '../../src/operations/item-lane.ts';
import { registerFlows, runOperation } from '../../src/operations/engine.ts';
import { flows } from '../../src/services/system/flows.ts';
import { SYSTEM } from '../../src/services/access/scope.ts';
import { setGate } from '../../src/services/transfers/gate.ts';
import { startTransfer } from '../../src/services/transfers/transfers.ts';
import type { StoredAct } from '../../src/shared/operations.ts';
import { SERVER_IP } from './cdn.ts';
import { NO_LIMIT, stateOfMany, unlimited } from './cloudflare-state.ts';
import { fillDomains, fillFolders, fillTeam, fillZones, PASSWORD, pairOf, SPARE } from './moves-portfolio.ts';
import { FIRST_PAUSE_MS, QUICK_GATE } from './quick-gate.ts';
import { newInstallation, removeInstallation, request } from './server.ts';

export interface Moves {
  config: Config;
  fake: CloudflareFake;
  ssh: Ssh;
  sites: Sites;
  /** Faults of the sites, by host. */
  troubles: Record<string, Trouble>;
  zone: (name: string) => Zone;
  domain: (name: string) => Promise<DomainRow>;
  history: () => Promise<TransferHistoryRow[]>;
  /** Queues a transfer; `run` runs a queued one to its end, in this process. */
  start: (
    source: string,
    target: string,
    more?: { force?: boolean; confirm_site?: string; idem_key?: string },
  ) => Promise<number>;
  run: (id: number) => Promise<OperationRow>;
  /** Returns the item of an operation, with the state of its acts by name. */
  item: (id: number) => Promise<{ state: string; error: string | null; acts: Record<string, StoredAct['state']> }>;
  /** Returns the response that a visitor gets who follows redirects, and the hosts on the way. */
  visit: (host: string) => Promise<{ status: number; hosts: string[]; text: string }>;
  /** Returns the calls that would change something in a zone. */
  writes: (zone: string) => JournalEntry[];
  /** Restores the initial state; with `site` the main domain's site is generated from a known page. */
  reset: (options?: { site?: boolean; copy?: boolean }) => Promise<void>;
  close: () => Promise<void>;
}

/** Returns the response of a host as a browser gets it through the CDN, after at most five hops. */
async function visit(sites: Sites, host: string): Promise<{ status: number; hosts: string[]; text: string }> {
  const hosts = [host];
  for (;;) {
    const last = hosts.at(-1) ?? host;
    const answer = await request({ url: `http://127.0.0.1:${sites.port}` }, 'GET /', { headers: { host: last } });
    const { location } = answer.headers;
    if (answer.status !== 301 || !location || hosts.length > 5)
      return { status: answer.status, hosts, text: answer.text };
    hosts.push(new URL(location).hostname);
  }
}

async function itemOf(id: number): ReturnType<Moves['item']> {
  const [row] = await select<OperationItemRow>('SELECT * FROM operation_items WHERE operation_id = $id', { id });
  if (!row) throw new Error(`operation ${id} has no item`);
  const acts = JSON.parse(row.acts) as StoredAct[];
  const error = row.error === null ? null : (JSON.parse(row.error) as { key: string }).key;
  return { state: row.state, error, acts: Object.fromEntries(acts.map(({ name, state }) => [name, state])) };
}

/** Starts Cloudflare, SSH and the sites in small, and an installation that uses them. */
async function startOutside(root: string): Promise<Pick<Moves, 'config' | 'fake' | 'ssh' | 'sites' | 'troubles'>> {
  const troubles: Record<string, Trouble> = {};
  const fake = await startCloudflare({ state: stateOfMany(2), rateLimit: NO_LIMIT });
  unlimited(fake.url);
  setFirstPause(FIRST_PAUSE_MS);
  const ssh = await startSsh({ root: join(root, 'tree'), logins: [{ user: 'root', password: PASSWORD }] });
  const sites = await startSites(troubles, { cloudflare: fake.state, root: ssh.root });
  const config = await newInstallation({
    cloudflareUrl: fake.url,
    allowPrivate: true,
    connectTo: `${SERVER_IP}:22:127.0.0.1:${ssh.port},::127.0.0.1:${sites.port}`,
    ca: sites.ca,
  });
  // For child processes.
  process.env['NODE_EXTRA_CA_CERTS'] = join(root, 'ca.pem');
  writeFileSync(join(root, 'ca.pem'), sites.ca);
  return { config, fake, ssh, sites, troubles };
}

function zoneOf({ state }: CloudflareFake, name: string): Zone {
  const found = Object.values(state.zones).find((one) => one.name === name);
  if (!found) throw new Error(`no zone ${name}`);
  return found;
}

async function domainOf(name: string): Promise<DomainRow> {
  const [row] = await select<DomainRow>('SELECT * FROM domains WHERE domain_name = $name', { name });
  if (!row) throw new Error(`no domain ${name}`);
  return row;
}

/** Starts everything. Call `reset` before each test. */
export async function startMoves(): Promise<Moves> {
  const root = mkdtempSync(join(tmpdir(), 'moves-'));
  const outside = await startOutside(root);
  const { config, fake, ssh, sites, troubles } = outside;
  setGate(QUICK_GATE);
  await openForCommand(config, undefined);
  await transaction(fillTeam);
  registerFlows(flows);
  return {
    ...outside,
    zone: (name) => zoneOf(fake, name),
    domain: domainOf,
    history: () =>
      select<TransferHistoryRow>('SELECT * FROM transfer_history WHERE operation_id IS NOT NULL ORDER BY id'),
    start: async (source, target, { force = false, confirm_site, idem_key } = {}) =>
      (await startTransfer(SYSTEM, { ...pairOf(source, target), force, confirm_site }, { idem_key })).id,
    run: (id) => runOperation(id),
    item: itemOf,
    visit: (host) => visit(sites, host),
    writes: (name) => {
      const { id } = zoneOf(fake, name);
      return fake.requests.filter(({ method, path }) => method !== 'GET' && path.startsWith(`/zones/${id}`));
    },
    reset: async (options = {}) => {
      fake.faults.length = 0;
      ssh.faults.length = 0;
      for (const host of Object.keys(troubles)) delete troubles[host];
      fillZones(fake);
      sites.certificates.clear();
      sites.deaf.clear();
      // Its former name servers also lead to this host.
      sites.secured.add(SPARE);
      fillFolders(ssh.root, options.site ?? false);
      await transaction(() => fillDomains(options));
      fake.requests.length = 0;
    },
    close: async () => {
      delete process.env['NODE_EXTRA_CA_CERTS'];
      await closeDatabase();
      await Promise.all([fake.close(), ssh.close(), sites.close()]);
      await removeInstallation(config);
      rmSync(root, { recursive: true, force: true });
    },
  };
}
