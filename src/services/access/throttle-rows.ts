import { execute, select } from '../../../db/index.ts';
import type { SignInTriesRow } from '../../shared/access/tables.ts';

const NOW = `strftime('%Y-%m-%dT%H:%M:%fZ', 'now')`;

/** The keys of a try: of its login, its network, and both together. */
export interface TryKeys {
  login: string;
  network: string;
  wait: string;
}

/** Returns the stored books of a try, null where there is none, with the time of the database's clock in `now`. */
export async function findTries(keys: TryKeys): Promise<Record<keyof TryKeys, string | null> & { now: string }> {
  const book = (key: keyof TryKeys): string => `(SELECT book FROM sign_in_tries WHERE key = $${key}) AS ${key}`;
  const [row] = await select<Record<keyof TryKeys, string | null> & { now: string }>(
    `SELECT ${NOW} AS now, ${book('login')}, ${book('network')}, ${book('wait')}`,
    { ...keys },
  );
  return row!;
}

/** Returns the stored book of one key, null where there is none, with the time of the database's clock in `now`. */
export async function findBook(key: string): Promise<{ book: string | null; now: string }> {
  const [row] = await select<{ book: string | null; now: string }>(
    `SELECT ${NOW} AS now, (SELECT book FROM sign_in_tries WHERE key = $key) AS book`,
    { key },
  );
  return row!;
}

/** Stores books; with `isNewer` false, only where there is none that still counts at `now`. */
export async function upsertTries(rows: readonly SignInTriesRow[], isNewer: boolean, now: string): Promise<void> {
  await execute(
    `INSERT INTO sign_in_tries (key, book, expires_at)
     SELECT value ->> 'key', value ->> 'book', value ->> 'expires_at' FROM json_each($rows) WHERE true
     ON CONFLICT (key) DO UPDATE SET book = excluded.book, expires_at = excluded.expires_at
     WHERE $newer = 1 OR sign_in_tries.expires_at <= $now`,
    { rows: JSON.stringify(rows), newer: isNewer ? 1 : 0, now },
  );
}

/** Deletes the book of one key. */
export async function deleteBook(key: string): Promise<void> {
  await execute('DELETE FROM sign_in_tries WHERE key = $key', { key });
}

/** Deletes what no longer counts at a time. */
export async function deleteTries(now: string): Promise<void> {
  await execute('DELETE FROM sign_in_tries WHERE expires_at <= $now', { now });
}
