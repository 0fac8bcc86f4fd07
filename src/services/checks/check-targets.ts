import { select } from '../../../db/index.ts';
import type { DomainFilter } from '../../shared/portfolio/domains.ts';
import type { HealthScheme } from '../../shared/checks/health.ts';
import type { OperationRow } from '../../shared/operations.ts';
import { filters } from '../portfolio/filters.ts';
import { bindings, SYSTEM, VISIBLE, type Actor } from '../access/scope.ts';

/** What can be checked of the portfolio, in the order it is done. */
export const CHECK_STEPS = ['http', 'blocklist'] as const;
export type CheckStep = (typeof CHECK_STEPS)[number];

/** How hosts are asked; what is absent takes the checker's default. */
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
  /** These alone. */
  domain_ids?: number[];
  options?: HealthChoices;
  /** Takes a result over that the guard would hold: any, or that of one version of the list alone. */
  accept?: boolean | string;
}

/** What an operation of kind `check` was asked. */
export const requestOf = (operation: OperationRow): CheckRequest => JSON.parse(operation.input) as CheckRequest;

/** For whom an operation works: the user who asked, with the role of now; nobody in particular means everything. */
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

/** The domains an operation is about, of which the caller sees the visible ones alone. */
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

/** Who was checked, and what of theirs: `all` is everybody's, an empty part everything. */
const scopeOf = (subject: string): [string, string, string] => {
  const [who = '', , project = '', status = ''] = subject.split('/');
  return [who, project, status];
};

/** Whether a check, by its operation's subject, has looked at all that another one had looked at. */
export function includesCheck(subject: string, other: string): boolean {
  const [who, ...parts] = scopeOf(subject);
  const [otherWho, ...otherParts] = scopeOf(other);
  return (who === 'all' || who === otherWho) && parts.every((part, index) => part === '' || part === otherParts[index]);
}
