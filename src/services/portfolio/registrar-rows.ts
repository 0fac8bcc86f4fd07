import { select } from '../../../db/index.ts';
import { bindings, VISIBLE, type Actor } from '../access/scope.ts';

/** Returns every registrar with its name. */
export const listRegistrarNames = (): Promise<{ id: number; name: string }[]> =>
  select('SELECT id, name FROM registrars ORDER BY id');

const hostsOf = (rows: readonly { domain_name: string }[]): string[] => rows.map(({ domain_name }) => domain_name);

/** Returns those of the names that the actor's portfolio has, each with its date in doubt. */
export const listHostsNamed = (
  actor: Actor,
  names: readonly string[],
): Promise<{ domain_name: string; suspect_date: string | null }[]> =>
  select(
    `SELECT d.domain_name, g.suspect_date FROM json_each($names) n CROSS JOIN domains d ON d.domain_name = n.value
     LEFT JOIN projects p ON p.id = d.project_id LEFT JOIN domain_registrations g ON g.domain_id = d.id
     WHERE ${VISIBLE.domains(actor)}`,
    { ...bindings(actor), names: JSON.stringify(names) },
  );

/** Returns the names of the actor's domains at a registrar, by name. */
export const listHostsOfRegistrar = async (actor: Actor, registrarId: number): Promise<string[]> =>
  hostsOf(
    await select(
      `SELECT d.domain_name FROM domains d LEFT JOIN projects p ON p.id = d.project_id
       WHERE d.registrars_id = $registrarId AND ${VISIBLE.domains(actor)} ORDER BY d.domain_name`,
      { ...bindings(actor), registrarId },
    ),
  );
