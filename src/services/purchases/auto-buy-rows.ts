import { execute, select } from '../../../db/index.ts';
import type { AutoBuyRow } from '../../shared/purchases/tables.ts';

/** Returns the settings of a project; undefined: it never saved any. */
export async function findAutoBuy(project_id: number): Promise<AutoBuyRow | undefined> {
  const [row] = await select<AutoBuyRow>('SELECT * FROM auto_buy WHERE project_id = $project_id', { project_id });
  return row;
}

/** Stores the settings of a project. */
export async function saveAutoBuy(row: AutoBuyRow): Promise<void> {
  await execute(
    `INSERT INTO auto_buy (project_id, template, registrars_id, cloudflare_groups_id, state, wanted_reserves, updated_at)
     VALUES ($project_id, $template, $registrars_id, $cloudflare_groups_id, $state, $wanted_reserves, $updated_at)
     ON CONFLICT (project_id) DO UPDATE SET template = excluded.template, registrars_id = excluded.registrars_id,
       cloudflare_groups_id = excluded.cloudflare_groups_id, state = excluded.state,
       wanted_reserves = excluded.wanted_reserves, updated_at = excluded.updated_at`,
    { ...row },
  );
}

/** Returns the type of a registrar; undefined: there is none. */
export async function findRegistrarType(id: number): Promise<string | undefined> {
  const [row] = await select<{ type: string }>('SELECT type FROM registrars WHERE id = $id', { id });
  return row?.type;
}

/** Whether a group of CDN accounts exists. */
export async function hasGroup(id: number): Promise<boolean> {
  return (await select('SELECT 1 FROM cloudflare_groups WHERE id = $id', { id })).length > 0;
}
