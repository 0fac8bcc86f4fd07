import type { Socket } from 'node:net';
import type { Client } from 'ssh2';
import { ProviderError } from '../provider-error.ts';
import { answerError, connectionError, silence } from './answers.ts';

const ANSWER_MS = 30_000;
// One request may wait behind many others that are being answered, but not for ever.
const LONGEST = 10;
const WATCH_MS = 500;
// Key exchange, a login and a greeting take a few KB.
const MAX_BEFORE_LOGIN = 2 ** 20;
// What ssh2 sends waits for the server's window, which is 2 MB at OpenSSH. More is a server that asks and does not read.
const MAX_UNSENT = 64 * 2 ** 20;

/** How ssh2 gives back what it was asked for. */
export type Done<T> = (error?: Error | null, value?: T) => void;

/** A connection, and what is being waited for on it. */
export interface Session {
  /**
   * Asks one thing. Rejects with a ProviderError, or with the signal's own reason; at once where the session has ended.
   * `subject` is what a failure names.
   */
  ask: <T>(subject: string, send: (done: Done<T>) => void) => Promise<T>;
  /** Sends all that `work` asks for at once, so that no delay and no death of ours comes in between. */
  together: <T>(work: () => T) => T;
  /** From now on the server may send as much as it is asked for. */
  welcome: () => void;
  /** Ends everything that is being waited for with this reason; the first one counts. */
  fail: (reason: unknown) => void;
  close: () => Promise<void>;
}

interface Waiting {
  reject: (reason: unknown) => void;
  since: number;
}

/**
 * Watches over a connection. A server that says nothing for half a minute while something is asked of it, or that floods,
 * is left; whatever ends the connection ends all that waits for it.
 */
export function sessionOf(
  client: Client,
  socket: Socket,
  { signal, answerMs = ANSWER_MS }: { signal?: AbortSignal | undefined; answerMs?: number | undefined },
): Session {
  const waiting = new Set<Waiting>();
  let heard = 0;
  let isWelcome = false;
  let over: { reason: unknown } | null = null;

  const fail = (reason: unknown): void => {
    if (over) return;
    over = { reason };
    clearInterval(watch);
    signal?.removeEventListener('abort', abort);
    for (const { reject } of waiting) reject(reason);
    waiting.clear();
    socket.destroy();
  };
  const abort = (): void => fail(signal?.reason);
  const look = (): void => {
    const [oldest] = waiting;
    const now = performance.now();
    const silent = oldest ? now - Math.max(oldest.since, heard) : 0;
    const slow = oldest ? now - oldest.since : 0;
    if (silent > answerMs || slow > answerMs * LONGEST) fail(silence());
    if (socket.writableLength > MAX_UNSENT) fail(flood());
  };
  const watch = setInterval(look, WATCH_MS);
  watch.unref();

  signal?.addEventListener('abort', abort);
  socket.on('data', () => {
    if (!isWelcome && socket.bytesRead > MAX_BEFORE_LOGIN) fail(flood());
  });
  client.on('error', (error: Error) => fail(connectionError(error, isWelcome)));
  client.on('close', () => fail(connectionError(new Error('Connection lost'))));
  if (signal?.aborted) abort();

  return {
    ask: <T>(subject: string, send: (done: Done<T>) => void) =>
      new Promise<T>((resolve, reject) => {
        if (over) {
          reject(over.reason);
          return;
        }
        const one: Waiting = { reject, since: performance.now() };
        waiting.add(one);
        const done: Done<T> = (error, value) => {
          if (!waiting.delete(one)) return;
          heard = performance.now();
          if (error) reject(answerError(subject, error));
          else resolve(value as T);
        };
        try {
          send(done);
        } catch (error) {
          done(error instanceof Error ? error : new Error(String(error)));
        }
      }),
    together: (work) => {
      socket.cork();
      try {
        return work();
      } finally {
        socket.uncork();
      }
    },
    welcome: () => void (isWelcome = true),
    fail,
    close: () =>
      new Promise((resolve) => {
        if (socket.destroyed) {
          resolve();
          return;
        }
        socket.once('close', () => resolve());
        fail(new ProviderError('unavailable', 'the connection was closed'));
      }),
  };
}

const flood = (): ProviderError => new ProviderError('malformed', 'more than was asked for', { code: 'not_ssh' });
