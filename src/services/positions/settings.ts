import { note } from '../../../db/audit.ts';
import { transaction } from '../../../db/index.ts';
import type { Engine } from '../../shared/engines.ts';
import { defaultSettings, type PositionChange } from '../../shared/positions/settings.ts';
import type { PositionSettingsRow } from '../../shared/positions/tables.ts';
import type { Actor } from '../access/scope.ts';
import { findProject } from '../portfolio/projects.ts';
import { findSettings, saveSettings, type QueryKind } from './query-rows.ts';

/** Returns the settings of a project; the defaults where it never saved any. */
export const settingsOf = async (projectId: number): Promise<PositionSettingsRow> =>
  (await findSettings(projectId)) ?? defaultSettings(projectId);

/** Returns what is asked of an engine by settings. */
export const kindIn = (
  { yandex_region, google_region, device }: Pick<PositionSettingsRow, 'yandex_region' | 'google_region' | 'device'>,
  engine: Engine,
): QueryKind => ({ engine, region: engine === 'yandex' ? yandex_region : google_region, device });

/** Returns how the positions of a project of the caller's are read. Throws AppError `not_found`. */
export async function readSettings(actor: Actor, projectId: number): Promise<PositionSettingsRow> {
  return settingsOf((await findProject(actor, projectId)).id);
}

/** Stores how the positions of a project are read; what is absent stays. Throws AppError `not_found`. */
export async function storeSettings(
  actor: Actor,
  projectId: number,
  change: PositionChange,
): Promise<PositionSettingsRow> {
  return transaction(async () => {
    const { id, name } = await findProject(actor, projectId);
    const before = await settingsOf(id);
    const given = Object.entries(change).filter(([, value]) => value !== undefined);
    const after: PositionSettingsRow = { ...before, ...Object.fromEntries(given), project_id: id };
    await saveSettings(after);
    note({ action: 'update', object: 'position_settings', id, name, before, after });
    return after;
  });
}
