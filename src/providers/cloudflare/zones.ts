import punycode from 'punycode/punycode.js';
import { z } from 'zod';
import { asciiName } from '../../shared/hostname.ts';
import { ProviderError } from '../provider-error.ts';
import { ALREADY_EXISTS, mustBe } from './answers.ts';
import { path, type Client } from './client.ts';

/** A zone. `name` is punycode; Cloudflare itself answers with Unicode for some. */
export const Zone = z.object({
  id: z.string().min(1),
  name: z.string().min(1).transform(asciiName),
  status: z.string(),
  paused: z.boolean().nullish(),
  name_servers: z
    .array(z.string())
    .nullish()
    .transform((names) => names ?? []),
  account: z.object({ id: z.string().min(1), name: z.string().nullish() }),
  meta: z.object({ page_rule_quota: z.number().nullish() }).nullish(),
});
/** `status`: initializing, pending (the registrar does not name these `name_servers` yet), active or moved. */
export type Zone = z.infer<typeof Zone>;

/** Number of zones on a page of their list. */
export const ZONES_PER_PAGE = 50;

const WithId = z.object({ id: z.string() });

/** The zones of a login. */
export function zonesOf(client: Client) {
  return {
    /**
     * Finds the zone of a name, or null; with `accountId` only in that account. If several accounts of the login have one,
     * `zoneThatCounts` with the `chosen` account.
     */
    findZone: async (name: string, accountId?: string, chosen: string | null = null): Promise<Zone | null> =>
      zoneThatCounts(await findZones(client, name, accountId), chosen),

    /** Returns all zones that the login sees, ordered by name. */
    listZones: () => client.getAll('/zones', Zone, { per_page: ZONES_PER_PAGE, order: 'name', direction: 'asc' }),

    async getZone(id: string): Promise<Zone> {
      const zone = await client.get(path`/zones/${id}`, Zone);
      mustBe('zone', id, zone.id);
      return zone;
    },

    /**
     * Creates a zone; returns an existing one of the account with `created: false`. Otherwise not idempotent: after
     * `unavailable` and `malformed` look it up before a retry.
     */
    async createZone(name: string, accountId: string): Promise<{ zone: Zone; created: boolean }> {
      const ascii = asciiName(name);
      try {
        const body = { name: ascii, account: { id: accountId }, type: 'full' };
        const zone = await client.send('POST', '/zones', Zone, body);
        mustBe('zone', ascii, zone.name);
        mustBe('account', accountId, zone.account.id);
        return { zone, created: true };
      } catch (error) {
        if (!(error instanceof ProviderError) || error.code !== ALREADY_EXISTS) throw error;
        const [zone] = await findZones(client, ascii, accountId);
        if (!zone) throw error;
        return { zone, created: false };
      }
    },

    /** Asks Cloudflare to check the zone's name servers now. Throws `refused` if it did so within the last hour. */
    async checkActivation(id: string): Promise<void> {
      const answer = await client.send('PUT', path`/zones/${id}/activation_check`, WithId);
      mustBe('zone', id, answer.id);
    },
  };
}

/** Returns the zones with exactly this name, as it is written. */
async function zonesNamed(client: Client, name: string, accountId: string | undefined): Promise<Zone[]> {
  const query = { name, per_page: ZONES_PER_PAGE, ...(accountId !== undefined && { 'account.id': accountId }) };
  const { rows } = await client.getPage('/zones', Zone, query);
  for (const zone of rows) {
    mustBe('zone', asciiName(name), zone.name);
    if (accountId !== undefined) mustBe('account', accountId, zone.account.id);
  }
  return rows;
}

/** Returns the zones of a name, with `accountId` only that of one account. */
async function findZones(client: Client, name: string, accountId?: string): Promise<Zone[]> {
  const ascii = asciiName(name);
  const unicode = punycode.toUnicode(ascii);
  const zones = await zonesNamed(client, ascii, accountId);
  // Cloudflare finds some IDN zones by their Unicode name only (cloudflare-go#347).
  return zones.length === 0 && unicode !== ascii ? zonesNamed(client, unicode, accountId) : zones;
}

/** Returns which of several zones of one name counts: the active one, which visitors reach, else that of the chosen account. */
export const zoneThatCounts = (zones: readonly Zone[], chosen: string | null): Zone | null =>
  zones.find(({ status }) => status === 'active') ??
  zones.find(({ account }) => account.id === chosen) ??
  zones[0] ??
  null;
