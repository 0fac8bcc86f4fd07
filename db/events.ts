import { EVENT_LEVELS, type NewEvent } from '../src/shared/notices/events.ts';
import { execute } from './index.ts';
import { eachParsed } from './sql.ts';

// Areas below the notices know this file alone.
export type { NewEvent };

/**
 * Writes events into the outbox, in the transaction of what happened: what is rolled back has told nobody. One statement, however many
 * there are. Throws outside `transaction`.
 */
export async function recordEvents(events: readonly NewEvent[]): Promise<void> {
  if (events.length === 0) return;
  const rows = events.map(({ kind, level, domain_id, project_id, user_id, name, cause, params }) => [
    kind,
    level ?? EVENT_LEVELS[kind],
    domain_id ?? null,
    project_id ?? null,
    user_id ?? null,
    name,
    cause ?? '',
    JSON.stringify(params ?? {}),
  ]);
  await execute(
    `INSERT INTO events (kind, level, domain_id, project_id, user_id, name, cause, params, at)
     SELECT value ->> 0, value ->> 1, CAST(value ->> 2 AS INTEGER), CAST(value ->> 3 AS INTEGER), CAST(value ->> 4 AS INTEGER),
       value ->> 5, value ->> 6, value ->> 7, $now FROM ${eachParsed('$rows')}`,
    { rows: JSON.stringify(rows), now: new Date().toISOString() },
  );
}
