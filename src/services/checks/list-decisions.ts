import { findActing, SYSTEM_ASKER, type Acting } from '../../../db/acting.ts';
import { readLedger, type Ledger, type ListDecision } from '../../providers/blocklist/directory.ts';
import type { IndexMeta } from '../../providers/blocklist/index-layout.ts';

// An installation without a database writes no audit: its ledger must not grow for ever.
const MOST_NOTED = 1_000;

// Only the program itself, as the demo at its start, changes a list without a door.
const SYSTEM_ACTING: Acting = { user: SYSTEM_ASKER, door: { name: 'system', call: 'blocklist' } };

/** An exchange of the current list by another. */
interface Exchange {
  action: ListDecision['action'];
  current: IndexMeta | null;
  next: IndexMeta;
  now: Date;
}

const toldOf = ({ list_version, entries: { exact, mask, url } }: IndexMeta): ListDecision['after'] => ({
  list_version,
  names: exact + mask + url,
});

/**
 * Returns decisions with their outcomes, as the current list tells them: each was noted before its exchange, and no other
 * exchange was made since.
 */
export const withOutcomes = (decisions: readonly ListDecision[], current: string | null): ListDecision[] =>
  decisions.map((decision) => ({
    outcome: decision.after.list_version === current ? 'done' : 'failed',
    ...decision,
  }));

/** Returns a ledger that notes an exchange, which is about to be made by who acts now; nothing where the same list comes again. */
export function decided(ledger: Ledger, { action, current, next, now }: Exchange): Ledger {
  if (current?.list_version === next.list_version) return ledger;
  const { user, door } = findActing() ?? SYSTEM_ACTING;
  const decision: ListDecision = {
    id: crypto.randomUUID(),
    decided_at: now.toISOString(),
    by: { user: { id: user.id, login: user.login }, door },
    action,
    before: current && toldOf(current),
    after: toldOf(next),
  };
  const before = withOutcomes(ledger.decisions, current?.list_version ?? null);
  return { ...ledger, decisions: [...before, decision].slice(-MOST_NOTED) };
}

/** Whether something was decided about the list in `dir` that the audit does not have yet. */
export const hasUnaudited = (dir: string): boolean => readLedger(dir).decisions.length > 0;
