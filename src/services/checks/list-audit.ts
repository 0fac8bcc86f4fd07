import { acting, type Acting } from '../../../db/acting.ts';
import { note } from '../../../db/audit.ts';
import { transaction } from '../../../db/index.ts';
import { isStorageTrouble } from '../../lib/database-trouble.ts';
import { crashPoint } from '../../lib/crash-point.ts';
import { withLockFile } from '../../lib/lock-file.ts';
import { lockPath, readLedger, writeLedger, type ListDecision } from '../../providers/blocklist/directory.ts';
import { currentVersion } from './blocklist.ts';
import { hasUnaudited, withOutcomes } from './list-decisions.ts';
import { listAuditedDecisions } from './rows.ts';

const noteDecision = ({
  id,
  decided_at,
  by,
  action,
  before,
  after,
  outcome = 'failed',
}: ListDecision): Promise<void> => {
  const { user, door } = by as Acting;
  return acting(user, door, async () =>
    note({
      action,
      object: 'blocklist',
      name: after.list_version,
      ...(before && { before }),
      after: { ...after, decided_at, decision: id },
      outcome,
    }),
  );
};

/**
 * Adds to the audit what was decided about the list in `dir` and is not there yet, whoever has decided it, as it turned out: an
 * exchange that a crash has prevented is `failed`. Needs an open database. Where another process is at the list, or the database
 * has no room, the next call does it.
 */
export async function auditListDecisions(dir: string): Promise<void> {
  if (!hasUnaudited(dir)) return;
  await withLockFile(lockPath(dir), () => auditAll(dir)).catch((error: unknown) => {
    if (!isStorageTrouble(error)) throw error;
  });
}

async function auditAll(dir: string): Promise<void> {
  const ledger = readLedger(dir);
  const decisions = withOutcomes(ledger.decisions, currentVersion(dir));
  await transaction(async () => {
    // A process that was killed right here before has them in the audit, and in the ledger as well.
    const audited = new Set(await listAuditedDecisions(decisions.map(({ id }) => id)));
    for (const decision of decisions) if (!audited.has(decision.id)) await noteDecision(decision);
  });
  crashPoint('blocklist:audited');
  await writeLedger(dir, { ...ledger, decisions: [] }, new Date());
}
