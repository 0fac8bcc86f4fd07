import { findRow } from '../../../db/rows.ts';
import { cloudflareAccounts, servers } from '../../shared/accounts/tables.ts';
import { domains, type DomainRow } from '../../shared/portfolio/tables.ts';
import { config } from '../../lib/config.ts';
import { messageFor } from '../../operations/failure.ts';
import { EXPIRING_DAYS, expiryDay } from '../../shared/portfolio/expiry-day.ts';
import type { Key, Message } from '../../shared/i18n/index.ts';
import type { Readiness, SeenPage, Used } from '../../shared/transfers/transfer-plan.ts';
import type { Likeness } from '../../shared/sites/stock-pages.ts';
import { checkBlocklist } from '../checks/blocklist.ts';
import { enteredBy, registrarToSet } from '../dns/delegation.ts';
import type { Actor } from '../access/scope.ts';
import { isSamePage } from '../sites/site-print.ts';
import { atSource } from './blame.ts';
import { likenessFault, lookOnce } from './gate.ts';
import { openMove, type MoveLane } from './lane.ts';
import { itemOfMove, type Move } from './queue.ts';
import { DAY_MS } from '../../shared/time.ts';

type Facts = DomainRow & { server: string | null; account: string | null };

async function factsOf({ target, server_id, target_account }: Move): Promise<Facts> {
  const row = await findRow(domains, target.id);
  if (!row) throw new Error(`domain ${target.id} is not there`);
  const server = server_id === null ? undefined : await findRow(servers, server_id);
  const account = target_account === null ? undefined : await findRow(cloudflareAccounts, target_account);
  return { ...row, server: server?.name ?? null, account: account?.name ?? null };
}

const used = (name: string | null, own: number | null): Used | null =>
  name === null ? null : { name, of: own === null ? 'source' : 'target' };

interface Zones extends Pick<Readiness, 'certificate' | 'likeness' | 'seen'> {
  zone: Readiness['zone'];
  /** Whether the CDN proxies the source; null: that could not be asked. */
  proxied: boolean | null;
  /** The reason for which the account of the source refuses calls; null: it does not. */
  refused: string | null;
}

/** Whether the CDN proxies the source of a move. Throws AppError `refused` that names the source where its account refuses. */
const isProxied = ({ source }: Move, lane: MoveLane): Promise<boolean> =>
  atSource(source.name, async () => {
    const zone = await lane.source.findZone(source.zone);
    const records = zone ? await lane.source.client.listRecords(zone.id) : [];
    return records.some(({ name, proxied }) => name === source.name && proxied);
  });

/**
 * Looks once at both zones and at the reserve, for 20 s at most. Returns unknown values where an outside service fails.
 */
async function lookOutside(actor: Actor, move: Move): Promise<Zones> {
  const { target } = move;
  const item = { ...itemOfMove(move), operation_id: 0, lane_id: null, data: move, acts: [], user_id: actor.id };
  const unknown: Zones = {
    zone: { status: 'unknown', name_servers: [] },
    proxied: null,
    refused: null,
    certificate: 'unknown',
    seen: null,
    likeness: move.site === null ? { verdict: 'unclear', why: 'no_answer', score: null } : null,
  };
  try {
    const signal = AbortSignal.timeout(20_000);
    const lane = await openMove([item], signal, []);
    const place = { domain: target.name, address: lane.address?.address ?? null };
    const rest = Promise.all([
      lane.target.findZone(target.zone),
      lookOnce(place, move.site === null ? lane.model : null, signal),
    ]);
    // Where one account has both zones and refuses, the source counts.
    const [proxied] = await Promise.all([isProxied(move, lane), rest.catch(() => null)]);
    const [zone, seen] = await rest;
    return {
      zone: zone ? { status: zone.status, name_servers: zone.name_servers } : { status: 'missing', name_servers: [] },
      proxied,
      refused: null,
      ...seen,
    };
  } catch (error) {
    const message = messageFor(error);
    if (!message) throw error;
    const isRefused = message.key === 'transfer.source_refused';
    return isRefused ? { ...unknown, refused: String(message.params?.['reason']) } : unknown;
  }
}

/**
 * Returns the warning about a reserve's page; null where it resembles the source, or a person has confirmed this page.
 */
function likenessWords(likeness: Likeness, seen: SeenPage | null, confirmed: string | undefined): Key | null {
  const fault = likenessFault(likeness);
  const isConfirmed = confirmed !== undefined && seen && isSamePage(confirmed, seen.print);
  return likeness.verdict !== 'stock' && isConfirmed ? null : fault;
}

/**
 * Returns the state of a reserve, and the warnings for a person before a site moves there. `refused`: the reason that the
 * account of the source gives for refusing all; null: it does not refuse. Asks outside services.
 */
export async function readinessOf(
  actor: Actor,
  move: Move,
): Promise<{ readiness: Readiness; warnings: Message[]; refused: string | null }> {
  const { source, target, site } = move;
  const [facts, { zone, proxied, refused, certificate, likeness, seen }, verdicts] = await Promise.all([
    factsOf(move),
    lookOutside(actor, move),
    checkBlocklist(config().blocklistDir, [target.name]),
  ]);
  const { http_status_code, http_error, last_http_check_at, expired_at } = facts;
  const left = expired_at === null ? Infinity : Date.parse(expired_at) - Date.now();
  const readiness: Readiness = {
    list: verdicts[0]?.status ?? 'unknown',
    list_entry: verdicts[0]?.entry ?? null,
    http: { http_status_code, http_error, last_http_check_at },
    zone,
    server: used(facts.server, facts.server_id),
    account: used(facts.account, facts.cloudflare_account_id),
    site,
    likeness,
    seen,
    certificate,
    expired_at,
    expiring: left <= EXPIRING_DAYS * DAY_MS,
    age_days: Math.max(0, Math.floor((Date.now() - Date.parse(facts.created_at)) / DAY_MS)),
  };
  const warnings = [...warningsOf(move, readiness, await delegationOf(actor, move, readiness.zone))];
  if (proxied === false) warnings.push({ key: 'transfer.not_proxied', params: { domain: source.name } });
  return { readiness, warnings, refused };
}

/** Returns what is to be done for a zone that is not active yet: nothing where its name servers were entered, else Change DNS can, or a person has to. */
async function delegationOf(actor: Actor, { target }: Move, zone: Readiness['zone']): Promise<Message> {
  const ns = zone.name_servers.join(', ');
  const id = zone.name_servers.length === 0 ? null : await enteredBy(target.zone, zone.name_servers);
  if (id !== null) return { key: 'transfer.zone_waits', params: { zone: target.zone, ns, id: String(id) } };
  const isSettable = (await registrarToSet(actor, target.name)) !== null;
  return { key: isSettable ? 'transfer.zone_settable' : 'transfer.zone_pending', params: { zone: target.zone, ns } };
}

/** The warnings for a person. `delegation` is what is to be done where the zone is not active yet. */
function* warningsOf(
  { source, target, server_id, confirm_site }: Move,
  readiness: Readiness,
  delegation: Message,
): Generator<Message> {
  const { list, list_entry, expired_at, expiring, zone, site, likeness, seen, certificate } = readiness;
  const domain = target.name;
  if (list === 'blocked') yield { key: 'transfer.target_blocked', params: { domain, entry: list_entry ?? domain } };
  if (list === 'unknown') yield { key: 'transfer.target_unknown', params: { domain } };
  if (expiring && expired_at !== null) {
    const isOver = Date.parse(expired_at) < Date.now();
    const params = { domain, date: expiryDay({ domain_name: domain, expired_at }) };
    yield { key: isOver ? 'transfer.target_expired' : 'transfer.target_expiring', params };
  }
  if (zone.status === 'missing') yield { key: 'transfer.zone_made', params: { zone: target.zone } };
  else if (!['active', 'unknown'].includes(zone.status)) yield delegation;
  // Until the zone is active the name leads elsewhere, so its certificate says nothing.
  const isServed = zone.status === 'active';
  if (isServed && certificate === 'issuing') yield { key: 'transfer.certificate_issuing', params: { domain } };
  if (isServed && certificate === 'foreign') yield { key: 'transfer.certificate_foreign', params: { domain } };
  const key = likeness && likenessWords(likeness, seen, confirm_site);
  if (key) yield { key, params: { domain, source: source.name } };
  if (server_id === null) yield { key: 'transfer.no_server' };
  else if (site === null) yield { key: 'transfer.no_site' };
}
