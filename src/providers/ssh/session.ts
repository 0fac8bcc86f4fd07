import type { Socket } from 'node:net';
import type { Client } from 'ssh2';
import { ProviderError } from '../provider-error.ts';
import { answerError, connectionError, silence } from './answers.ts';

const ANSWER_MS = 30_000;
// A request may wait behind many others that are being answered, for at most this multiple of the timeout.
const LONGEST = 10;
const WATCH_MS = 500;
// Key exchange, a login and a greeting take a few KB.
const MAX_BEFORE_LOGIN = 2 ** 20;
// Data of ssh2 waits for the server's window (2 MB with OpenSSH). If more is unsent, the server sends requests but does not read.
const MAX_UNSENT = 64 * 2 ** 20;

/** Callback of ssh2 with the result of a request. */
export type Done<T> = (error?: Error | null, value?: T) => void;

/** A connection with its pending requests. */
export interface Session {
  /**
   * Sends one request. Rejects with a ProviderError, or with the signal's own reason; at once if the session has ended.
   * `subject` is named in errors.
   */
  ask: <T>(subject: string, send: (done: Done<T>) => void) => Promise<T>;
  /** Lifts the limit of received bytes before the login. */
  welcome: () => void;
  /** Ends the session: rejects all pending requests with the reason. Only the first call counts. */
  fail: (reason: unknown) => void;
  close: () => Promise<void>;
}

interface Waiting {
  reject: (reason: unknown) => void;
  since: number;
}

/** The requests that wait for their answers. */
class Requests {
  private readonly waiting = new Set<Waiting>();
  private heard = 0;

  /** Sends a request. Rejects with the ProviderError of its answer, or with the reason of `rejectAll`. */
  send<T>(subject: string, send: (done: Done<T>) => void): Promise<T> {
    return new Promise((resolve, reject) => {
      const one: Waiting = { reject, since: performance.now() };
      this.waiting.add(one);
      const done: Done<T> = (error, value) => {
        if (!this.waiting.delete(one)) return;
        this.heard = performance.now();
        if (error) reject(answerError(subject, error));
        else resolve(value as T);
      };
      try {
        send(done);
      } catch (error) {
        done(error instanceof Error ? error : new Error(String(error)));
      }
    });
  }

  /** Whether a request waits, and the server has answered none for so long, or this one for much longer. */
  isStuck(answerMs: number): boolean {
    const [oldest] = this.waiting;
    if (!oldest) return false;
    const now = performance.now();
    return now - Math.max(oldest.since, this.heard) > answerMs || now - oldest.since > answerMs * LONGEST;
  }

  rejectAll(reason: unknown): void {
    for (const { reject } of this.waiting) reject(reason);
    this.waiting.clear();
  }
}

/**
 * Makes the session of a connection. It fails if the server is silent for `answerMs` while a request waits, or floods; the end
 * of the connection rejects all pending requests.
 */
export function sessionOf(
  client: Client,
  socket: Socket,
  { signal, answerMs = ANSWER_MS }: { signal?: AbortSignal | undefined; answerMs?: number | undefined },
): Session {
  const requests = new Requests();
  let isWelcome = false;
  let over: { reason: unknown } | null = null;

  const fail = (reason: unknown): void => {
    if (over) return;
    over = { reason };
    clearInterval(watch);
    signal?.removeEventListener('abort', abort);
    requests.rejectAll(reason);
    socket.destroy();
  };
  const abort = (): void => fail(signal?.reason);
  const watch = setInterval(() => {
    if (requests.isStuck(answerMs)) fail(silence());
    if (socket.writableLength > MAX_UNSENT) fail(flood());
  }, WATCH_MS);
  watch.unref();

  signal?.addEventListener('abort', abort);
  socket.on('data', () => {
    if (!isWelcome && socket.bytesRead > MAX_BEFORE_LOGIN) fail(flood());
  });
  client.on('error', (error: Error) => fail(connectionError(error, isWelcome)));
  client.on('close', () => fail(connectionError(new Error('Connection lost'))));
  if (signal?.aborted) abort();

  return {
    ask: (subject, send) => (over ? Promise.reject(over.reason) : requests.send(subject, send)),
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
