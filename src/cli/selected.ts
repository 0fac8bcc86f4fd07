import type { Actor } from '../services/access/scope.ts';
import { listDomains } from '../services/portfolio/domain-lists.ts';
import { parseJsonText } from '../services/portfolio/json.ts';
import { projectNamed } from '../services/portfolio/projects.ts';
import type { DomainFilter, DomainView } from '../shared/portfolio/domains.ts';
import type { SelectionFlags } from './selection.ts';

/** Returns the selection as the services take it, with the project's id. Throws `not_found` for an unknown project. */
export async function selectionOf(
  actor: Actor,
  { project, status }: SelectionFlags,
): Promise<{ project_id?: number; status?: DomainFilter }> {
  if (project === undefined) return status ? { status } : {};
  const { id } = await projectNamed(actor, project);
  return { project_id: id, ...(status ? { status } : {}) };
}

/** Returns the selected domains that the actor sees, in the order of the API's list. */
export async function selectedDomains(
  actor: Actor,
  selection: Parameters<typeof listDomains>[1],
  search = '',
): Promise<DomainView[]> {
  return parseJsonText(await listDomains(actor, selection, search ? { search } : {})).data;
}
