import { setTimeout as sleep } from 'node:timers/promises';
import { troubleOf } from '../../lib/database-trouble.ts';
import type { Logger } from '../../lib/log.ts';
import type { BotUpdate } from '../../providers/telegram.ts';

const MOST_TRIES = 5;
const AGAIN_MS = 2_000;
// With an update open, Telegram answers each poll at once: the pause between two.
const OPEN_MS = 500;

/**
 * The updates that a poller was given: those of a chat are handled one after the other, in the order of their numbers, chats beside
 * each other and beside the poll. An update is open until its handling has ended; Telegram keeps it until then.
 */
export interface UpdateLanes {
  /**
   * Takes the updates of an answer; returns whether one of them is new. Those that are open, have ended, or were handled by another
   * process are passed over.
   */
  take: (updates: readonly BotUpdate[]) => Promise<boolean>;
  /**
   * The number up to which Telegram may forget, which is no open one: Telegram forgets whatever is below it. Undefined: nothing
   * waits, and numbers may begin anew.
   */
  offset: () => number | undefined;
  /** Waits until no update is open, for half a second at most. */
  rest: (signal: AbortSignal) => Promise<void>;
  /** Waits until nothing is being handled. After the signal nothing more is begun, and what is open is given to the next poller. */
  idle: () => Promise<void>;
}

interface Lanes {
  /** Handles one update. Where it throws, the lane retries the update. */
  handle: (update: BotUpdate) => Promise<void>;
  /** Returns those of the numbers that were handled before. */
  handled: (ids: readonly number[]) => Promise<readonly number[]>;
  log: Logger;
}

const chatOf = ({ message, callback_query }: BotUpdate): number | undefined =>
  message?.chat.id ?? callback_query?.from.id;

/** The lanes of all chats: `push` puts an update at the end of its chat's lane. */
interface ChatLanes {
  push: (chat: number, update: BotUpdate) => void;
  idle: () => Promise<void>;
}

/** Makes lanes that work until the signal; `settle` is called for each update that was handled, or given up. */
function chatLanes(
  { handle, log }: Pick<Lanes, 'handle' | 'log'>,
  signal: AbortSignal,
  settle: (update: BotUpdate) => void,
): ChatLanes {
  const lanes = new Map<number, BotUpdate[]>();
  const running = new Set<Promise<void>>();

  /** Returns whether the update is done with: handled, or given up. A database in trouble is waited for. */
  async function tryOnce(update: BotUpdate, tries: number): Promise<boolean> {
    try {
      await handle(update);
      return true;
    } catch (error) {
      log.error({ err: error, update: update.update_id, tries }, 'an update of the bot failed');
      const trouble = troubleOf(error);
      return tries >= MOST_TRIES && (trouble === undefined || trouble === 'constraint');
    }
  }

  async function work(chat: number, lane: BotUpdate[]): Promise<void> {
    for (let tries = 1; lane[0] !== undefined && !signal.aborted; tries += 1) {
      const [update] = lane;
      if (await tryOnce(update, tries)) {
        lane.shift();
        settle(update);
        tries = 0;
      } else await sleep(AGAIN_MS, undefined, { signal }).catch(() => undefined);
    }
    lanes.delete(chat);
  }

  function begin(chat: number, lane: BotUpdate[]): void {
    lanes.set(chat, lane);
    const working = work(chat, lane).finally(() => running.delete(working));
    running.add(working);
  }

  return {
    push: (chat, update) => {
      const lane = lanes.get(chat);
      if (lane) lane.push(update);
      else begin(chat, [update]);
    },
    idle: async () => {
      while (running.size > 0) await Promise.all(running);
    },
  };
}

/** Makes the lanes of a poller; they end with the signal. */
export function updateLanes({ handle, handled, log }: Lanes, signal: AbortSignal): UpdateLanes {
  const open = new Set<number>();
  /** Updates that have ended, and that each answer repeats as long as an earlier one is open. */
  let ended = new Set<number>();
  let last: number | undefined;
  let ring: () => void = () => undefined;

  const settle = ({ update_id }: BotUpdate): void => {
    open.delete(update_id);
    ended.add(update_id);
    if (open.size === 0) ring();
  };
  const chats = chatLanes({ handle, log }, signal, settle);

  return {
    take: async (updates) => {
      const known = new Set(await handled(updates.map(({ update_id }) => update_id)));
      ended = new Set(updates.map(({ update_id }) => update_id).filter((id) => ended.has(id)));
      let isNew = false;
      last = updates.length === 0 ? undefined : Math.max(...updates.map(({ update_id }) => update_id));
      for (const update of updates.toSorted((one, other) => one.update_id - other.update_id)) {
        const { update_id } = update;
        const chat = chatOf(update);
        if (open.has(update_id) || ended.has(update_id)) continue;
        if (chat === undefined || known.has(update_id)) {
          ended.add(update_id);
          continue;
        }
        isNew = true;
        open.add(update_id);
        chats.push(chat, update);
      }
      return isNew;
    },
    offset: () => {
      const first = [...open].reduce((least, id) => Math.min(least, id), Infinity);
      if (first !== Infinity) return first;
      return last === undefined ? undefined : last + 1;
    },
    rest: async (ending) => {
      if (open.size === 0) return;
      const over = new AbortController();
      const rung = new Promise<void>((resolve) => {
        ring = resolve;
      });
      await Promise.race([
        rung,
        sleep(OPEN_MS, undefined, { signal: AbortSignal.any([ending, over.signal]) }).catch(() => undefined),
      ]);
      over.abort();
    },
    idle: chats.idle,
  };
}
