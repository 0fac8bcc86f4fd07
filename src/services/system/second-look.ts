import { DAY_MS } from '../../shared/time.ts';
import { SYSTEM } from '../access/scope.ts';
import { startCheck } from '../checks/checks.ts';
import { listDueOutages } from '../checks/look-rows.ts';

const SUSPECT_MS = 20_000;
const DOWN_MS = 10 * 60_000;

/** Looks again at what does not answer any more: at once at what has just stopped, every ten minutes at what is down since today. */
export async function startSecondLook(): Promise<void> {
  const before = (ms: number): string => new Date(Date.now() - ms).toISOString();
  const due = await listDueOutages({ suspect: before(SUSPECT_MS), down: before(DOWN_MS), recent: before(DAY_MS) });
  if (due.length === 0) return;
  const domain_ids = due.map(({ id }) => id);
  await startCheck(SYSTEM, { steps: ['http'], domain_ids }, false, { asked_by: 'automation' });
}
