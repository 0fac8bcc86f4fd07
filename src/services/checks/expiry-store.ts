import { transaction } from '../../../db/index.ts';
import { factsAfter, type ExpiryFound } from '../../shared/checks/expiry.ts';
import { insertChangedBatch, listExpiryRowsById, updateExpiries, upsertRegistrations } from './expiry-rows.ts';

// The pace of registries is slow: a commit for each answer would be most of the work. A crash loses those of this time.
const STORE_EVERY_MS = 3_000;
const STORE_AT = 500;
const BATCHES_KEPT = 200;

/** The findings about a domain, under the name that was looked up. */
export interface FoundOf {
  id: number;
  domain_name: string;
  found: ExpiryFound;
}

/**
 * Stores what look-ups have found, judged by what is stored now: a person may have set a date meanwhile. A domain that was
 * renamed or deleted since is left out. Only inside a transaction.
 */
export async function storeFound(batch: readonly FoundOf[]): Promise<void> {
  const foundBy = new Map(batch.map((one) => [one.id, one]));
  const now = new Date();
  const rows = (await listExpiryRowsById([...foundBy.keys()])).flatMap((row) => {
    const one = foundBy.get(row.id);
    if (one?.domain_name !== row.domain_name) return [];
    return [{ id: row.id, before: row.expired_at, ...factsAfter(row.id, row, one.found, now) }];
  });
  if (rows.length === 0) return;
  await upsertRegistrations(rows.map(({ registration }) => registration));
  const moved = rows.filter(({ before, expired_at }) => before !== expired_at);
  if (moved.length > 0) await updateExpiries(moved.map(({ id, expired_at }) => ({ id, expired_at })));
  await insertChangedBatch(
    rows.map(({ id }) => id),
    BATCHES_KEPT,
  );
}

/** Collects what is found and stores it by the hundred, and every few seconds. */
export interface Store {
  add: (one: FoundOf) => void;
  /** Stores the rest. Throws the first failure. */
  finish: () => Promise<void>;
}

/** Makes a store; `onStored` gets what was stored, `onFailure` is called once if that fails. */
export function storeOf(onStored: (batch: readonly FoundOf[]) => void, onFailure: () => void): Store {
  let waiting: FoundOf[] = [];
  let stored: Promise<void> = Promise.resolve();
  let failure: unknown;
  const write = async (previous: Promise<void>, batch: FoundOf[]): Promise<void> => {
    await previous;
    if (batch.length === 0 || failure !== undefined) return;
    try {
      await transaction(() => storeFound(batch));
      onStored(batch);
    } catch (error) {
      failure = error;
      onFailure();
    }
  };
  const flush = (): void => {
    const batch = waiting;
    waiting = [];
    stored = write(stored, batch);
  };
  const timer = setInterval(flush, STORE_EVERY_MS);
  return {
    add: (one) => {
      waiting.push(one);
      if (waiting.length >= STORE_AT) flush();
    },
    finish: async () => {
      clearInterval(timer);
      flush();
      await stored;
      if (failure !== undefined) throw failure;
    },
  };
}
