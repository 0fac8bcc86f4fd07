import type { Role } from '../../shared/access/users.ts';

/** Who acts. The command line on the host acts for nobody in particular (`id` null) with an admin's rights. */
export interface Actor {
  id: number | null;
  login: string;
  role: Role;
}

/** The command line and the scheduler, unless they act for a user. */
export const SYSTEM: Actor = { id: null, login: 'system', role: 'admin' };

export const isAdmin = (actor: Actor): boolean => actor.role === 'admin';

/**
 * SQL conditions for the rows that an actor may see, over the aliases `d` (domains) and `p` (projects, LEFT JOINed to
 * d). Rows of projects and domains are loaded in no other way: what is not visible does not exist for its caller. A
 * domain belongs to the owner of its project; one without a project to the user who created it. `$actor` is bound by
 * `bindings`.
 */
export const VISIBLE = {
  projects: (actor: Actor): string => `p.deleted_at IS NULL${isAdmin(actor) ? '' : ' AND p.user_id = $actor'}`,
  domains: (actor: Actor): string =>
    `d.deleted_at IS NULL${isAdmin(actor) ? '' : ' AND COALESCE(p.user_id, d.user_id) = $actor'}`,
};

/** Returns the values that the conditions of `VISIBLE` refer to. */
export const bindings = (actor: Actor): Record<string, unknown> => (isAdmin(actor) ? {} : { actor: actor.id });
