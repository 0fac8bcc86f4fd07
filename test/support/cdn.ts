// The real server with a fake Cloudflare: an account, a server, domains with their zones.
import { createHash } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { startCloudflare, type CloudflareFake, type CloudflareOptions } from '../../src/demo/cloudflare.ts';
import type { DnsRecord, Zone } from '../../src/demo/cloudflare/state.ts';
import type { Config } from '../../src/lib/config.ts';
import { cfAccount, KEY, stateOfMany } from './cloudflare-state.ts';
import { request, startServer, type Answer, type TestServer } from './server.ts';

export const SERVER_IP = '203.0.113.10';

export interface Cdn {
  server: TestServer;
  fake: CloudflareFake;
  /** Makes a call as the administrator: `GET /api/…`. */
  call: (name: string, body?: unknown, headers?: Record<string, string>) => Promise<Answer>;
  /** Returns the operation once it has ended. */
  ended: (id: number) => Promise<any>; // oxlint-disable-line typescript/no-explicit-any -- an answer of the API
  accounts: number[];
  /** Adds a domain to the portfolio, by default in the account, and returns its id. */
  addDomain: (name: string, fields?: object) => Promise<number>;
  /** Adds an active zone with these records (`TYPE name content`, name without the zone). */
  addZone: (name: string, records?: string[], account?: number) => Zone;
  /** Returns the fake's zone of that name. */
  zone: (name: string) => Zone;
  close: () => Promise<void>;
}

/** The body of `POST /api/manage_dns` that points a name at the server, by the first account. */
export const pointingAt = ({ accounts }: Pick<Cdn, 'accounts'>, domainName: string, more: object = {}) => ({
  accountId: accounts[0],
  domainName,
  ipAddress: SERVER_IP,
  tls: 'off',
  updateNs: 'off',
  ...more,
});

/** Returns a record of the fake from `TYPE name content`, with the name relative to the zone. */
export function recordOf(zone: string, line: string, index: number): DnsRecord {
  const [type = '', host = '', ...content] = line.split(' ');
  const at = '2026-01-01T00:00:00Z';
  return {
    id: createHash('md5').update(`${zone} ${index}`).digest('hex'),
    type,
    name: host === '@' ? zone : `${host}.${zone}`,
    content: content.join(' '),
    proxied: false,
    proxiable: ['A', 'AAAA', 'CNAME'].includes(type),
    ttl: 1,
    comment: null,
    tags: [],
    settings: {},
    meta: {},
    created_on: at,
    modified_on: at,
  };
}

/** Starts everything with `count` accounts, each with a login of its own. */
export async function startCdn(
  options: CloudflareOptions = {},
  count = 1,
  settings: Partial<Config> = {},
): Promise<Cdn> {
  const numbers = Array.from({ length: count }, (_, index) => index + 1);
  const state = stateOfMany(count);
  const fake = await startCloudflare({ state, ...options });
  const server = await startServer({ cloudflareUrl: fake.url, ...settings });
  const { token } = server.admin;
  const call: Cdn['call'] = (name, body, headers) =>
    request(server, name, { token, ...(body !== undefined && { body }), ...(headers && { headers }) });
  const good = async (name: string, body: unknown): Promise<{ id: number }> => {
    const answer = await call(name, body);
    if (answer.status !== 200) throw new Error(`${name}: ${answer.status} ${answer.text}`);
    return answer.body.data as { id: number };
  };
  await good('POST /api/servers', { name: 'srv', ssh_host: SERVER_IP, ssh_user: 'root', ssh_password: 'secret word' });
  const accounts: number[] = [];
  for (const n of numbers) {
    const body = { name: `Account ${n}`, email: `ops${n}@example.net`, api_key: KEY };
    accounts.push((await good('POST /api/cloudflare_accounts', body)).id);
  }
  return {
    server,
    fake,
    call,
    accounts,
    addDomain: async (domain_name, fields = {}) =>
      (await good('POST /api/domains', { domain_name, cloudflare_account_id: accounts[0], ...fields })).id,
    addZone: (name, records = [], account = 1) =>
      fake.addZone({
        name,
        account_id: cfAccount(account),
        status: 'active',
        records: records.map((line, index) => recordOf(name, line, index)),
      }),
    zone: (name) => Object.values(fake.state.zones).find((zone) => zone.name === name)!,
    ended: async (id) => {
      for (;;) {
        const { body } = await call(`GET /api/operations/${id}`);
        if (!['queued', 'running'].includes(body.state)) return body;
        await sleep(50);
      }
    },
    close: async () => {
      await server.close();
      await fake.close();
    },
  };
}
