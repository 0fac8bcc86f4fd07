import { select } from '../../../db/index.ts';
import type { DomainRow } from '../../shared/portfolio/tables.ts';
import { bindings, VISIBLE, type Actor } from '../access/scope.ts';

/** A domain that may be renewed. `holder` is the user to whom it is charged; `suspect_date` waits for a decision. */
export type Renewable = Pick<DomainRow, 'id' | 'domain_name' | 'project_id' | 'registrars_id'> & {
  holder: number;
  registrar: string | null;
  registrar_type: string | null;
  /** The most that is paid to the registrar for one name. */
  highest_price: string | null;
  suspect_date: string | null;
};

/** Returns those of the domains that the actor may see, by name. */
export const listRenewable = (actor: Actor, ids: readonly number[]): Promise<Renewable[]> =>
  select(
    `SELECT d.id, d.domain_name, d.project_id, d.registrars_id, COALESCE(p.user_id, d.user_id) AS holder,
       r.name AS registrar, r.type AS registrar_type, r.highest_price, g.suspect_date
     FROM domains d LEFT JOIN projects p ON p.id = d.project_id LEFT JOIN registrars r ON r.id = d.registrars_id
       LEFT JOIN domain_registrations g ON g.domain_id = d.id
     WHERE d.id IN (SELECT CAST(value AS INTEGER) FROM json_each($ids)) AND ${VISIBLE.domains(actor)}
     ORDER BY d.domain_name`,
    { ids: JSON.stringify(ids), ...bindings(actor) },
  );
