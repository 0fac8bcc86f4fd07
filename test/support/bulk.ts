// Bulk work without doors: a database of accounts and domains, a fake Cloudflare with their zones, and the flows.
import type { OperationItemRow, OperationRow } from '../../src/shared/operations/tables.ts';
import { closeDatabase, execute, select, transaction } from '../../db/index.ts';
import { openForCommand } from '../../src/cli/open.ts';
import { startCloudflare, type CloudflareFake, type CloudflareOptions } from '../../src/demo/cloudflare.ts';
import type { DnsRecord, Zone } from '../../src/demo/cloudflare/state.ts';
import type { Config } from '../../src/lib/config.ts';
import { registerFlows, runOperation } from '../../src/operations/engine.ts';
import { setBudget } from '../../src/providers/cloudflare/budget.ts';
import { flows } from '../../src/services/system/flows.ts';
import { storeSecret } from '../../src/services/accounts/team.ts';
import type { StoredAct } from '../../src/shared/operations.ts';
import { SERVER_IP } from './cdn.ts';
import { cfAccount, KEY, NO_LIMIT, stateOfMany, unlimited } from './cloudflare-state.ts';
import { newInstallation, removeInstallation } from './server.ts';

/** An item of an operation, with its acts parsed. */
export type BulkItem = Omit<OperationItemRow, 'acts' | 'error'> & { acts: StoredAct[]; error: string };

export interface Bulk {
  config: Config;
  fake: CloudflareFake;
  /** The ids of the accounts. */
  accounts: number[];
  /** The zones, as the fake keeps them. */
  zones: () => Zone[];
  zone: (name: string) => Zone;
  /** Runs an operation to its end, in this process. */
  run: (id: number, signal?: AbortSignal) => Promise<OperationRow>;
  items: (id: number) => Promise<BulkItem[]>;
  /** The id of the domain of that name. */
  domainId: (name: string) => Promise<number>;
  close: () => Promise<void>;
}

/** The size of the world and the options of the fake. There is no rate limit unless one is given. */
export interface BulkOptions extends CloudflareOptions {
  accounts?: number;
  /** The number of zones in each account. */
  zonesEach?: number;
  /** The folder of the database; by default a new temporary one. */
  dataDir?: string;
}

// Cloudflare's page size.
const ZONES_PER_PAGE = 50;

/**
 * Returns the fewest calls that can change a setting of every zone and keep its former value: paged list, read, write.
 */
export const leastCalls = ({ accounts, zonesEach }: { accounts: number; zonesEach: number }): number =>
  accounts * (Math.ceil(zonesEach / ZONES_PER_PAGE) + 2 * zonesEach);

/** Returns the name of the nth zone of an account. */
export const zoneName = (account: number, index: number): string => `z${index}-a${account}.com`;

/** The modification time of a zone's settings and records when a test begins. */
export const ZONE_TIME = '2026-01-01T00:00:00Z';

/** Resets a zone to an address and mail, without rules. */
export function emptyZone(zone: Zone): void {
  const record = (index: number, type: string, content: string): DnsRecord => ({
    id: `${zone.id.slice(0, 31)}${index}`,
    type,
    name: zone.name,
    content,
    proxied: false,
    proxiable: type === 'A',
    ttl: 1,
    comment: null,
    tags: [],
    settings: {},
    meta: {},
    created_on: ZONE_TIME,
    modified_on: ZONE_TIME,
    ...(type === 'MX' && { priority: 10 }),
  });
  zone.records = [record(1, 'A', '198.51.100.1'), record(2, 'MX', 'mail.example.net')];
  zone.page_rules = [];
}

async function fill(accounts: number, zonesEach: number): Promise<void> {
  const at = '2026-01-01T00:00:00.000Z';
  await execute(`INSERT INTO users (login, password, role, active, created_at) VALUES ('owner', '', 'user', 1, $at)`, {
    at,
  });
  await execute(
    `INSERT INTO servers (name, ssh_host, ssh_user, ssh_password, created_at) VALUES ('srv', $ip, 'root', '', $at)`,
    { ip: SERVER_IP, at },
  );
  for (let n = 1; n <= accounts; n += 1) {
    await execute(
      `INSERT INTO cloudflare_accounts (name, email, api_key, zones, cf_account_id, created_at)
       VALUES ('Account ' || $account, 'ops' || $account || '@example.net', '', $zonesEach, $cf, $at)`,
      { account: n, zonesEach, cf: cfAccount(n), at },
    );
    await storeSecret('cloudflare_accounts', n, KEY);
    await execute(
      `INSERT INTO domains (user_id, domain_name, unicode_name, file_path, type, transfer_type, transfer_dns, status,
         cloudflare_account_id, created_at, updated_at)
       SELECT 1, value, value, '', 'main', 'manual', 'off', 'available', $account, $at, $at FROM json_each($names)`,
      { account: n, at, names: JSON.stringify(Array.from({ length: zonesEach }, (_, index) => zoneName(n, index))) },
    );
  }
}

const itemOf = (row: OperationItemRow): BulkItem => ({
  ...row,
  acts: JSON.parse(row.acts) as StoredAct[],
  error: row.error ?? '',
});

/** Starts everything; every zone is active and in the portfolio. */
export async function startBulk({ accounts = 1, zonesEach = 0, dataDir, ...options }: BulkOptions = {}): Promise<Bulk> {
  const numbers = Array.from({ length: accounts }, (_, index) => index + 1);
  const { rateLimit = NO_LIMIT } = options;
  const state = stateOfMany(accounts, 10_000);
  const fake = await startCloudflare({ state, ...options, rateLimit });
  if (rateLimit === NO_LIMIT) unlimited(fake.url);
  else setBudget(fake.url, rateLimit);
  for (const n of numbers) {
    for (let index = 0; index < zonesEach; index += 1) {
      fake.addZone({ name: zoneName(n, index), account_id: cfAccount(n), status: 'active' });
    }
  }
  const config = await newInstallation({ cloudflareUrl: fake.url }, dataDir);
  await openForCommand(config, undefined);
  await transaction(() => fill(accounts, zonesEach));
  registerFlows(flows);
  const zones = (): Zone[] => Object.values(state.zones);
  return {
    config,
    fake,
    accounts: numbers,
    zones,
    zone: (name) => {
      const found = zones().find((zone) => zone.name === name);
      if (!found) throw new Error(`no zone ${name}`);
      return found;
    },
    run: (id, signal) => runOperation(id, signal ? { signal } : {}),
    items: async (id) => {
      const rows = await select<OperationItemRow>(
        'SELECT * FROM operation_items WHERE operation_id = $id ORDER BY id',
        {
          id,
        },
      );
      return rows.map(itemOf);
    },
    domainId: async (name) => {
      const [row] = await select<{ id: number }>('SELECT id FROM domains WHERE domain_name = $name', { name });
      return row?.id ?? 0;
    },
    close: async () => {
      await closeDatabase();
      await fake.close();
      await removeInstallation(config);
    },
  };
}
