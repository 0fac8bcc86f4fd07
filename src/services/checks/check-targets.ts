import type { OperationRow } from '../../shared/operations/tables.ts';
import type { DomainFilter } from '../../shared/portfolio/domains.ts';
import type { HealthScheme } from '../../shared/checks/health.ts';
import { actorOf } from '../access/ownership.ts';
import { listTargets, type Target } from './rows.ts';

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
  project_id?: number;
  status?: DomainFilter;
  /** Only these domains. */
  domain_ids?: number[];
  options?: HealthChoices;
  /** Stores a result that the guard would hold: any, or only that of one list version. */
  accept?: boolean | string;
}

/** Returns the request of an operation of kind `check`. */
export const requestOf = (operation: OperationRow): CheckRequest => JSON.parse(operation.input) as CheckRequest;

/** Returns the domains of a check that its user may see. */
export async function targets(
  operation: OperationRow,
  checkedAt: 'last_http_check_at' | 'last_block_check_at',
): Promise<Target[]> {
  return listTargets(await actorOf(operation.user_id), requestOf(operation), checkedAt);
}

/** Returns the user, project and status filter in a check's subject: `all` means every user, '' everything. */
const scopeOf = (subject: string): [string, string, string] => {
  const [who = '', , project = '', status = ''] = subject.split('/');
  return [who, project, status];
};

/** Whether a check, by its operation's subject, has covered all domains of another one. */
export function includesCheck(subject: string, other: string): boolean {
  const [who, ...parts] = scopeOf(subject);
  const [otherWho, ...otherParts] = scopeOf(other);
  return (who === 'all' || who === otherWho) && parts.every((part, index) => part === '' || part === otherParts[index]);
}
