import { newerMigrations } from '../../../db/migrate.ts';
import type { Logger } from '../../lib/log.ts';

const EVERY_MS = 30_000;

let known: readonly string[] = [];

/** Returns the migrations of a newer version that this process has seen in its database at its last look; none before the first one. */
export const knownNewer = (): readonly string[] => known;

async function look(log: Logger): Promise<void> {
  // A database that does not answer is told by those who need it.
  const found = await newerMigrations().catch(() => known);
  if (found.length > 0 && found.join() !== known.join()) {
    log.warn({ migrations: found }, 'a newer version has changed the database: update this process and start it again');
  }
  known = found;
}

/**
 * Looks now and then whether a newer version has changed the database under this process, which works on, because migrations only
 * add; the log says so once, `knownNewer` from then on. `stop` before the database is closed.
 */
export function watchForNewer(log: Logger, everyMs = EVERY_MS): { stop: () => Promise<void> } {
  let looking = Promise.resolve();
  const timer = setInterval(() => {
    looking = looking.then(() => look(log));
  }, everyMs);
  timer.unref();
  return {
    stop: async () => {
      clearInterval(timer);
      await looking;
      known = [];
    },
  };
}
