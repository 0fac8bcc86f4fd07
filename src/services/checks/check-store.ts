import { afterCommit } from '../../../db/index.ts';
import { measure } from '../../lib/measures.ts';
import { addBatch, addSamples, insertLooks, mergeBlocked, stageLooks, type CheckKind, type Look } from './look-rows.ts';

/** The list that verdicts come from. */
interface ListOfVerdicts {
  list_version: string | null;
  fetched_at: string | null;
}

// Listeners read once a second: fewer batches come in between.
const BATCHES_KEPT = 200;

/**
 * Stores looks at domains as history: a look that says the same as the newest row extends it, else it begins a new row.
 * Returns the time that it stores. The caller updates the domains themselves; the looks stay staged until the next
 * call. Only inside a transaction.
 */
export async function storeLooks(
  kind: CheckKind,
  looks: readonly Look[],
  { list_version, fetched_at }: ListOfVerdicts = { list_version: null, fetched_at: null },
): Promise<string> {
  const now = new Date().toISOString();
  await stageLooks(kind, looks);
  await insertLooks(kind, { list_version, list_fetched_at: fetched_at, checked_at: now });
  if (kind === 'http') await addSamples(now.slice(0, 10));
  else await mergeBlocked();
  await addBatch(BATCHES_KEPT);
  afterCommit(() => measure('looks', { kind, domains: looks.length }));
  return now;
}
