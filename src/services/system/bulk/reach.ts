import { zoneNameOf } from '../../../lib/zone-name.ts';
import type { NewItem } from '../../../operations/flow.ts';
import { lockOf, type StoredLock } from '../../../operations/locks.ts';
import { AppError } from '../../../shared/errors.ts';
import type { Key, Message } from '../../../shared/i18n/index.ts';
import type { BulkWork } from '../../../shared/system/bulk-work.ts';
import { MOST_DEPLOYED } from '../../../shared/system/bulk-work.ts';
import { wholeZones } from '../../access/ownership.ts';
import type { Actor } from '../../access/scope.ts';
import { itemOf } from '../../dns/change.ts';
import { serverAddress } from '../../dns/pointing.ts';
import { switchItems, type Switch } from '../../dns/protection.ts';
import { refuseSuffixes, type ZoneItem } from '../../dns/zones.ts';
import type { ChosenRow } from '../../portfolio/bulk-rows.ts';
import { deploymentOf } from '../../sites/deploys.ts';
import { listWithSite } from '../../sites/rows.ts';
import { releaseOfSite, requireSite } from '../../sites/sites.ts';
import type { Unfit } from '../bulk.ts';

/** An item of an operation, and the domains that it is for. */
export interface Reached {
  names: readonly string[];
  /** Made when the operation begins: a release is built for it. Throws AppError where it can't be made. */
  item: () => NewItem | Promise<NewItem>;
  /** The lock of the item: its domains are left where running work holds it. */
  lock: StoredLock;
}

/** The chosen domains that a kind of work reaches, those that it leaves, and its operation. */
export interface Reach {
  kind: string;
  input: object;
  message: (items: number) => Message;
  reached: Reached[];
  left: Unfit[];
}

const unfit = ({ domain_name: name }: ChosenRow, key: Key): Unfit => ({ name, reason: { key } });

/** Takes those of the domains out of which `why` says a reason. */
function sorted(rows: readonly ChosenRow[], why: (row: ChosenRow) => Key | null): { able: ChosenRow[]; left: Unfit[] } {
  const able: ChosenRow[] = [];
  const left: Unfit[] = [];
  for (const row of rows) {
    const key = why(row);
    if (key === null) able.push(row);
    else left.push(unfit(row, key));
  }
  return { able, left };
}

const zoneOf = ({ domain_name }: ChosenRow): string => zoneNameOf(domain_name);

/** Under Attack mode or TLS 1.3 for the zones of these domains. */
export async function reachSwitch(actor: Actor, rows: readonly ChosenRow[], wanted: Switch): Promise<Reach> {
  const names = rows.map(({ domain_name }) => domain_name);
  const items = await switchItems(actor, wanted, names);
  const reached = items.map((item): Reached => {
    const { zone, names: of = [zone] } = item.data as ZoneItem;
    return { names: of, item: () => item, lock: lockOf(item) };
  });
  const known = new Set(reached.flatMap(({ names: of }) => of));
  const left = rows
    .filter(({ domain_name }) => !known.has(domain_name))
    .map((row) => unfit(row, row.cloudflare_account_id === null ? 'bulk.left_no_account' : 'bulk.left_foreign_zone'));
  const { kind, ...input } = wanted;
  return { kind, input, message: (n) => ({ key: 'bulk.switching', params: { n } }), reached, left };
}

function isSuffix(name: string): boolean {
  try {
    refuseSuffixes([name], 'names');
    return false;
  } catch {
    return true;
  }
}

/** Each of these domains at its own server, through its own CDN account. */
export async function reachDns(actor: Actor, rows: readonly ChosenRow[]): Promise<Reach> {
  const whole = await wholeZones(actor, rows.map(zoneOf));
  const servers = [...new Set(rows.map(({ server_id }) => server_id))];
  const addresses = new Map(await Promise.all(servers.map(async (id) => [id, await serverAddress(id)] as const)));
  const { able, left } = sorted(rows, (row) => {
    if (row.cloudflare_account_id === null) return 'bulk.left_no_account';
    if (row.server_id === null) return 'bulk.left_no_server';
    if (!addresses.get(row.server_id)) return 'bulk.left_no_address';
    if (!whole.has(zoneOf(row)) || isSuffix(row.domain_name)) return 'bulk.left_foreign_zone';
    return null;
  });
  const reached = able.flatMap((row): Reached[] => {
    const address = addresses.get(row.server_id);
    const { domain_name: domain, cloudflare_account_id: account_id, server_id } = row;
    if (!address || account_id === null) return [];
    const item = itemOf({
      zone: zoneOf(row),
      domain,
      type: address.type,
      address: address.address,
      account_id,
      server_id,
      tls: null,
      forward_to: null,
      registrar_id: null,
    });
    return [{ names: [domain], item: () => item, lock: lockOf(item) }];
  });
  return {
    kind: 'dns_change',
    input: { update_ns: false },
    message: (n) => ({ key: 'bulk.dns_started', params: { n } }),
    reached,
    left,
  };
}

/** The sites of these domains, to their servers. Throws AppError `refused` for more than can be built at once. */
export async function reachDeploy(actor: Actor, rows: readonly ChosenRow[]): Promise<Reach> {
  const withSite = new Set((await listWithSite(rows.map(({ id }) => id))).map(({ domain_id }) => domain_id));
  const { able, left } = sorted(rows, ({ id, server_id }) => {
    if (!withSite.has(id)) return 'bulk.left_no_site';
    return server_id === null ? 'bulk.left_no_server' : null;
  });
  if (able.length > MOST_DEPLOYED) throw new AppError('refused', 'bulk.many_sites', { n: MOST_DEPLOYED });
  const reached: Reached[] = [];
  for (const row of able) {
    try {
      const lock = lockOf(await deploymentOf(actor, row, ''));
      const build = async (): Promise<NewItem> =>
        deploymentOf(actor, row, (await releaseOfSite(await requireSite(row), row.domain_name)).id);
      reached.push({ names: [row.domain_name], item: build, lock });
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      left.push({ name: row.domain_name, reason: { key: error.key, params: error.params } });
    }
  }
  return {
    kind: 'deploy',
    input: {},
    message: (n) => ({ key: 'bulk.deploying', params: { n } }),
    reached,
    left,
  };
}

/** Returns what work of items reaches. */
export function reachOf(
  actor: Actor,
  rows: readonly ChosenRow[],
  work: Extract<BulkWork, { kind: 'dns' | 'under_attack' | 'tls' | 'deploy' }>,
): Promise<Reach> {
  if (work.kind === 'dns') return reachDns(actor, rows);
  return work.kind === 'deploy' ? reachDeploy(actor, rows) : reachSwitch(actor, rows, work);
}
