import { afterCommit, transaction } from '../../../db/index.ts';
import { storeEnd } from '../../lib/database-trouble.ts';
import { ProviderError } from '../../providers/provider-error.ts';
import { migratedTo } from '../../providers/telegram.ts';
import type { TelegramReply } from '../../shared/notices/telegram.ts';
import type { TelegramLinkRow, TelegramMessageRow } from '../../shared/notices/telegram-tables.ts';
import {
  delayMessage,
  deleteMessage,
  insertMessage,
  listDueMessages,
  moveChat,
  setLinkGone,
  takeMessage,
} from './telegram-rows.ts';

const AT_ONCE = 20;
// A process that died while it sent: another one sends after so long.
const TAKEN_MS = 90_000;
const KEPT_MS = 24 * 60 * 60_000;
const MOST_MOVES = 3;
const LONGEST_PAUSE_MS = 10 * 60_000;

const iso = (milliseconds: number): string => new Date(milliseconds).toISOString();

let wake: () => void = () => undefined;

/** Calls `listener` after each commit of this process that has stored a message. */
export function onMessage(listener: () => void): void {
  wake = listener;
}

/** Stores a message for a chat together with the work that it tells of. Only inside a transaction. */
export async function queueMessage(
  { chat_id, language }: Pick<TelegramLinkRow, 'chat_id' | 'language'>,
  { lines, buttons = [] }: TelegramReply,
): Promise<void> {
  const now = iso(Date.now());
  await insertMessage({
    chat_id,
    language,
    lines: JSON.stringify(lines),
    buttons: JSON.stringify(buttons),
    created_at: now,
    due_at: now,
  });
  afterCommit(() => wake());
}

/** A stored message. */
export type QueuedMessage = Pick<TelegramMessageRow, 'chat_id' | 'language'> & Required<TelegramReply>;

// Sent so late, a reply would only be a riddle.
const isTooOld = ({ created_at }: TelegramMessageRow): boolean => Date.now() - Date.parse(created_at) > KEPT_MS;

/** Returns the milliseconds after which a failed message is tried again; null: never. */
function pauseOf(error: unknown, row: TelegramMessageRow): number | null {
  // At once, in its new chat. A chat that moves again and again is given up with the other failures.
  if (migratedTo(error) !== undefined && row.tries < MOST_MOVES) return 0;
  if (!(error instanceof ProviderError) || error.kind === 'refused') return null;
  if (error.kind === 'rate_limited') return (error.retryAfter ?? 1) * 1000;
  if (isTooOld(row)) return null;
  return Math.min(LONGEST_PAUSE_MS, 2_000 * 2 ** Math.min(row.tries, 10)) * (0.75 + Math.random() / 2);
}

type Send = (message: QueuedMessage) => Promise<void>;

async function sendOne(row: TelegramMessageRow, send: Send, signal: AbortSignal): Promise<unknown> {
  const now = Date.now();
  const store = (work: () => Promise<void>) => storeEnd(() => transaction(work), now + TAKEN_MS, signal);
  if ((await transaction(() => takeMessage(row.id, iso(now), iso(now + TAKEN_MS)))) === 0) return null;
  const { chat_id, language } = row;
  if (isTooOld(row)) {
    await transaction(() => deleteMessage(row.id));
    return null;
  }
  try {
    const reply = { lines: JSON.parse(row.lines), buttons: JSON.parse(row.buttons) } as Required<TelegramReply>;
    await send({ chat_id, language, ...reply });
  } catch (error) {
    const pause = pauseOf(error, row);
    const moved = migratedTo(error);
    const isGone = error instanceof ProviderError && error.reason === 'absent';
    await store(async () => {
      if (isGone) await setLinkGone(chat_id, iso(Date.now()));
      if (moved !== undefined) await moveChat(chat_id, moved);
      await (pause === null ? deleteMessage(row.id) : delayMessage(row.id, iso(Date.now() + pause)));
    });
    return error;
  }
  await store(() => deleteMessage(row.id));
  return null;
}

/**
 * Sends the oldest due message of each chat by `send`, and again until none is due. A message stays after a temporary failure, and is
 * dropped where Telegram refuses it. Returns the failures.
 */
export async function sendDue(send: Send, signal: AbortSignal): Promise<unknown[]> {
  const failures: unknown[] = [];
  while (!signal.aborted) {
    const due = await listDueMessages(iso(Date.now()), AT_ONCE);
    if (due.length === 0) break;
    const ends = await Promise.all(due.map((row) => sendOne(row, send, signal)));
    failures.push(...ends.filter((end) => end !== null));
  }
  return failures;
}
