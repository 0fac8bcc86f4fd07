import { databaseFileExists, select } from '../../db/index.ts';
import { AppError } from '../shared/errors.ts';

/** Throws `unavailable` while the database does not answer or its file is gone. */
export async function pingDatabase(): Promise<void> {
  try {
    await select('SELECT 1 FROM users LIMIT 1');
  } catch (cause) {
    throw new AppError('unavailable', 'error.database', {}, { cause });
  }
  if (!databaseFileExists()) throw new AppError('unavailable', 'error.database');
}
