// What the tests of indexation share: what is known of each domain, and doubts that are older.
import { execute, select, transaction } from '../../../db/index.ts';

/** Returns what is known of each domain. */
export const shown = () =>
  select<{ name: string; yandex: number | null; google: number | null }>(
    'SELECT domain_name AS name, yandex_indexation AS yandex, google_indexation AS google FROM domains ORDER BY id',
  );

/** Puts the doubts of spans back by hours. */
export const age = (hours: number): Promise<number> =>
  transaction(() =>
    execute('UPDATE indexation_spans SET doubted_at = $at WHERE doubted_at IS NOT NULL', {
      at: new Date(Date.now() - hours * 3_600_000).toISOString(),
    }),
  );
