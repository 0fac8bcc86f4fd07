// Work of a command on the blocklist that needs an open database. It is loaded only there: without a database, loading it would
// take a tenth of the time in which a list is read.
import { hasUnaudited } from '../checks/list-decisions.ts';
import { SYSTEM } from '../access/scope.ts';

/** Does the work as a run of the job `blocklist`; see `asJob`. The work returns null where a person has interrupted it. */
export async function asListJob<Result>(work: () => Promise<Result | null>): Promise<Result | null> {
  const { asJob, INTERRUPTED } = await import('./command-runs.ts');
  return asJob(SYSTEM, 'blocklist', work, (found) => (found === null ? INTERRUPTED : { result: 'ok' }));
}

/** Audits what was decided about the list in `dir`, if anything was, and if `isOpened` finds or opens a database. */
export async function auditIfOpened(dir: string, isOpened: () => boolean | Promise<boolean>): Promise<void> {
  if (!hasUnaudited(dir) || !(await isOpened())) return;
  const { auditListDecisions } = await import('../checks/list-audit.ts');
  await auditListDecisions(dir);
}
