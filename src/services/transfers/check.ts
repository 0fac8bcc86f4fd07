import { findRow } from '../../../db/rows.ts';
import { domains, type DomainRow } from '../../shared/portfolio/tables.ts';
import { config } from '../../lib/config.ts';
import type { Act } from '../../operations/flow.ts';
import { operationRow } from '../../operations/lease.ts';
import { EXPIRING_DAYS, expiryDay } from '../../shared/portfolio/expiry-day.ts';
import { AppError } from '../../shared/errors.ts';
import { checkBlocklist } from '../checks/blocklist.ts';
import { forwardedTo } from '../dns/forwards.ts';
import { actorOf, foreignZone } from '../access/ownership.ts';
import type { Actor } from '../access/scope.ts';
import { lostDomain } from '../portfolio/domain-lists.ts';
import { atSource } from './blame.ts';
import type { MoveLane } from './lane.ts';
import type { Move } from './queue.ts';
import { refusePlace } from './swap.ts';
import { hasDomain } from './rows.ts';
import { findStopOf, wordsOf } from './stops.ts';
import { DAY_MS } from '../../shared/time.ts';

type Roles = Pick<DomainRow, 'id' | 'domain_name' | 'type' | 'project_id' | 'cloudflare_account_id' | 'expired_at'>;

/** Throws AppError `conflict` where the two domains can't exchange their roles. */
export function refuseRoles(source: Roles, target: Roles): void {
  const refuse = (key: 'transfer.not_main' | 'transfer.not_reserve', domain: string): never => {
    throw new AppError('conflict', key, { domain }, { code: key.replace('transfer.', '') });
  };
  if (source.type !== 'main') refuse('transfer.not_main', source.domain_name);
  if (target.type !== 'transfer') refuse('transfer.not_reserve', target.domain_name);
  if (source.project_id !== null && source.project_id === target.project_id) return;
  const params = { source: source.domain_name, target: target.domain_name };
  throw new AppError('conflict', 'transfer.other_project', params, { code: 'other_project' });
}

/** Throws AppError `conflict` where the source has no CDN account, or both names are in one zone. */
export function refuseUnfit({ source, target, source_account }: Move): void {
  if (source_account === null) {
    throw new AppError('conflict', 'transfer.no_account', { domain: source.name }, { code: 'no_cloudflare_account' });
  }
  // A rule for one of two names in a zone may match the other as well, and forward it to itself.
  if (source.zone !== target.zone) return;
  throw new AppError('conflict', 'transfer.same_zone', { source: source.name, target: target.name });
}

/**
 * Throws AppError `refused` where one of the two zones is not wholly the actor's: a move writes settings and rules of
 * both.
 */
export async function refuseForeignZones(
  actor: Actor,
  { source, target }: Pick<Move, 'source' | 'target'>,
): Promise<void> {
  const zone = await foreignZone(actor, [source.zone, target.zone]);
  if (zone === null) return;
  const { name: domain } = zone === source.zone ? source : target;
  throw new AppError('refused', 'zone.not_yours', { zone, domain }, { code: 'zone_not_yours' });
}

/**
 * Throws AppError `refused` where the user that a move is made for has lost one of its domains or zones since it was
 * asked for, or a domain was renamed or deleted.
 */
export async function refuseLost(user_id: number | null, move: Move): Promise<void> {
  const actor = await actorOf(user_id);
  await refuseForeignZones(actor, move);
  for (const side of [move.source, move.target]) {
    if (!(await hasDomain(actor, side))) throw await lostDomain(actor, side);
  }
}

/** Throws AppError `conflict` where the current list blocks a reserve. */
export async function refuseBlocked(domain: string): Promise<void> {
  const { blocklistDir } = config();
  const [verdict] = await checkBlocklist(blocklistDir, [domain]);
  if (verdict?.status !== 'blocked') return;
  const params = { domain, entry: verdict.entry ?? domain };
  throw new AppError('conflict', 'transfer.target_blocked', params, { code: 'target_blocked' });
}

/**
 * Throws AppError `conflict` where the reserve expires soon: no person has seen the warning in an automatic transfer.
 */
function refuseExpiring({ domain_name, expired_at }: Roles): void {
  if (expired_at === null || Date.parse(expired_at) > Date.now() + EXPIRING_DAYS * DAY_MS) return;
  throw new AppError('conflict', 'transfer.target_expiring', {
    domain: domain_name,
    date: expiryDay({ domain_name, expired_at }),
  });
}

async function refuseForwarded({ source, target }: Move, lane: MoveLane): Promise<void> {
  const refuse = (domain: string, host: string): never => {
    throw new AppError('conflict', 'rules.forwards_elsewhere', { domain, target: host });
  };
  const forwarded = await atSource(source.name, () => forwardedTo(lane.source, source.zone, source.name));
  const away = forwarded.find((host) => host !== target.name);
  if (away !== undefined) refuse(source.name, away);
  if (!(await lane.target.findZone(target.zone))) return;
  const other = (await forwardedTo(lane.target, target.zone, target.name)).find((host) => !lane.family.has(host));
  if (other !== undefined) refuse(target.name, other);
}

async function rolesOf(id: number): Promise<Roles> {
  const row = await findRow(domains, id);
  if (!row || row.deleted_at !== null) throw new AppError('conflict', 'error.not_found');
  return row;
}

/**
 * Throws AppError `conflict` where an automatic move has lost its cause: the list has freed the main domain, or there is
 * a stop, which a move that a person has asked for does not obey.
 */
async function refuseGroundless({ source, target }: Move, operation_id: number): Promise<void> {
  const [verdict] = await checkBlocklist(config().blocklistDir, [source.name]);
  if (verdict?.status === 'free') {
    throw new AppError('conflict', 'transfer.main_free', { domain: source.name, target: target.name });
  }
  const { asked_by, user_id } = await operationRow(operation_id);
  if (asked_by === 'person') return;
  const stop = await findStopOf(user_id);
  if (!stop) return;
  const { key, params } = wordsOf(stop);
  throw new AppError('conflict', key, { ...params, domain: source.name });
}

/**
 * Throws AppError `conflict` where a move that was right when it was queued is not so any more, by the roles of its
 * domains or by the current list, and `refused` where its reserve's folder has gone to another. A person who insists may
 * move to a blocked reserve.
 */
export async function refuseOutdated(move: Move, operation_id: number): Promise<void> {
  const { source, target, action, force } = move;
  refuseRoles(await rolesOf(source.id), await rolesOf(target.id));
  if (!(force && action === 'explicit')) await refuseBlocked(target.name);
  if (action === 'auto') await refuseGroundless(move, operation_id);
  await refusePlace(await actorOf((await operationRow(operation_id)).user_id), move);
}

/** Returns the act that checks again whether the move is possible, before anything is changed. */
export function checkAct(move: Move, lane: MoveLane, operation_id: number): Act {
  const { source, target, action } = move;
  return {
    name: 'check',
    class: 'read',
    look: async () => {
      const [from, to] = [await rolesOf(source.id), await rolesOf(target.id)];
      refuseRoles(from, to);
      refuseUnfit(move);
      if (!lane.warnings) await refuseOutdated(move, operation_id);
      if (action === 'auto') refuseExpiring(to);
      await refuseForwarded(move, lane);
      // Opens the server now, so that a login that fails is found before anything is changed.
      if (move.site !== null) await lane.sftp();
      return null;
    },
  };
}
