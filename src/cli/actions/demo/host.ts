import { existsSync } from 'node:fs';
import { closeDatabase, openDatabase } from '../../../../db/index.ts';
import { demoDatabase } from '../../../demo/index.ts';
import { actorOf } from '../../../services/access/users.ts';
import { AppError } from '../../../shared/errors.ts';
import { requireAdmin, type Context } from '../../context.ts';

/** Allows the host itself, or an administrator of the demo named by `--as`. The data beside the demo is not asked, nor made. */
export async function requireDemoHost(context: Context): Promise<void> {
  const { as } = context.options;
  if (as === undefined) return;
  const file = demoDatabase(context.config());
  if (!existsSync(file)) throw new AppError('not_found', 'user.unknown', { login: as });
  try {
    await openDatabase(file);
    requireAdmin(await actorOf(as));
  } finally {
    await closeDatabase();
  }
}
