import { execute, executeUnaudited, select } from '../../../db/index.ts';
import type { UserRow } from '../../shared/access/tables.ts';
import { DAY_MS } from '../../shared/time.ts';
import { ENROLMENT, type Enrolment } from '../access/rows.ts';
import { bindings, VISIBLE, type Actor } from '../access/scope.ts';
import type { BotState } from '../../shared/notices/telegram.ts';
import type {
  TelegramBotRow,
  TelegramClaimRow,
  TelegramLinkRow,
  TelegramMessageRow,
  TelegramPendingRow,
} from '../../shared/notices/telegram-tables.ts';

const SOON_MS = 30 * DAY_MS;
// A poller renews its lease every ten seconds.
const LEASE_SECONDS = 45;
// Leases go by the clock of the database.
const NOW = `strftime('%Y-%m-%dT%H:%M:%fZ', 'now')`;
const LEASE_END = `strftime('%Y-%m-%dT%H:%M:%fZ', 'now', '+${LEASE_SECONDS} seconds')`;

/** Returns the linked chat of a user; undefined: there is none. */
export async function findLinkOfUser(user_id: number): Promise<TelegramLinkRow | undefined> {
  const [row] = await select<TelegramLinkRow>('SELECT * FROM telegram_links WHERE user_id = $user_id', { user_id });
  return row;
}

/** A linked chat, and its user as he is now. */
export type LinkedUser = TelegramLinkRow & Pick<UserRow, 'login' | 'role' | 'active'> & Enrolment;

/** Returns the link of a person at Telegram; undefined: there is none. */
export async function findLinkOfPerson(telegram_id: number): Promise<LinkedUser | undefined> {
  const [row] = await select<LinkedUser>(
    `SELECT l.*, u.login, u.role, u.active, ${ENROLMENT} FROM telegram_links l JOIN users u ON u.id = l.user_id
     WHERE l.telegram_id = $telegram_id`,
    { telegram_id },
  );
  return row;
}

/** Notes that a chat takes no messages, or does again (null). */
export async function setLinkGone(chat_id: number, gone_at: string | null): Promise<void> {
  await executeUnaudited(
    'telegram_chat',
    `UPDATE telegram_links SET gone_at = $gone_at WHERE chat_id = $chat_id AND COALESCE(gone_at, '') <> COALESCE($gone_at, '')`,
    { chat_id, gone_at },
  );
}

/** Follows a chat that has another number from now on, with what waits to be sent there. */
export async function moveChat(from: number, to: number): Promise<void> {
  await executeUnaudited('telegram_chat', 'UPDATE telegram_links SET chat_id = $to WHERE chat_id = $from', {
    from,
    to,
  });
  await execute('UPDATE telegram_messages SET chat_id = $to WHERE chat_id = $from', { from, to });
}

/** Returns active users who have entered a name of Telegram, whatever its case; five at most. */
export const listUsersClaiming = (username: string): Promise<Pick<UserRow, 'id'>[]> =>
  select('SELECT id FROM users WHERE lower(telegram) = $username AND active = 1 ORDER BY id LIMIT 5', {
    username: username.toLowerCase(),
  });

/** Stores the code of a user's link to the bot in place of an older one. */
export async function upsertClaim(values: TelegramClaimRow): Promise<void> {
  await execute(
    `INSERT INTO telegram_claims (user_id, code_hash, expires_at) VALUES ($user_id, $code_hash, $expires_at)
     ON CONFLICT (user_id) DO UPDATE SET code_hash = excluded.code_hash, expires_at = excluded.expires_at`,
    values,
  );
}

/** Forgets the code of a user's link to the bot. */
export async function deleteClaimOf(user_id: number): Promise<void> {
  await execute('DELETE FROM telegram_claims WHERE user_id = $user_id', { user_id });
}

/** Uses up the code of a link to the bot and returns its user; undefined: it is unknown, used, or expired. */
export async function takeClaim(code_hash: string, now: string): Promise<number | undefined> {
  const [row] = await select<{ user_id: number }>(
    `SELECT c.user_id FROM telegram_claims c JOIN users u ON u.id = c.user_id
     WHERE c.code_hash = $code_hash AND c.expires_at > $now AND u.active = 1`,
    { code_hash, now },
  );
  await execute('UPDATE telegram_claims SET code_hash = NULL WHERE code_hash = $code_hash', { code_hash });
  return row?.user_id;
}

/** Stores a chat that wants to be a user's, in place of what the same person began before. */
export async function upsertPending(values: Omit<TelegramPendingRow, 'id'>): Promise<void> {
  await execute(
    `INSERT INTO telegram_pendings (user_id, telegram_id, chat_id, name, username, language, code_hash, created_at, expires_at)
     VALUES ($user_id, $telegram_id, $chat_id, $name, $username, $language, $code_hash, $created_at, $expires_at)
     ON CONFLICT (user_id, telegram_id) DO UPDATE SET chat_id = excluded.chat_id, name = excluded.name,
       username = excluded.username, language = excluded.language, code_hash = excluded.code_hash,
       created_at = excluded.created_at, expires_at = excluded.expires_at`,
    values,
  );
}

/** Deletes chats whose time to confirm is over, and of a user all but the newest `most`. */
export async function deleteOldPendings(user_id: number, now: string, most: number): Promise<void> {
  await execute(
    `DELETE FROM telegram_pendings WHERE expires_at <= $now OR (user_id = $user_id AND id NOT IN
       (SELECT id FROM telegram_pendings WHERE user_id = $user_id ORDER BY created_at DESC, id DESC LIMIT $most))`,
    { user_id, now, most },
  );
}

/** Returns the chats that wait for a user's confirmation, newest first. */
export const listPendings = (user_id: number, now: string): Promise<TelegramPendingRow[]> =>
  select(
    'SELECT * FROM telegram_pendings WHERE user_id = $user_id AND expires_at > $now ORDER BY created_at DESC, id DESC',
    {
      user_id,
      now,
    },
  );

/** Forgets every link that a person at Telegram, or a user, has begun. */
export async function deletePendingsOf(telegram_id: number, user_id: number): Promise<void> {
  await execute('DELETE FROM telegram_pendings WHERE telegram_id = $telegram_id OR user_id = $user_id', {
    telegram_id,
    user_id,
  });
}

/** Returns a bot by its number; undefined: nobody has polled for it. */
export async function findBot(bot_id: string): Promise<TelegramBotRow | undefined> {
  const [row] = await select<TelegramBotRow>('SELECT * FROM telegram_bots WHERE bot_id = $bot_id', { bot_id });
  return row;
}

/** Takes or renews the right to poll for a bot. Returns 1, or 0 while somebody else has it. */
export const takePolling = (bot_id: string, owner: string): Promise<number> =>
  execute(
    `INSERT INTO telegram_bots (bot_id, state, lease_owner, lease_until) VALUES ($bot_id, 'starting', $owner, ${LEASE_END})
     ON CONFLICT (bot_id) DO UPDATE SET lease_owner = excluded.lease_owner, lease_until = excluded.lease_until
     WHERE telegram_bots.lease_owner = $owner OR telegram_bots.lease_until IS NULL OR telegram_bots.lease_until < ${NOW}`,
    { bot_id, owner },
  );

/** Gives the right to poll back. */
export async function leavePolling(bot_id: string, owner: string): Promise<void> {
  await execute(
    'UPDATE telegram_bots SET lease_owner = NULL, lease_until = NULL WHERE bot_id = $bot_id AND lease_owner = $owner',
    { bot_id, owner },
  );
}

/** Stores how the polling goes; a `username` of null leaves the known one. */
export async function setBotState(bot_id: string, state: BotState, username: string | null): Promise<void> {
  await execute(
    'UPDATE telegram_bots SET state = $state, username = COALESCE($username, username) WHERE bot_id = $bot_id',
    { bot_id, state, username },
  );
}

/** Notes an update as handled. Returns 1, or 0 where it was already. */
export const insertUpdate = (bot_id: string, update_id: number, at: string): Promise<number> =>
  execute(
    'INSERT INTO telegram_updates (bot_id, update_id, at) VALUES ($bot_id, $update_id, $at) ON CONFLICT DO NOTHING',
    { bot_id, update_id, at },
  );

/** Returns those of the updates that were handled. */
export const listHandled = (bot_id: string, ids: readonly number[]): Promise<{ update_id: number }[]> =>
  select(
    `SELECT update_id FROM telegram_updates
     WHERE bot_id = $bot_id AND update_id IN (SELECT CAST(value AS INTEGER) FROM json_each($ids))`,
    { bot_id, ids: JSON.stringify(ids) },
  );

/** Deletes what is past its time: handled updates, and messages that could not be sent. */
export async function deleteOldUpdates(before: string): Promise<void> {
  await execute('DELETE FROM telegram_updates WHERE at < $before', { before });
}

/** Returns how many of an actor's registrations end within thirty days. */
export async function countEndingSoon(actor: Actor): Promise<number> {
  const now = Date.now();
  const [row] = await select<{ n: number }>(
    `SELECT COUNT(*) AS n FROM domains d LEFT JOIN projects p ON p.id = d.project_id
     WHERE ${VISIBLE.domains(actor)} AND d.expired_at > $now AND d.expired_at <= $end`,
    { ...bindings(actor), now: new Date(now).toISOString(), end: new Date(now + SOON_MS).toISOString() },
  );
  return row?.n ?? 0;
}

/** Stores a message that is to be sent. */
export async function insertMessage(values: Omit<TelegramMessageRow, 'id' | 'tries'>): Promise<void> {
  await execute(
    `INSERT INTO telegram_messages (chat_id, language, lines, buttons, created_at, due_at, tries)
     VALUES ($chat_id, $language, $lines, $buttons, $created_at, $due_at, 0)`,
    values,
  );
}

/** Returns the oldest message of each chat, if it is due. */
export const listDueMessages = (now: string, limit: number): Promise<TelegramMessageRow[]> =>
  select(
    `SELECT * FROM telegram_messages WHERE id IN (SELECT MIN(id) FROM telegram_messages GROUP BY chat_id) AND due_at <= $now
     ORDER BY id LIMIT $limit`,
    { now, limit },
  );

/** Takes a due message until `due_at`, so that no other process sends it meanwhile. Returns 1, or 0 where one has. */
export const takeMessage = (id: number, now: string, due_at: string): Promise<number> =>
  execute('UPDATE telegram_messages SET due_at = $due_at, tries = tries + 1 WHERE id = $id AND due_at <= $now', {
    id,
    now,
    due_at,
  });

/** Puts a message off. */
export async function delayMessage(id: number, due_at: string): Promise<void> {
  await execute('UPDATE telegram_messages SET due_at = $due_at WHERE id = $id', { id, due_at });
}

/** Forgets a message that was sent or never can be. */
export async function deleteMessage(id: number): Promise<void> {
  await execute('DELETE FROM telegram_messages WHERE id = $id', { id });
}
