import { createHash } from 'node:crypto';
import type { OperationRow } from '../../shared/operations/tables.ts';
import type { DomainFilter } from '../../shared/portfolio/domains.ts';
import type { HealthScheme } from '../../shared/checks/health.ts';
import { actorOf } from '../access/ownership.ts';
import { isAdmin, type Actor } from '../access/scope.ts';
import { listTargets, type CheckScope, type Target } from './rows.ts';

/** The steps of a check, in their usual order. */
export const CHECK_STEPS = ['http', 'blocklist'] as const;
export type CheckStep = (typeof CHECK_STEPS)[number];

/** Options for asking hosts; an absent one takes the checker's default. */
export interface HealthChoices {
  scheme?: HealthScheme;
  follow?: boolean;
  timeoutMs?: number;
  concurrency?: number;
}

/** A check of the portfolio, or of the part of it that is named. */
export interface CheckRequest {
  steps: CheckStep[];
  /** Only the domains of this user's portfolio. */
  holder?: number;
  project_id?: number;
  status?: DomainFilter;
  /** Only these domains; with a status, those that had it when the check was asked for. */
  domain_ids?: number[];
  options?: HealthChoices;
  /** Stores a result that the guard would hold: any, or only that of one list version. */
  accept?: boolean | string;
}

/** Returns the request of an operation of kind `check`. */
export const requestOf = (operation: OperationRow): CheckRequest => JSON.parse(operation.input) as CheckRequest;

/** Returns which domains a check is of: those that it was given, or that its status has chosen, rather than the status. */
export function partGiven(
  operation: OperationRow,
): Pick<CheckRequest, 'holder' | 'project_id' | 'status' | 'domain_ids'> {
  const { holder, project_id, status, domain_ids } = requestOf(operation);
  return { holder, project_id, ...(domain_ids ? { domain_ids } : { status }) };
}

/**
 * Returns a request with the domains that its status selects now: a check changes what a status is told by, and each of its steps
 * covers the same domains.
 */
export async function chosenNow(actor: Actor, request: CheckRequest): Promise<CheckRequest> {
  const { status = 'all', domain_ids } = request;
  if (status === 'all' || domain_ids) return request;
  const found = await listTargets(actor, request, 'last_http_check_at');
  return { ...request, domain_ids: found.map(({ id }) => id) };
}

/** Returns the domains of a check that its user may see. */
export async function targets(
  operation: OperationRow,
  checkedAt: 'last_http_check_at' | 'last_block_check_at',
): Promise<Target[]> {
  return listTargets(await actorOf(operation.user_id), partGiven(operation), checkedAt);
}

/** Returns whose domains a check of an actor's covers, as a part of its subject. */
export const scopeName = (actor: Actor, holder?: number): string =>
  isAdmin(actor) && holder === undefined ? 'all' : `user ${holder ?? actor.id}`;

// A subject with more ids would be longer than its index takes.
const MOST_SPELLED = 100;

const someOf = (ids: readonly number[]): string =>
  ids.length > MOST_SPELLED
    ? `${ids.length} ${createHash('sha256').update(ids.join()).digest('base64url')}`
    : ids.join();

/** Returns which part of them, as a part of its subject. */
export const partOf = ({
  project_id,
  status,
  domain_ids,
}: Pick<CheckRequest, 'project_id' | 'status' | 'domain_ids'>): string =>
  `${project_id ?? ''}/${domain_ids ? `some ${someOf(domain_ids)}` : (status ?? '')}`;

/** Returns which domains a check covers. */
export const scopeOf = (actor: Actor, { holder, project_id, status, domain_ids }: CheckRequest): CheckScope => ({
  // No user has the id 0: a caller without one who is no admin has no domains.
  user_id: isAdmin(actor) ? (holder ?? null) : (actor.id ?? 0),
  project_id: project_id ?? null,
  part: status ?? (domain_ids ? JSON.stringify(domain_ids) : null),
});

/** Returns a check of those of a check's domains that one user holds; `ids` are these. */
export function partHeldBy(request: CheckRequest, holder: number, ids: number[]): CheckRequest {
  const { project_id, domain_ids } = request;
  return { steps: ['blocklist'], holder, project_id, ...(domain_ids && { domain_ids: ids }) };
}

/** Whether a check has covered all domains of another one. */
export const includesCheck = (scope: CheckScope, other: CheckScope): boolean =>
  (['user_id', 'project_id', 'part'] as const).every((name) => scope[name] === null || scope[name] === other[name]);
