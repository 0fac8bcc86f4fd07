import { transaction } from '../../../../db/index.ts';
import { findInstalled, setInstalled } from '../../access/rows.ts';
import type { Message } from '../../../shared/i18n/index.ts';

/** The last time that something of the backups was tried, and the last time that it went well; `file` is that of the good one. */
export interface Trial {
  at: string;
  failed: Message | null;
  good_at: string | null;
  file: string | null;
}

/** The name of a trial: the drill of the last backup, the copying to a target, or the drill of the copy there. */
export type Tried = 'drill' | `copy ${string}` | `drill ${string}`;

const nameOf = (tried: Tried): string => `backup_${tried}`;

/** Returns the last trial; null: there was none. */
export async function readTrial(tried: Tried): Promise<Trial | null> {
  const text = await findInstalled(nameOf(tried));
  return text === null ? null : (JSON.parse(text) as Trial);
}

/** Notes that something went well, with the name of the backup. */
export async function noteGood(tried: Tried, file: string): Promise<void> {
  const at = new Date().toISOString();
  const trial: Trial = { at, failed: null, good_at: at, file };
  await transaction(() => setInstalled(nameOf(tried), JSON.stringify(trial)));
}

/** Notes that something failed; what went well before stays known. */
export async function noteFailed(tried: Tried, failed: Message): Promise<void> {
  await transaction(async () => {
    const before = await readTrial(tried);
    const trial: Trial = {
      at: new Date().toISOString(),
      failed,
      good_at: before?.good_at ?? null,
      file: before?.file ?? null,
    };
    await setInstalled(nameOf(tried), JSON.stringify(trial));
  });
}
