// Shared parts of the tests of look-ups: a registry, a registrar, and a portfolio in a database of its own.
import { afterAll, afterEach, beforeAll, beforeEach } from 'vitest';
import { execute, select, transaction } from '../../../../db/index.ts';
import type { ShopServer } from '../../../../src/demo/registrars/server.ts';
import { startRegistry, type RegistryName, type RegistryServer } from '../../../../src/demo/registry.ts';
import { registerFlows, runOperation, type Watcher } from '../../../../src/operations/engine.ts';
import { SYSTEM, type Actor } from '../../../../src/services/access/scope.ts';
import { createAccount } from '../../../../src/services/accounts/accounts.ts';
import { listRegistrations, startExpiry, type ExpiryRequest } from '../../../../src/services/checks/check-expiry.ts';
import { flows } from '../../../../src/services/system/flows.ts';
import { registrarKind } from '../../../../src/shared/accounts/registrars.ts';
import type { Registration } from '../../../../src/shared/checks/registration.ts';
import type { Message } from '../../../../src/shared/i18n/index.ts';
import type { OperationRow } from '../../../../src/shared/operations/tables.ts';
import { addUser, startDatabase, type TestDatabase } from '../../../support/database.ts';
import { AT_ONCE, LOGIN, shopState, startRegistrar } from '../../../support/registrars/shops.ts';
import { temporaryConfig } from '../../../support/server.ts';

/** The names at the registry of the running test. */
export const names = new Map<string, RegistryName>();
/** The names about which it refuses to answer. */
export const refused = new Set<string>();
/** The registry, which writes down what it is asked. */
export let registry: RegistryServer;
/** A registrar of the type reg.ru, whose account has `first.ru` and `second.ru`. */
export let shop: ShopServer;
/** The database of the running test. */
export let database: TestDatabase;
/** A user. */
export let ann: Actor;
/** Another user. */
export let bob: Actor;

/** Starts the servers before the tests of a file, and opens a new database with two users before each. */
export function useExpiries(): void {
  beforeAll(async () => {
    registry = await startRegistry({ find: (name) => names.get(name), isTooMuch: (name) => refused.has(name) });
    shop = await startRegistrar('reg.ru');
  });
  afterAll(async () => {
    await registry.close();
    await shop.close();
  });
  beforeEach(async () => {
    names.clear();
    refused.clear();
    registry.queries.length = 0;
    Object.assign(shop.state, shopState('reg.ru'));
    shop.faults.length = 0;
    shop.requests.length = 0;
    database = await startDatabase();
    const pace = { rdap: AT_ONCE, whois: AT_ONCE };
    temporaryConfig(
      {
        registry: { rdapUrl: registry.rdap, whoisServer: registry.whois, pace },
        registrarUrls: { 'reg.ru': shop.url },
      },
      database.folder,
    );
    registerFlows(flows);
    [ann, bob] = [await addUser('ann'), await addUser('bob')];
  });
  afterEach(() => database.close());
}

/** The end of the registrations at the registry. */
export const ENDS = '2027-08-13T04:00:00.000Z';

/** Has the registry know a name. */
export function register(name: string, more: Partial<RegistryName> = {}): void {
  const statuses = /\.(?:ru|su|xn--p1ai)$/.test(name) ? ['REGISTERED', 'DELEGATED'] : ['active'];
  names.set(name, { expires_at: ENDS, registrar: 'REGRU-RU', statuses, name_servers: ['ns1.example.net'], ...more });
}

/** Inserts domains in the state that adding gives them. */
export async function add(
  owner: Actor,
  hosts: readonly string[],
  { registrar = null, expired_at = null }: { registrar?: number | null; expired_at?: string | null } = {},
): Promise<void> {
  await transaction(() =>
    execute(
      `INSERT INTO domains (user_id, domain_name, unicode_name, file_path, type, transfer_type, transfer_dns, status,
         registrars_id, expired_at, created_at, updated_at)
       SELECT $owner, value, value, '/', 'main', 'auto', 'off', 'available', $registrar, $expired_at, '', '' FROM json_each($hosts)`,
      { owner: owner.id, hosts: JSON.stringify(hosts), registrar, expired_at },
    ),
  );
}

/** Adds an account at the registrar. */
export async function addRegistrar(owner: Actor, more: Partial<typeof LOGIN> = {}): Promise<number> {
  const { login, password, profile_type, profile_name } = { ...LOGIN, ...more };
  const input = { name: 'Reg', type: 'reg.ru', login, password, profile_type, profile_name } as const;
  const { id } = await createAccount(owner, registrarKind, input, 'masked');
  shop.requests.length = 0;
  return id;
}

/** Runs look-ups to their end in this process. */
export async function lookUp(actor: Actor, request: ExpiryRequest = {}, watcher: Watcher = {}): Promise<OperationRow> {
  const { id } = await startExpiry(actor, request, true);
  return runOperation(id, watcher);
}

/** Returns the stored registrations by name. */
export async function stored(): Promise<Record<string, Registration<Message>>> {
  const all = await listRegistrations(SYSTEM, {});
  return Object.fromEntries(all.map((one) => [one.domain, one]));
}

/** Makes all that was looked up so many hours older. */
export async function age(hours: number): Promise<void> {
  const earlier = (at: string | null): string | null =>
    at === null ? null : new Date(Date.parse(at) - hours * 3_600_000).toISOString();
  const rows = await select<{ domain_id: number; looked_up_at: string; registry_at: string; suspect_since: string }>(
    'SELECT domain_id, looked_up_at, registry_at, suspect_since FROM domain_registrations',
  );
  await transaction(async () => {
    for (const { domain_id, looked_up_at, registry_at, suspect_since } of rows) {
      await execute(
        `UPDATE domain_registrations SET looked_up_at = $looked_up_at, registry_at = $registry_at, suspect_since = $suspect_since
         WHERE domain_id = $domain_id`,
        {
          domain_id,
          looked_up_at: earlier(looked_up_at),
          registry_at: earlier(registry_at),
          suspect_since: earlier(suspect_since),
        },
      );
    }
  });
}
