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

async function checkRegistrar({ registrars_id, template }: AutoBuyView): Promise<void> {
  if (registrars_id === null) return;
  const type = await findRegistrarType(registrars_id);
  if (type === undefined) throw unknownReference('registrars_id');
  const reason = unsuited(type, template);
  if (!reason) return;
  throw new AppError('refused', reason.key, reason.params, { fields: { registrars_id: reason.key } });
}

const noTemplate = (): AppError =>
  new AppError('invalid', 'error.invalid', { fields: 'template' }, { fields: { template: 'template.empty' } });

/**
 * Stores what is given of the settings of a project; the rest stays as it is stored, and of new settings it is the default. Throws AppError
 * `refused` for a project, a registrar or a group that there is not, for another user's project, and for a registrar that can't buy the
 * template's names; `invalid` for new settings without a template.
 */
export async function storeAutoBuy(actor: Actor, input: AutoBuyInput): Promise<AutoBuyView> {
  return transaction(async () => {
    const { id, name } = await refersToProject(actor, input.project_id);
    const { template, registrars_id, cloudflare_groups_id, state, wanted_reserves } = input;
    const before = await readAutoBuy(actor, id);
    if (template === undefined && !(await findAutoBuy(id))) throw noTemplate();
    const after = {
      project_id: id,
      template: template ?? before.template,
      registrars_id: registrars_id === undefined ? before.registrars_id : registrars_id,
      cloudflare_groups_id: cloudflare_groups_id === undefined ? before.cloudflare_groups_id : cloudflare_groups_id,
      state: state ?? before.state,
      wanted_reserves: wanted_reserves ?? before.wanted_reserves,
    };
    // Stored values were checked when they were saved: an unfit registrar must not prevent switching the buying off.
    if (template !== undefined || registrars_id !== undefined) await checkRegistrar(after);
    if (cloudflare_groups_id != null && !(await hasGroup(cloudflare_groups_id))) {
      throw unknownReference('cloudflare_groups_id');
    }
    await saveAutoBuy({ ...after, updated_at: new Date().toISOString() });
    note({ action: 'update', object: 'auto_buy', id, name, before, after });
    return after;
  });
}
