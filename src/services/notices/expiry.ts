import { recordEvents } from '../../../db/events.ts';
import { transaction } from '../../../db/index.ts';
import type { EventKind } from '../../shared/notices/events.ts';
import { DAY_MS } from '../../shared/time.ts';
import { listUntoldEnds } from './expiry-rows.ts';

// So many days before its end a name is told of, and once when it has ended; who comes late is told the next of them.
const DAYS = [1, 7, 14, 30] as const;
// An older end is not told.
const ENDED_FOR_DAYS = 30;

/** Records the names that end soon, and those that have ended, each number of days once. */
export async function recordEnds(now: Date = new Date()): Promise<void> {
  const after = (days: number): string => new Date(now.getTime() + days * DAY_MS).toISOString();
  const spans = DAYS.map((days, at) => ({
    kind: 'name_ends' as EventKind,
    params: { days },
    after: after(at === 0 ? 0 : (DAYS[at - 1] ?? 0)),
    until: after(days),
  }));
  const ended = { kind: 'name_ended' as EventKind, params: {}, after: after(-ENDED_FOR_DAYS), until: after(0) };
  for (const { kind, params, ...span } of [ended, ...spans]) {
    await transaction(async () => {
      const domains = await listUntoldEnds({ ...span, kind, params: JSON.stringify(params) });
      await recordEvents(
        domains.map(({ id, domain_name, project_id }) => ({
          kind,
          params,
          name: domain_name,
          domain_id: id,
          project_id,
        })),
      );
    });
  }
}
