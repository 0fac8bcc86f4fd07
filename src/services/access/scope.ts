import type { Role } from '../../shared/access/users.ts';

/** The user that a service works for. The command line on the host acts for nobody in particular (`id` null) with an admin's rights. */
export interface Actor {
  id: number | null;
  login: string;
  role: Role;
}

/** Throws AppError `bad_token` where the caller may act no more. Called in the transaction of what outlives a session. */
export type StillMay = () => Promise<void>;

/** The command line and the scheduler, unless they act for a user. */
export const SYSTEM: Actor = { id: null, login: 'system', role: 'admin' };

export const isAdmin = (actor: Actor): boolean => actor.role === 'admin';

const ALL = '1=1';

/**
 * SQL conditions for the rows that belong to an actor, deleted ones as well, over the aliases `d` (domains), `p`
 * (projects, LEFT JOINed to d and to x), `i` (imports), `o` (operations) and `x` (purchases); to an admin belongs every row.
 * A domain belongs to the owner of its project; one without a project to the user who created it. So does a purchase; one
 * without a project belongs to whom it is charged. `$actor` is bound by `bindings`.
 */
export const OWN = {
  projects: (actor: Actor): string => (isAdmin(actor) ? ALL : 'p.user_id = $actor'),
  domains: (actor: Actor): string => (isAdmin(actor) ? ALL : 'COALESCE(p.user_id, d.user_id) = $actor'),
  imports: (actor: Actor): string => (isAdmin(actor) ? ALL : 'i.user_id = $actor'),
  operations: (actor: Actor): string => (isAdmin(actor) ? ALL : 'o.user_id = $actor'),
  purchases: (actor: Actor): string => (isAdmin(actor) ? ALL : 'COALESCE(p.user_id, x.user_id) = $actor'),
};

/**
 * SQL conditions for the rows that an actor may see, as `OWN`. Rows of projects and domains are loaded in no other way:
 * what is not visible does not exist for its caller.
 */
export const VISIBLE = {
  projects: (actor: Actor): string => `p.deleted_at IS NULL AND ${OWN.projects(actor)}`,
  domains: (actor: Actor): string => `d.deleted_at IS NULL AND ${OWN.domains(actor)}`,
};

/** Returns the values that the conditions of `OWN` and `VISIBLE` refer to. */
export const bindings = (actor: Actor): Record<string, unknown> => (isAdmin(actor) ? {} : { actor: actor.id });
