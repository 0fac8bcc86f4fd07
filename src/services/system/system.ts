import { databaseFileExists } from '../../../db/index.ts';
import { config } from '../../lib/config.ts';
import { probeWrite } from '../../lib/disk.ts';
import { AppError } from '../../shared/errors.ts';
import { hasNoUsers } from '../access/users.ts';

// Health requests may come often.
const PROBED_FOR_MS = 5_000;
let probe: { dir: string; at: number; result: Promise<void> } | undefined;

/** Throws AppError `unavailable` while the data directory takes no write; tested every five seconds at most. */
export function checkDisk(): Promise<void> {
  const { dataDir } = config();
  const now = performance.now();
  if (probe?.dir !== dataDir || now - probe.at > PROBED_FOR_MS) {
    const result = probeWrite(dataDir).catch((cause: unknown) => {
      if (cause instanceof AppError) throw cause;
      throw new AppError('unavailable', 'error.database', {}, { cause });
    });
    probe = { dir: dataDir, at: now, result };
  }
  return probe.result;
}

/** Whether there are no users yet. Throws `unavailable` while the database does not answer or its file is gone. */
export async function pingDatabase(): Promise<boolean> {
  try {
    const empty = await hasNoUsers();
    if (databaseFileExists()) return empty;
  } catch (cause) {
    throw new AppError('unavailable', 'error.database', {}, { cause });
  }
  throw new AppError('unavailable', 'error.database');
}
