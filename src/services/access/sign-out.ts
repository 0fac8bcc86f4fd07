import { acting, currentActing, type Acting } from '../../../db/acting.ts';
import { note } from '../../../db/audit.ts';
import { beforeClose, transaction } from '../../../db/index.ts';
import { isStorageTrouble } from '../../lib/database-trouble.ts';
import { AppError } from '../../shared/errors.ts';
import { withoutWaiting } from './calls.ts';
import { deleteSession } from './rows.ts';

const AGAIN_MS = 5_000;
const LAST_TRY_MS = 1_000;
const MOST_KEPT = 10_000;

// The sessions that were ended while nothing could be written, with who has ended each. The number of a session is never given again.
const ended = new Map<number, Acting>();
let timer: NodeJS.Timeout | undefined;

/** Whether a session was ended, though its row says that it goes on, as the disk was full. */
export const isEnded = (session: number): boolean => ended.has(session);

/** Throws AppError `bad_token` for a session that `isEnded`. */
export function refuseEnded(session: number): void {
  if (isEnded(session)) throw new AppError('bad_token', 'error.bad_token');
}

const endRow = (session: number): Promise<void> =>
  transaction(async () => {
    const { user } = currentActing();
    note({ action: 'sign_out', object: 'users', id: user.id, name: user.login });
    await deleteSession(session);
  });

/** Ends what was kept, until something can't be written. */
async function endKept(): Promise<void> {
  for (const [session, { user, door }] of ended) {
    await acting(user, door, () => endRow(session));
    ended.delete(session);
  }
}

function endLater(): void {
  timer ??= setTimeout(() => {
    void endKept()
      .catch(() => undefined)
      .finally(() => {
        timer = undefined;
        if (ended.size > 0) endLater();
      });
  }, AGAIN_MS).unref();
}

beforeClose(async () => {
  await withoutWaiting(LAST_TRY_MS, endKept).finally(() => ended.clear());
});

/**
 * Ends a session: its token is refused from the next request on. Where the disk is full or the database locked, this process refuses it, and
 * its row is deleted as soon as that can be written. Throws what the database throws where too many wait for that.
 */
export async function signOut(session: number): Promise<void> {
  try {
    await endRow(session);
  } catch (error) {
    if (!isStorageTrouble(error) || ended.size >= MOST_KEPT) throw error;
    ended.set(session, currentActing());
    endLater();
  }
}
