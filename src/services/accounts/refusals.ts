import { transaction } from '../../../db/index.ts';
import { findRow } from '../../../db/rows.ts';
import { isStorageTrouble, messageFor } from '../../operations/failure.ts';
import { ProviderError } from '../../providers/provider-error.ts';
import type { Kind } from '../../shared/accounts/kinds.ts';
import type { Table } from '../../shared/table.ts';
import { isRefusal, recordTest } from './events.ts';
import { listFailedCdn, setAccountTest, type AccountRow } from './rows.ts';

// A login that is not judged because of our address may be right.
const isProof = (error: unknown): boolean =>
  error instanceof ProviderError && error.kind === 'credentials' && error.reason !== 'address';

async function readError({ table }: Kind, id: number): Promise<string | null | undefined> {
  const row = (await findRow(table as Table, id)) as AccountRow | undefined;
  return row && (row['check_error'] as string | null);
}

/** Keeps that a login is refused as a failed test would, and tells it, unless that is known or the login was edited meanwhile. */
async function noteRefused(kind: Kind, row: AccountRow, error: unknown): Promise<void> {
  const check_error = JSON.stringify(messageFor(error));
  await transaction(async () => {
    const known = await readError(kind, row.id);
    if (known === undefined || isRefusal(known)) return;
    const state = { checked_at: new Date().toISOString(), check_error };
    // Of several processes that find it at once, one tells.
    const stored = await setAccountTest(kind, { ...row, check_error: known }, state, ['check_error']);
    if (stored === 1) await recordTest({ name: row.name, check_error: known }, 'provider_credentials', { check_error });
  });
}

/** Removes a refusal that was kept before: the login works. */
const noteWorks = (kind: Kind, row: AccountRow): Promise<number> =>
  transaction(() =>
    setAccountTest(kind, row, { checked_at: new Date().toISOString(), check_error: null }, ['check_error']),
  );

// A failed write of this note must not replace the answer or the error of a call: the next call makes the note again.
async function quietly(work: () => Promise<unknown>): Promise<void> {
  try {
    await work();
  } catch (error) {
    if (!isStorageTrouble(error)) throw error;
  }
}

/**
 * Makes a call with the login of an account, whose row was read before. A refused login is kept in the row and told once, until it has
 * worked again. `proves`: the answer comes to nobody without a login. Throws what the call throws; not inside a transaction.
 */
export async function watched<T>(kind: Kind, row: AccountRow, call: () => Promise<T>, proves = true): Promise<T> {
  let answer: T;
  try {
    answer = await call();
  } catch (error) {
    if (isProof(error)) await quietly(() => noteRefused(kind, row, error));
    throw error;
  }
  if (proves && isRefusal(row['check_error'] as string | null)) await quietly(() => noteWorks(kind, row));
  return answer;
}

/** Returns a client whose functions, all asynchronous, are `watched`; `proves` says by name of which the answer proves a login. */
export function watching<T extends object>(
  client: T,
  kind: Kind,
  row: AccountRow,
  proves: (name: string) => boolean = () => true,
): T {
  let known = row;
  const members = Object.entries(client).map(([name, member]: [string, unknown]) => {
    if (typeof member !== 'function') return [name, member];
    const asked = async (...args: unknown[]): Promise<unknown> => {
      const answer = await watched(
        kind,
        known,
        async () => (await member.apply(client, args)) as unknown,
        proves(name),
      );
      if (proves(name)) known = { ...known, check_error: null };
      return answer;
    };
    return [name, asked];
  });
  return Object.fromEntries(members) as T;
}

/** Returns the ids of the CDN accounts whose key is refused: nothing can be changed in their zones. */
export async function refusedCdnAccounts(): Promise<number[]> {
  return (await listFailedCdn()).filter(({ check_error }) => isRefusal(check_error)).map(({ id }) => id);
}
