import { existsSync } from 'node:fs';
import { closeDatabase, openDatabase } from '../../../db/index.ts';
import { demoDatabase, resetDemo } from '../../demo/index.ts';
import { actorOf } from '../../services/access/users.ts';
import { AppError } from '../../shared/errors.ts';
import { requireAdmin, type Context } from '../context.ts';
import type { Result } from '../output.ts';

/** Allows the host itself, or an administrator of the demo named by `--as`. The data beside the demo is not asked, nor made. */
async function requireDemoHost(context: Context): Promise<void> {
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

/** `demo reset`. */
export async function reset(context: Context): Promise<Result> {
  await requireDemoHost(context);
  await resetDemo(context.config());
  return { data: { reset: true }, text: context.say('demo.reset_done') };
}
