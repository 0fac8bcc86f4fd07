import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { transaction } from '../../../db/index.ts';
import { config } from '../../lib/config.ts';
import { isStorageTrouble } from '../../lib/database-trouble.ts';
import type { Logger } from '../../lib/log.ts';
import {
  answerCallback,
  botIdOf,
  pollUpdates,
  readBot,
  removeButtons,
  removeWebhook,
  setCommands,
  type BotLogin,
  type BotUpdate,
} from '../../providers/telegram.ts';
import type { BotState } from '../../shared/notices/telegram.ts';
import { updateLanes, type UpdateLanes } from './telegram-lanes.ts';
import { sendMessage, type RenderLine } from './telegram-message.ts';
import { onMessage, sendDue } from './telegram-outbox.ts';
import { restAfter, stateOf } from './telegram-trouble.ts';
import {
  deleteOldUpdates,
  insertUpdate,
  leavePolling,
  listHandled,
  setBotState,
  takePolling,
} from './telegram-rows.ts';

const RENEW_MS = 10_000;
const STANDBY_MS = 10_000;
const LOOK_MS = 2_000;
const POLL_SECONDS = 30;
// Telegram keeps updates for a day.
const HANDLED_KEPT_MS = 3 * 24 * 60 * 60_000;

/** A door's part in the bot: it handles updates and renders messages. */
export interface BotDoor {
  /** Handles one update. It must note it by `once` where it has done something. */
  handle: (update: BotUpdate, bot: Bot) => Promise<void>;
  /** Puts a line into a language, as plain text. */
  line: RenderLine;
  /** The commands that Telegram offers while somebody types. */
  commands: Record<'ru' | 'en', { command: string; description: string }[]>;
}

/** The bot, for a door. */
export interface Bot {
  /** Runs work in one transaction with the note that an update was handled; does nothing where it was. */
  once: (update_id: number, work: () => Promise<void>) => Promise<void>;
  /** Ends the waiting of a pressed button. */
  answer: (callback: string, text: string) => Promise<void>;
  /** Takes the buttons of a message away. */
  settle: (chat_id: number, message_id: number) => Promise<void>;
}

/** A bot that runs. `stop` finishes what is under way. */
export interface RunningBot {
  stop: () => Promise<void>;
}

interface Turn {
  login: BotLogin;
  botId: string;
  owner: string;
  door: BotDoor;
  bot: Bot;
  log: Logger;
  note: (state: BotState, username?: string) => Promise<void>;
}

/** Introduces the bot, and makes Telegram give the updates to a poller. */
async function introduce({ login, door, log, note }: Turn, signal: AbortSignal): Promise<void> {
  const { username } = await readBot(login, signal);
  await removeWebhook(login, signal);
  for (const language of ['ru', 'en'] as const)
    await setCommands(login, door.commands[language], language === 'ru' ? '' : language, signal);
  await note('on', username);
  log.info({ bot: username }, 'the Telegram bot is on');
}

/** Polls until the signal or a failure. Lanes handle the updates, so that a slow one does not delay the poll. */
async function poll(turn: Turn, lanes: UpdateLanes, signal: AbortSignal): Promise<void> {
  // An offset confirms. After a failure there is none: numbers may have begun anew meanwhile.
  let offset: number | undefined;
  while (!signal.aborted) {
    const updates = await pollUpdates(turn.login, { offset, seconds: POLL_SECONDS }, signal);
    await turn.note('on');
    const isNew = await lanes.take(updates);
    await lanes.rest(signal);
    offset = lanes.offset();
    if (isNew) await transaction(() => deleteOldUpdates(new Date(Date.now() - HANDLED_KEPT_MS).toISOString()));
  }
}

/** Sends stored messages, those of other processes within two seconds. */
async function sendAlways({ login, door, log }: Turn, signal: AbortSignal): Promise<void> {
  let ring: () => void = () => undefined;
  onMessage(() => ring());
  while (!signal.aborted) {
    const rung = new Promise<void>((resolve) => {
      ring = resolve;
    });
    const failures = await sendDue((message) => sendMessage(login, door.line, message), signal).catch(
      (error: unknown) => [error],
    );
    for (const err of failures) log.warn({ err }, 'a message of the bot was not sent');
    const waiting = new AbortController();
    await Promise.race([
      rung,
      sleep(LOOK_MS, undefined, { signal: AbortSignal.any([signal, waiting.signal]) }).catch(() => undefined),
    ]);
    waiting.abort();
  }
  onMessage(() => undefined);
}

/** Polls and sends while this process has the turn; returns once it is lost, or where polling is of no use. */
async function holdTurn(turn: Turn, outer: AbortSignal): Promise<'lost' | 'refused'> {
  const lost = new AbortController();
  const signal = AbortSignal.any([outer, lost.signal]);
  const renewal = setInterval(() => {
    transaction(() => takePolling(turn.botId, turn.owner)).then(
      (taken) => (taken === 0 ? lost.abort() : undefined),
      // A storage failure does not mean that the turn is lost: the next renewal tells.
      (error: unknown) => (isStorageTrouble(error) ? undefined : lost.abort()),
    );
  }, RENEW_MS);
  const sending = sendAlways(turn, signal);
  const { botId, bot, door, log } = turn;
  const handled = async (ids: readonly number[]) => (await listHandled(botId, ids)).map(({ update_id }) => update_id);
  const lanes = updateLanes({ handle: (update) => door.handle(update, bot), handled, log }, signal);
  let isKnown = false;
  try {
    for (let failures = 0; !signal.aborted;) {
      try {
        if (!isKnown) await introduce(turn, signal);
        isKnown = true;
        failures = 0;
        await poll(turn, lanes, signal);
      } catch (error) {
        if (signal.aborted) break;
        failures += 1;
        const rest = restAfter(error, failures);
        log.warn({ err: error }, `the Telegram bot: ${stateOf(error)}`);
        await turn.note(stateOf(error)).catch(() => undefined);
        if (rest === null) return 'refused';
        await sleep(rest, undefined, { signal }).catch(() => undefined);
      }
    }
  } finally {
    lost.abort();
    // The turn is kept meanwhile: nobody else begins what is about to end.
    await lanes.idle();
    clearInterval(renewal);
    await sending;
  }
  return 'lost';
}

/** Makes the turn of this process, which has not been taken yet. */
function turnOf(login: BotLogin, door: BotDoor, log: Logger): Turn {
  const botId = botIdOf(login);
  let known: string | undefined;
  const quietly = async (work: Promise<unknown>): Promise<void> => {
    await work.catch((error: unknown) => log.debug({ err: error }, 'the Telegram bot: a button was not answered'));
  };
  const bot: Bot = {
    once: (update_id, work) =>
      transaction(async () => {
        if ((await insertUpdate(botId, update_id, new Date().toISOString())) > 0) await work();
      }),
    answer: (id, text) => quietly(answerCallback(login, id, text)),
    settle: (chat_id, message_id) => quietly(removeButtons(login, chat_id, message_id)),
  };
  const note: Turn['note'] = async (state, username) => {
    const wanted = `${state} ${username ?? ''}`;
    if (known === wanted || (username === undefined && known?.split(' ')[0] === state)) return;
    known = wanted;
    await transaction(() => setBotState(botId, state, username ?? null));
  };
  return { login, botId, owner: randomUUID(), door, bot, log, note };
}

async function run(turn: Turn, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    const taken = await transaction(() => takePolling(turn.botId, turn.owner)).catch(() => 0);
    if (taken > 0) {
      const end = await holdTurn(turn, signal);
      await transaction(() => leavePolling(turn.botId, turn.owner)).catch(() => undefined);
      if (end === 'refused') return;
    }
    await sleep(STANDBY_MS, undefined, { signal }).catch(() => undefined);
  }
}

/**
 * Runs the bot of the configuration, if there is one, in whatever process has the turn: one at a time polls and sends. A token that
 * Telegram refuses ends it, until the program is started again.
 */
export function runBot(door: BotDoor, log: Logger): RunningBot {
  const { telegram } = config();
  if (!telegram) return { stop: async () => undefined };
  const ending = new AbortController();
  const running = run(turnOf(telegram, door, log), ending.signal).catch((error: unknown) => {
    if (!ending.signal.aborted) log.error({ err: error }, 'the Telegram bot has ended');
  });
  return {
    stop: async () => {
      ending.abort();
      await running;
    },
  };
}
