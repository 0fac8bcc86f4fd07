import { select } from '../../../db/index.ts';
import type { OperationRow } from '../../shared/operations/tables.ts';
import type { DomainFilter } from '../../shared/portfolio/domains.ts';
import type { HealthScheme } from '../../shared/checks/health.ts';
import { filters } from '../portfolio/filters.ts';
import { bindings, SYSTEM, VISIBLE, type Actor } from '../access/scope.ts';

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

/** Returns the user for whom an operation works, with the current role; SYSTEM where it has none. */
export async function actorOfOperation({ user_id }: OperationRow): Promise<Actor> {
  if (user_id === null) return SYSTEM;
  const [user] = await select<Actor>('SELECT id, login, role FROM users WHERE id = $user_id', { user_id });
  return user ?? { id: user_id, login: '', role: 'user' };
}

/** A domain that is to be checked, with what the last check of that kind left. */
export interface Target {
  id: number;
  domain_name: string;
  status: string;
  http_error: string | null;
  checked_at: string | null;
}

/** Returns the domains of a check that its user may see. */
export async function targets(
  operation: OperationRow,
  checkedAt: 'last_http_check_at' | 'last_block_check_at',
): Promise<Target[]> {
  const actor = await actorOfOperation(operation);
  const { project_id, status = 'all', domain_ids } = requestOf(operation);
  return select<Target>(
    `SELECT d.id, d.domain_name, d.status, d.http_error, d.${checkedAt} AS checked_at
     FROM domains d LEFT JOIN projects p ON p.id = d.project_id
     WHERE ${VISIBLE.domains(actor)} AND ${filters()[status]} AND ($project IS NULL OR d.project_id = $project)
       AND ($ids IS NULL OR d.id IN (SELECT value FROM json_each($ids))) ORDER BY d.id`,
    { project: project_id ?? null, ids: domain_ids ? JSON.stringify(domain_ids) : null, ...bindings(actor) },
  );
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
