import { note } from '../../../db/audit.ts';
import { transaction } from '../../../db/index.ts';
import { AppError, unknownReference } from '../../shared/errors.ts';
import { defaultAutoBuy, unsuited, type AutoBuyInput, type AutoBuyView } from '../../shared/purchases/auto-buy.ts';
import type { Actor } from '../access/scope.ts';
import { findProject, refersToProject } from '../portfolio/projects.ts';
import { findAutoBuy, findRegistrarType, hasGroup, saveAutoBuy } from './auto-buy-rows.ts';

/** Returns the settings of a project of the caller's; those of a new one where it never saved any. Throws AppError `not_found`. */
export async function readAutoBuy(actor: Actor, projectId: number): Promise<AutoBuyView> {
  const { id } = await findProject(actor, projectId);
  const row = await findAutoBuy(id);
  if (!row) return defaultAutoBuy(id);
  const { project_id, template, registrars_id, cloudflare_groups_id, state, wanted_reserves } = row;
  return { project_id, template, registrars_id, cloudflare_groups_id, state, wanted_reserves };
}

async function checkRegistrar({ registrars_id, template }: AutoBuyInput): Promise<void> {
  if (registrars_id === null) return;
  const type = await findRegistrarType(registrars_id);
  if (type === undefined) throw unknownReference('registrars_id');
  const reason = unsuited(type, template);
  if (!reason) return;
  throw new AppError('refused', reason.key, reason.params, { fields: { registrars_id: reason.key } });
}

/**
 * Stores the settings of a project. Throws AppError `refused` for a project, a registrar or a group that there is not, for
 * another user's project, and for a registrar that can't buy the template's names.
 */
export async function storeAutoBuy(actor: Actor, input: AutoBuyInput): Promise<AutoBuyView> {
  return transaction(async () => {
    const { id, name } = await refersToProject(actor, input.project_id);
    await checkRegistrar(input);
    const { cloudflare_groups_id } = input;
    if (cloudflare_groups_id !== null && !(await hasGroup(cloudflare_groups_id))) {
      throw unknownReference('cloudflare_groups_id');
    }
    const before = await readAutoBuy(actor, id);
    const after = { ...input, wanted_reserves: input.wanted_reserves ?? before.wanted_reserves };
    await saveAutoBuy({ ...after, updated_at: new Date().toISOString() });
    note({ action: 'update', object: 'auto_buy', id, name, before, after });
    return after;
  });
}
