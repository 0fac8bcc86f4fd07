import { useEffect, useRef, useState } from 'react';
import { call, pauseAfter, type AnswerOf } from '../kit/call.ts';

/** The server's health answer, public: no session is needed. */
export type Health = AnswerOf<'GET /api/health'>;

const FRESH_MS = 15_000;

const wait = (pause: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, pause));

async function read(): Promise<Health | undefined> {
  for (let count = 0; ; count += 1) {
    try {
      return await call('GET /api/health');
    } catch (error) {
      const pause = pauseAfter(count, error);
      if (pause === undefined) return undefined;
      await wait(pause);
    }
  }
}

/**
 * Returns the server's health answer; undefined until it has answered. It is requested again when the page is shown after more than
 * 15 seconds: a person who has made the first user in a terminal comes back to a sign-in that no longer asks for it.
 */
export function useHealth(): Health | undefined {
  const [health, setHealth] = useState<Health>();
  const askedAt = useRef(-Infinity);
  useEffect(() => {
    const ask = async (): Promise<void> => {
      if (document.hidden || performance.now() - askedAt.current < FRESH_MS) return;
      askedAt.current = performance.now();
      const answer = await read();
      if (answer) setHealth(answer);
    };
    const onSeen = (): void => void ask();
    askedAt.current = -Infinity;
    onSeen();
    document.addEventListener('visibilitychange', onSeen);
    window.addEventListener('online', onSeen);
    return () => {
      document.removeEventListener('visibilitychange', onSeen);
      window.removeEventListener('online', onSeen);
    };
  }, []);
  return health;
}
