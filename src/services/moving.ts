import { refuseHeld } from '../operations/queue.ts';
import { AppError } from '../shared/errors.ts';

/** Throws `conflict` where one of the domains is being moved. Inside the transaction of whatever would change them. */
export async function refuseMoving(names: readonly string[]): Promise<void> {
  await refuseHeld(names.map((name) => `domain ${name}`)).catch((error: unknown) => {
    if (!(error instanceof AppError)) throw error;
    throw new AppError('conflict', 'transfer.locked', error.params, { code: 'domain_locked' });
  });
}
