import { transaction } from '../../../db/index.ts';
import { noteLimit } from '../../lib/waits.ts';
import { messageFor } from '../../operations/failure.ts';
import { rest } from '../../operations/item-queue.ts';
import { ProviderError } from '../../providers/provider-error.ts';
import { findRegistry, type Registry, type RegistryAnswer, type RegistryOptions } from '../../providers/registry.ts';
import type { Message } from '../../shared/i18n/index.ts';
import { deletePause, findPause, upsertPause } from './expiry-rows.ts';
import { askOnce } from './expiry-sharing.ts';

// More would only wait in the queue of the server, in front of what others ask there.
const AT_ONCE = 2;
const PAUSE_S = 60;
const LONGEST_PAUSE_S = 6 * 3600;
// The longest wait for a server; the next run looks up the rest.
const LONGEST_WAIT_MS = 120_000;
const MOST_REFUSALS = 3;
// After so many failures in a row the server is at fault, not the names.
const BREAKER = 5;

/** The end of a look-up: what the registry told, or why it told nothing. */
export type ZoneAnswer = { answer: RegistryAnswer } | { error: Message };

/** How the names of a zone are looked up. */
export interface ZoneRun {
  options: RegistryOptions;
  signal: AbortSignal;
  /** Whether a name has still to be asked for, right before it is. */
  isOpen: (name: string) => Promise<boolean>;
  onAnswer: (name: string, answer: ZoneAnswer) => void;
}

interface Server {
  registry: Registry;
  /** The names that are still to be asked for. */
  left: number;
  refusals: number;
  failures: number;
  /** The reason for which it is asked no more. */
  givenUp?: Message;
}

/**
 * Looks the names of one top-level domain up, at the pace of its registry. A server that refuses is left alone for a while, which
 * is remembered over restarts and by other processes; one that does not answer is given up after five names. Returns early
 * once `signal` has fired.
 */
export async function lookUpZone(run: ZoneRun, zone: string, names: readonly string[]): Promise<void> {
  let registry: Registry;
  try {
    registry = await findRegistry(zone, { ...run.options, signal: run.signal });
  } catch (error) {
    if (run.signal.aborted) return;
    const reason = reasonOf(error, zone);
    for (const name of names) run.onAnswer(name, { error: reason });
    return;
  }
  const server: Server = { registry, left: names.length, refusals: 0, failures: 0 };
  const left = names.values();
  const worker = async (): Promise<void> => {
    for (const name of left) {
      if (run.signal.aborted) return;
      const isAsked = server.givenUp !== undefined || (await run.isOpen(name));
      const answer = isAsked ? await askPatiently(run, server, name) : undefined;
      server.left -= 1;
      if (answer) run.onAnswer(name, answer);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, worker));
}

/** Returns the reason of a failure; throws what is a bug. */
function reasonOf(error: unknown, zone: string): Message {
  if (error instanceof ProviderError && error.reason === 'absent')
    return { key: 'expiry.no_registry', params: { zone } };
  const reason = messageFor(error);
  if (!reason) throw error;
  return reason;
}

/** Asks until there is an answer or the server is given up. Undefined once the run's signal has fired. */
async function askPatiently(run: ZoneRun, server: Server, name: string): Promise<ZoneAnswer | undefined> {
  const { registry } = server;
  for (;;) {
    if (server.givenUp) return { error: server.givenUp };
    const isPaused = await waitForPause(run.signal, server);
    if (run.signal.aborted) return undefined;
    if (server.givenUp) continue;
    try {
      const answer = await askOnce(registry, name, { left: server.left, signal: run.signal });
      Object.assign(server, { refusals: 0, failures: 0 });
      if (isPaused) await transaction(() => deletePause(registry.key));
      return { answer };
    } catch (error) {
      if (run.signal.aborted) return undefined;
      const reason = reasonOf(error, name);
      const isRefused = error instanceof ProviderError && error.kind === 'rate_limited';
      if (isRefused) server.refusals += 1;
      else server.failures += 1;
      const isOver = isRefused ? server.refusals >= MOST_REFUSALS : server.failures >= BREAKER;
      if (isRefused || isOver) await pause(registry.key, isRefused ? error.retryAfter : undefined);
      if (isOver) server.givenUp = reason;
      if (!isRefused) return { error: reason };
    }
  }
}

/** Waits while the server is left alone, or gives it up where that takes long. Returns whether it had refused before. */
async function waitForPause(signal: AbortSignal, server: Server): Promise<boolean> {
  const { key } = server.registry;
  const pause = await findPause(key);
  if (!pause) return false;
  const left = Date.parse(pause.until) - Date.now();
  if (left > LONGEST_WAIT_MS) {
    const until = `${pause.until.slice(0, 16).replace('T', ' ')} UTC`;
    server.givenUp = { key: 'expiry.paused', params: { server: key.replace(/^\S+ /, ''), until } };
  } else if (left > 0) {
    const end = noteLimit(left);
    await rest(left, signal);
    end();
  }
  return true;
}

/** Remembers a refusal: each one in a row doubles the pause. */
async function pause(server: string, retryAfter = PAUSE_S): Promise<void> {
  await transaction(async () => {
    const refusals = ((await findPause(server))?.refusals ?? 0) + 1;
    const seconds = Math.min(LONGEST_PAUSE_S, retryAfter * 2 ** Math.min(refusals - 1, 20));
    await upsertPause({ server, refusals, until: new Date(Date.now() + seconds * 1000).toISOString() });
  });
}
