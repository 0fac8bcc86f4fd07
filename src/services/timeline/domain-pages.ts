import { AppError, notFound } from '../../shared/errors.ts';
import { cleanHostname } from '../../shared/hostname.ts';
import type { DomainDetail } from '../../shared/portfolio/domains.ts';
import { healthOf } from '../../shared/portfolio/domain-state.ts';
import { MOST_RESERVES, type DomainPage } from '../../shared/timeline/domain-page.ts';
import { byReadiness, type ReserveView } from '../../shared/transfers/reserve-states.ts';
import type { Actor } from '../access/scope.ts';
import { refusedCdnAccounts } from '../accounts/refusals.ts';
import { findDomainByName } from '../portfolio/domain-lists.ts';
import { listReserveStates, stateTimes } from '../transfers/reserve-look-rows.ts';
import { findBlockedSince, findBrokenSince, findMoving } from './page-rows.ts';

/** Finds a domain by its name. Throws AppError `not_found` alike for a malformed name, an unknown one and another user's. */
async function findNamed(actor: Actor, typed: string): Promise<DomainDetail> {
  try {
    return await findDomainByName(actor, cleanHostname(typed));
  } catch (error) {
    throw error instanceof AppError ? notFound() : error;
  }
}

/** Returns the reserves of a project of the actor's but for one domain, the best first. */
export async function reservesOf(actor: Actor, project_id: number | null, id: number): Promise<ReserveView[]> {
  if (project_id === null) return [];
  const times = stateTimes(Date.now(), await refusedCdnAccounts());
  return (await listReserveStates(actor, project_id, id, times)).toSorted(byReadiness);
}

/**
 * Returns the page of the caller's domain by its name, as people or as machines spell it, from what is stored alone. Throws
 * AppError `not_found`.
 */
export async function readDomainPage(actor: Actor, name: string): Promise<DomainPage> {
  const domain = await findNamed(actor, name);
  const { id, project_id, status, type, domain_name } = domain;
  const isMain = type === 'main';
  const health = healthOf(domain, Date.now());
  const [blocked_since, broken_since, reserves, moving] = await Promise.all([
    status === 'blocked' ? findBlockedSince(id) : null,
    health === 'ok' || health === 'unknown' ? null : findBrokenSince(id),
    isMain ? reservesOf(actor, project_id, id) : [],
    isMain ? findMoving(actor, domain_name) : undefined,
  ]);
  return {
    domain,
    blocked_since,
    broken_since,
    reserves: reserves.slice(0, MOST_RESERVES),
    reserve_count: reserves.length,
    ready_count: reserves.filter(({ state }) => state === 'ready').length,
    moving: moving?.is_own === 1 ? moving.id : null,
    is_moving: moving !== undefined,
  };
}
