import type { Logger } from '../../lib/log.ts';
import { AppError } from '../../shared/errors.ts';
import { Audience, type Listener } from './audience.ts';
import { watchDatabase } from './watch.ts';

const LOOK_EVERY_MS = 1000;

/** Sends listeners the changes that any process makes, which it reads from the database. */
export interface EventStream {
  /**
   * Sends the operations that are under way or have changed since `since` (ISO 8601), then every change until the
   * returned function is called. Throws AppError `too_many` where the user listens six times already, `unavailable`
   * once the stream is closed.
   */
  listen: (listener: Listener, since?: string) => () => void;
  /** Ends every listener and stops polling. */
  close: () => Promise<void>;
}

/**
 * Starts the stream. It polls the database once a second for all listeners together, only while there are any, and at once
 * for a new one.
 */
export function startEventStream(log: Logger): EventStream {
  const audience = new Audience();
  let closed = false;
  let timer: NodeJS.Timeout | undefined;
  let looking: Promise<void> | undefined;
  let watch: ReturnType<typeof watchDatabase> | undefined;

  const look = async (): Promise<void> => {
    const now = new Date().toISOString();
    if (!watch) {
      const begun = watchDatabase();
      await begun(async () => undefined);
      watch = begun;
    }
    await watch((changes) => audience.deliver(changes, now));
    await audience.greet(now);
  };

  const lookOn = (): void => {
    looking = look()
      .catch((error: unknown) => log.error({ err: error }, 'events'))
      .finally(() => {
        looking = undefined;
        timer = undefined;
        if (closed) return;
        if (!audience.isEmpty) timer = setTimeout(lookOn, LOOK_EVERY_MS);
        else watch = undefined;
      });
  };

  return {
    listen: (listener, since) => {
      if (closed) throw new AppError('unavailable', 'error.database');
      audience.add(listener, since);
      if (!looking) {
        clearTimeout(timer);
        lookOn();
      }
      return () => void audience.remove(listener);
    },
    close: async () => {
      closed = true;
      clearTimeout(timer);
      audience.endAll();
      await looking;
    },
  };
}
