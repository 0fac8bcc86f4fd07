import { transaction } from '../../../db/index.ts';
import { rest } from '../../operations/item-queue.ts';
import type { Registry, RegistryAnswer } from '../../providers/registry.ts';
import { findTurns, upsertTurns } from './expiry-rows.ts';

// Turns are taken for so long ahead, so that a fast server does not cost a commit a call. Another process waits as long at most.
const AHEAD_MS = 3_000;
// A turn that this process begins late by so much is still used.
const LATE_MS = 1_000;
// A period that begins later than this was noted before the clock was set back.
const CLOCK_MS = 600_000;

/** A call that may be made while its period lasts, in ms since 1970. */
interface Turn {
  from: number;
  until: number;
}

const taken = new Map<string, Turn[]>();
const taking = new Map<string, Promise<void>>();

/** Takes turns of a server, one at least: those of the period that runs, as far as no process has them, and of the next ones. */
async function take({ key, pace }: Registry, wanted: number): Promise<void> {
  const turns = await transaction(async () => {
    const periodMs = pace.seconds * 1000;
    const now = Date.now();
    const before = await findTurns(key);
    let from = before ? Date.parse(before.period_at) : 0;
    let calls = before?.calls ?? 0;
    if (from + periodMs <= now || from > now + CLOCK_MS) [from, calls] = [now, 0];
    const found: Turn[] = [];
    do {
      if (calls >= pace.calls) [from, calls] = [from + periodMs, 0];
      if (found.length > 0 && from > now + AHEAD_MS) break;
      found.push({ from, until: from + periodMs });
      calls += 1;
    } while (found.length < wanted);
    await upsertTurns({ server: key, period_at: new Date(from).toISOString(), calls });
    return found;
  });
  taken.set(key, [...(taken.get(key) ?? []), ...turns]);
}

/** Waits until this process may call a server. */
async function waitForTurn(registry: Registry, wanted: number, signal: AbortSignal): Promise<void> {
  const { key } = registry;
  while (!signal.aborted) {
    const turn = taken.get(key)?.shift();
    if (turn === undefined) {
      // Those who wait at once take turns together.
      const work = taking.get(key) ?? take(registry, wanted).finally(() => taking.delete(key));
      taking.set(key, work);
      await work;
    } else if (Date.now() < turn.until + LATE_MS) {
      return await rest(turn.from - Date.now(), signal);
    }
  }
}

/**
 * Asks a registry about a name once it is this process's turn: all processes of an installation keep a server's pace
 * together. `left` is the number of names that this caller has still to ask for there. Throws ProviderError, and the reason of
 * the registry's own signal.
 */
export async function askInTurn(
  registry: Registry,
  name: string,
  { left, signal }: { left: number; signal: AbortSignal },
): Promise<RegistryAnswer> {
  await waitForTurn(registry, left, signal);
  return await registry.ask(name);
}
