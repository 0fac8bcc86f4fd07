import { note } from '../../../db/audit.ts';
import { insertRow } from '../../../db/rows.ts';
import { toUnicode } from '../../shared/portfolio/domain-name.ts';
import {
  foldProject,
  projectFinder,
  type Existing,
  type ExistingProject,
} from '../../shared/portfolio/import-existing.ts';
import type { Staged, Target } from '../../shared/portfolio/import-stage.ts';
import type { ImportUndo, ImportView } from '../../shared/portfolio/imports.ts';
import { imports } from '../../shared/portfolio/tables.ts';
import type { Actor } from '../access/scope.ts';
import { refuseMoving, refuseSiteWork } from '../operations/moving.ts';
import { findImport } from './import-history.ts';
import { insertImported, updateImported, type ImportedDomain } from './import-rows.ts';
import { insertProjects, listProjectNames } from './project-rows.ts';

/** Returns the projects that names may mean: where one was chosen, no other of its name. */
export async function listProjects(actor: Actor, chosen: ExistingProject | undefined): Promise<ExistingProject[]> {
  const projects = await listProjectNames(actor);
  if (!chosen) return projects;
  return projects.filter(({ id, name }) => id === chosen.id || foldProject(name) !== foldProject(chosen.name));
}

/** Returns the row to write. A domain belongs to the owner of its project. */
function rowOf(target: Target, project: ExistingProject | undefined, owner: number): ImportedDomain {
  const { id, domain_name, type, transfer_type, file_path, expired_at, registrars_id } = target;
  const user_id = project?.user_id ?? (id === null ? owner : null);
  const unicode_name = toUnicode(domain_name);
  return {
    id,
    domain_name,
    unicode_name,
    project_id: project?.id ?? null,
    user_id,
    type,
    transfer_type,
    file_path,
    expired_at,
    registrars_id,
  };
}

type Found = ReturnType<Existing['domains']['get']>;

const isKnown = (row: Found): row is Exclude<Found, undefined | 'taken'> => row !== undefined && row !== 'taken';

/** Whether a row of a file changes fields that a running transfer has read of its domains. */
const changesHeld = (target: Target, project: number | null, row: Found): boolean =>
  isKnown(row) &&
  (target.type !== row.type || target.file_path !== row.file_path || (project ?? row.project_id) !== row.project_id);

/**
 * Writes the rows of a file. Throws AppError `conflict` where a domain that is being moved would be changed, `busy` where one would get
 * another folder while its site is being deployed.
 */
async function writeTargets(
  actor: Actor,
  targets: readonly Target[],
  existing: Existing,
  run: { id: number; owner: number; now: string; chosen: ExistingProject | undefined },
): Promise<void> {
  const find = projectFinder({ projects: await listProjects(actor, run.chosen), owner: run.owner });
  const held: string[] = [];
  const placed: string[] = [];
  const rows = targets.map((target) => {
    const found = target.project === null ? undefined : find(target.project);
    const project = found === 'many' ? undefined : found;
    const row = existing.domains.get(target.domain_name);
    if (changesHeld(target, project?.id ?? null, row)) held.push(target.domain_name);
    if (isKnown(row) && target.file_path !== row.file_path) placed.push(target.domain_name);
    return rowOf(target, project, run.owner);
  });
  if (held.length > 0) await refuseMoving(held);
  if (placed.length > 0) await refuseSiteWork(placed);
  const fresh = rows.filter(({ id }) => id === null);
  const changed = rows.filter(({ id }) => id !== null);
  const { now } = run;
  if (fresh.length > 0) await insertImported(fresh, run.id, now);
  if (changed.length > 0) await updateImported(changed, now);
}

/** Returns the changed rows as they were: the columns that an import can change. */
function undoOf(targets: readonly Target[], { domains }: Existing, projects: number[]): ImportUndo {
  const before = targets.flatMap(({ id, domain_name }) => {
    const row = domains.get(domain_name);
    if (id === null || row === undefined || row === 'taken') return [];
    const { user_id, project_id, type, transfer_type, file_path, expired_at, updated_at } = row;
    const registrars_id = row.registrars_id ?? 0;
    return [{ id, user_id, project_id, type, transfer_type, file_path, expired_at, registrars_id, updated_at }];
  });
  return { domains: before, projects };
}

/**
 * Writes what was staged, as one import that can be undone; null where there is nothing to write. Inside a transaction. Throws as `writeTargets`.
 */
export async function writeImport(
  actor: Actor,
  { source, chosen }: { source: string; chosen: ExistingProject | undefined },
  staged: Staged,
  existing: Existing,
): Promise<ImportView | null> {
  const targets = staged.rows.flatMap(({ target }) => (target === null ? [] : [target]));
  if (targets.length === 0) return null;
  const { owner } = existing;
  const now = new Date().toISOString();
  const projects = staged.new_projects.length > 0 ? await insertProjects(owner, staged.new_projects, now) : [];
  const id = await insertRow(imports, {
    user_id: owner,
    source,
    created: staged.counts.create,
    updated: staged.counts.update,
    before: JSON.stringify(undoOf(targets, existing, projects)),
    created_at: now,
  });
  await writeTargets(actor, targets, existing, { id, owner, now, chosen });
  const after = { new_projects: staged.new_projects };
  note({ action: 'update', object: 'imports', id, after, covers: ['domains', 'projects'] });
  return findImport(actor, id);
}
