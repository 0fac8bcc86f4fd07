import { databaseFileExists } from '../../db/index.ts';
import { AppError } from '../shared/errors.ts';
import { hasNoUsers } from './users.ts';

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
