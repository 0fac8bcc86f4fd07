import { AppError } from '../../../shared/errors.ts';
import type { Message } from '../../../shared/i18n/index.ts';
import { MOST_PROJECTS } from '../../../shared/system/bulk-work.ts';
import type { Actor } from '../../access/scope.ts';
import type { ChosenRow } from '../../portfolio/bulk-rows.ts';
import { planAutoTransfer, startAutoTransfer } from '../../transfers/automatic.ts';
import type { Unfit } from '../bulk.ts';

/** Moves in a project, as they were found by looking; `plan` stands for them. */
interface ProjectMoves {
  project: number;
  only: ReadonlySet<string>;
  plan: string;
  moves: string[];
}

export interface Moves {
  projects: ProjectMoves[];
  left: Unfit[];
}

/** Finds reserves for those of the domains that are blocked, project by project. Throws AppError `refused` for too many projects. */
export async function findMoves(actor: Actor, rows: readonly ChosenRow[], lastToo: boolean): Promise<Moves> {
  const left: Unfit[] = [];
  const byProject = new Map<number, Set<string>>();
  for (const { domain_name: name, status, type, project_id } of rows) {
    if (status !== 'blocked' || type !== 'main') left.push({ name, reason: { key: 'bulk.left_not_blocked' } });
    else if (project_id === null) left.push({ name, reason: { key: 'bulk.left_no_project' } });
    else byProject.set(project_id, (byProject.get(project_id) ?? new Set()).add(name));
  }
  if (byProject.size > MOST_PROJECTS) throw new AppError('refused', 'bulk.many_projects', { n: MOST_PROJECTS });
  const projects: ProjectMoves[] = [];
  for (const [project, only] of byProject) {
    const { choices, plan } = await planAutoTransfer(actor, { project, use_last_reserve: lastToo }, only);
    const moves = choices.flatMap(({ main, target }) =>
      target ? [`${main.domain_name} → ${target.domain_name}`] : [],
    );
    for (const { main, target, reason } of choices) if (!target) left.push({ name: main.domain_name, reason });
    if (moves.length > 0) projects.push({ project, only, plan, moves });
  }
  return { projects, left };
}

/** Begins the moves, each project's as an operation of its own; a project that is refused by now stops no other. */
export async function startMoves(
  actor: Actor,
  { projects }: Moves,
  lastToo: boolean,
  idem_key: string | undefined,
): Promise<{ ids: number[]; left: Unfit[]; message: Message }> {
  const ids: number[] = [];
  const left: Unfit[] = [];
  let n = 0;
  for (const { project, only, plan, moves } of projects) {
    try {
      const key = idem_key === undefined ? undefined : `${idem_key}/${project}`;
      const input = { project, use_last_reserve: lastToo, plan };
      const { id, started } = await startAutoTransfer(actor, input, { only, idem_key: key });
      ids.push(id);
      if (started) n += moves.length;
      else left.push(...moves.map((name) => ({ name, reason: { key: 'auto_transfer.running' } as const })));
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      left.push(...moves.map((name) => ({ name, reason: { key: error.key, params: error.params } })));
    }
  }
  return { ids, left, message: { key: 'bulk.moving_started', params: { n } } };
}
