import { select } from '../../../db/index.ts';
import { bindings, VISIBLE, type Actor } from '../access/scope.ts';
import { IN_MOSCOW } from './filters.ts';

/** The number of an actor's registrations that end in an hour (`2027-02-13T21`); `hour` null: nobody knows when. */
export interface EndingRow {
  hour: string | null;
  in_moscow: 0 | 1;
  count: number;
}

/** Counts an actor's domains by the hour in which their registration ends, and by whether their registry's day is Moscow's. */
export const countEndings = (actor: Actor): Promise<EndingRow[]> =>
  select(
    `SELECT substr(d.expired_at, 1, 13) AS hour, CASE WHEN ${IN_MOSCOW} THEN 1 ELSE 0 END AS in_moscow, COUNT(*) AS count
     FROM domains d LEFT JOIN projects p ON p.id = d.project_id
     WHERE ${VISIBLE.domains(actor)} GROUP BY 1, 2 ORDER BY 1, 2`,
    bindings(actor),
  );
