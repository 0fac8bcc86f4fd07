// The contents of the outbox, for the tests of those who write into it.
import { select } from '../../../db/index.ts';
import { groupPending } from '../../../src/services/notices/notices.ts';

/** The events of these kinds, or all, the oldest first, as `kind name`. */
export async function recorded(...kinds: string[]): Promise<string[]> {
  const rows = await select<{ kind: string; name: string }>('SELECT kind, name FROM events ORDER BY id');
  return rows
    .filter(({ kind }) => kinds.length === 0 || kinds.includes(kind))
    .map(({ kind, name }) => `${kind} ${name}`);
}

/** Makes notices of the events, and returns them: level, kind, and number of subjects. */
export async function noticed(): Promise<string[]> {
  await groupPending(new Date(Date.now() + 60_000));
  const rows = await select<{ level: string; kind: string; subjects: number }>(
    'SELECT level, kind, subjects FROM notices ORDER BY id',
  );
  return rows.map(({ level, kind, subjects }) => `${level} ${kind} ${subjects}`);
}
