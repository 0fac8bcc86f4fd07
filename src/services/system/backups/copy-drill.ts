// A copy is proved where it counts: what lies at the place is fetched back and restored, not the file that it was made of.
import { join } from 'node:path';
import { config } from '../../../lib/config.ts';
import { withDraft } from '../../../lib/disk.ts';
import { messageFor } from '../../../operations/failure.ts';
import { AppError } from '../../../shared/errors.ts';
import { failedAt, listCopies } from './copies.ts';
import { drill, drillFolder, type DrillView } from './drill.ts';
import { requireRoom } from './room.ts';
import { noteFailed, noteGood, readTrial } from './state.ts';
import { targets, type Target, type TargetKind } from './targets.ts';

/** The newest copy at a place, restored beside as a backup is; `file` is its name there. */
export interface CopyProof extends DrillView {
  place: TargetKind;
}

/** Fetches the newest copy of a place into `draft`. Null: none was ever sent there. Throws AppError `not_found` where those that were are gone. */
async function fetchNewest(target: Target, draft: string, folder: string): Promise<string | null> {
  const opened = await target.open();
  try {
    const newest = (await listCopies(opened)).at(-1);
    if (!newest) {
      if ((await readTrial(`copy ${target.kind}`))?.good_at == null) return null;
      throw new AppError('not_found', 'backup.copy_gone', { target: target.kind }, { code: 'copy_gone' });
    }
    // Room for the fetched copy, and for the backup that is opened from it.
    await requireRoom(folder, 2 * newest.bytes);
    await opened.get(newest.name, draft);
    return newest.name;
  } finally {
    await opened.close();
  }
}

async function prove(target: Target, passphrase: string | undefined): Promise<CopyProof | null> {
  const folder = await drillFolder(join(config().dataDir, 'fetched'));
  return withDraft(join(folder, 'fetched'), async (draft) => {
    let name: string | null = null;
    try {
      name = await fetchNewest(target, draft, folder);
      return name === null ? null : { ...(await drill(draft, passphrase)), file: name, place: target.kind };
    } catch (error) {
      if (!(error instanceof AppError) || error.params['file'] !== draft) throw error;
      // The draft is gone by then: people look for the copy.
      const params = { ...error.params, file: `${target.kind}: ${name}` };
      throw new AppError(error.kind, error.key, params, { code: error.code, cause: error });
    }
  });
}

/**
 * Fetches the newest copy of each place that is configured back, restores it beside, compares it with its manifest, and notes the result.
 * A failed place does not stop the others: `onFailure` gets the error of each, an AppError or, for a bug, any other.
 */
export async function drillCopies(
  passphrase: string | undefined,
  onFailure: (error: unknown) => void,
): Promise<CopyProof[]> {
  const proofs: CopyProof[] = [];
  for (const target of targets()) {
    try {
      const proof = await prove(target, passphrase);
      if (!proof) continue;
      await noteGood(`drill ${target.kind}`, proof.file);
      proofs.push(proof);
    } catch (thrown) {
      const failure = failedAt(target, thrown, 'backup.copy_unproved');
      await noteFailed(`drill ${target.kind}`, messageFor(failure) ?? { key: 'schedule.crashed' });
      onFailure(failure);
    }
  }
  return proofs;
}
