import { randomInt } from 'node:crypto';
import { recordEvents } from '../../../db/events.ts';
import { transaction } from '../../../db/index.ts';
import { deleteRow, findRow, insertRow } from '../../../db/rows.ts';
import { config } from '../../lib/config.ts';
import { hashToken, randomToken } from '../../lib/token.ts';
import { botIdOf } from '../../providers/telegram.ts';
import { users, type UserRow } from '../../shared/access/tables.ts';
import { AppError, notFound } from '../../shared/errors.ts';
import {
  CODE_LETTERS,
  type TelegramClaim,
  type TelegramConfirm,
  type TelegramView,
} from '../../shared/notices/telegram.ts';
import { telegramLinks, type TelegramLinkRow, type TelegramPendingRow } from '../../shared/notices/telegram-tables.ts';
import { confirmPassword } from '../access/passwords.ts';
import type { Actor } from '../access/scope.ts';
import type { Signed } from '../access/session.ts';
import { updateTelegram } from '../access/users.ts';
import { readPreferences } from './preferences.ts';
import { queueMessage } from './telegram-outbox.ts';
import { claimCodeTry, forgiveCodeTries } from './telegram-tries.ts';
import {
  deleteClaimOf,
  deleteOldPendings,
  deletePendingsOf,
  findBot,
  findLinkOfPerson,
  findLinkOfUser,
  listPendings,
  listUsersClaiming,
  setLinkGone,
  takeClaim,
  upsertClaim,
  upsertPending,
  type LinkedUser,
} from './telegram-rows.ts';

const VALID_MS = 10 * 60_000;
const MOST_PENDINGS = 5;
const CODE_LENGTH = 8;

const iso = (milliseconds: number): string => new Date(milliseconds).toISOString();

/** A person who writes to the bot in a private chat. `name` and `username` are what Telegram says today: never a key. */
export type ChatPerson = Pick<TelegramLinkRow, 'telegram_id' | 'chat_id' | 'name' | 'username' | 'language'>;

/** Returns a code that is typed by hand. */
const newCode = (): string =>
  Array.from({ length: CODE_LENGTH }, () => CODE_LETTERS.charAt(randomInt(CODE_LETTERS.length))).join('');

/** Hashes the code together with its user: equal codes of two users differ. */
const hashCode = (user_id: number, code: string): string => hashToken(`telegram ${user_id} ${code}`);

async function botOf(): Promise<TelegramView['bot']> {
  const { telegram } = config();
  if (!telegram) return { state: 'off', username: null };
  const bot = await findBot(botIdOf(telegram));
  return { state: bot?.state ?? 'starting', username: bot?.username ?? null };
}

function idOf({ id }: Actor): number {
  if (id === null) throw notFound();
  return id;
}

/** Makes a way to the bot for the actor, valid for ten minutes and one use; an older one ends. */
export async function claimChat(actor: Actor): Promise<TelegramClaim> {
  const user_id = idOf(actor);
  const { state, username } = await botOf();
  if (state === 'off') return { code: null, link: null };
  const code = randomToken();
  await transaction(() => upsertClaim({ user_id, code_hash: hashToken(code), expires_at: iso(Date.now() + VALID_MS) }));
  return { code, link: username === null ? null : `https://t.me/${username}?start=${code}` };
}

/** Sets the caller's name at Telegram; returns whether it changed, and a way to the bot unless the name is empty. */
export async function claimName(actor: Actor, telegram: string): Promise<TelegramClaim & { changes: number }> {
  const changes = await updateTelegram(actor, telegram);
  return { changes, ...(telegram === '' ? { code: null, link: null } : await claimChat(actor)) };
}

const chatOf = ({ telegram_id, name, username }: ChatPerson) => ({ telegram_id, name, username });

/** Returns the actor's Telegram: the bot, the name he entered, the linked chat, and chats that wait for his confirmation. */
export async function telegramOf(actor: Actor): Promise<TelegramView> {
  const user_id = idOf(actor);
  const [bot, user, link, pending] = [
    await botOf(),
    await findRow(users, user_id),
    await findLinkOfUser(user_id),
    await listPendings(user_id, iso(Date.now())),
  ];
  const { muted_until } = await readPreferences(user_id);
  const { demo, telegram } = config();
  return {
    bot,
    demo_url: demo ? (telegram?.url ?? null) : null,
    claimed: user?.telegram ?? null,
    link: link ? { ...chatOf(link), linked_at: link.linked_at, muted_until, gone_at: link.gone_at } : null,
    pending: pending.map((one) =>
      Object.assign(chatOf(one), { created_at: one.created_at, expires_at: one.expires_at }),
    ),
  };
}

/** The result of `/reg` or `/start`: the code to show, or the reason of the refusal. */
export type Begun = { code: string } | { refusal: 'no_username' | 'unknown' | 'expired' | 'linked' };

/**
 * Makes a chat wait for the confirmation of the users whose way to the bot it came by: the one of the `start` code, or those who have
 * entered the name that the person has today. Only inside a transaction. The code is shown in this chat alone.
 */
export async function beginLink(person: ChatPerson, start: string | null): Promise<Begun> {
  const now = Date.now();
  if (start === null && person.username === null) return { refusal: 'no_username' };
  const claimed = start === null ? undefined : await takeClaim(hashToken(start), iso(now));
  const byName = start === null ? (await listUsersClaiming(person.username ?? '')).map(({ id }) => id) : [];
  const wanted = claimed === undefined ? byName : [claimed];
  if (wanted.length === 0) return { refusal: start === null ? 'unknown' : 'expired' };
  const link = await findLinkOfPerson(person.telegram_id);
  const open = wanted.filter((user_id) => user_id !== link?.user_id);
  if (open.length === 0) return { refusal: 'linked' };
  const code = newCode();
  for (const user_id of open) {
    await upsertPending({
      ...person,
      user_id,
      code_hash: hashCode(user_id, code),
      created_at: iso(now),
      expires_at: iso(now + VALID_MS),
    });
    await deleteOldPendings(user_id, iso(now), MOST_PENDINGS);
  }
  return { code };
}

const wrongCode = () =>
  new AppError(
    'refused',
    'telegram.wrong_code',
    {},
    {
      code: 'wrong_code',
      fields: { code: 'telegram.wrong_code' },
    },
  );

const noPassword = () =>
  new AppError(
    'refused',
    'telegram.needs_password',
    {},
    { code: 'wrong_password', fields: { password: 'telegram.needs_password' } },
  );

/** Records that the chat of a user's notices is another one, or none: he hears of it over his other channels. */
const recordChange = (user_id: number, login: string): Promise<void> =>
  recordEvents([{ kind: 'telegram_changed', name: login, user_id, params: { at: iso(Date.now()) } }]);

/** Links a chat in place of the user's and the chat's former links, and tells both chats. Only inside a transaction. */
async function link(actor: Actor & { id: number }, pending: TelegramPendingRow, former: TelegramLinkRow | undefined) {
  const { telegram_id, chat_id, name, username, language } = pending;
  await deletePendingsOf(telegram_id, actor.id);
  const others = await findLinkOfPerson(telegram_id);
  if (others && others.id !== former?.id) {
    await deleteRow(telegramLinks, others.id);
    await recordChange(others.user_id, others.login);
  }
  if (former) await deleteRow(telegramLinks, former.id);
  const linked_at = iso(Date.now());
  await insertRow(telegramLinks, { user_id: actor.id, telegram_id, chat_id, name, username, language, linked_at });
  await recordChange(actor.id, actor.login);
  if (former && former.chat_id !== chat_id)
    await queueMessage(former, { lines: [{ key: 'telegram.replaced', params: { login: actor.login } }] });
  await queueMessage(pending, { lines: [{ key: 'telegram.linked', params: { login: actor.login } }] });
}

/**
 * Links the chat that was shown the code. Where a chat is linked already the password must be the actor's. Throws AppError `refused`
 * for a wrong or expired code (`wrong_code`), or for a wrong password or none (`wrong_password`), `too_many` after five wrong codes in an hour.
 */
export async function confirmChat(
  signed: Signed,
  { code, password }: TelegramConfirm,
  address: string,
): Promise<TelegramView> {
  const { actor, still } = signed;
  const { id } = actor;
  const proven = await findLinkOfUser(id);
  if (proven) {
    if (!password) throw noPassword();
    await confirmPassword(signed, password, address, 'password');
  }
  await claimCodeTry(id);
  await transaction(async () => {
    await still();
    const pending = (await listPendings(id, iso(Date.now()))).find((one) => one.code_hash === hashCode(id, code));
    const former = await findLinkOfUser(id);
    // Another request has linked a chat meanwhile: the password was not asked for that link.
    if (!pending || (former && former.id !== proven?.id)) throw wrongCode();
    await link(actor, pending, former);
  });
  await forgiveCodeTries(id);
  return telegramOf(actor);
}

async function unlink(linked: TelegramLinkRow, login: string): Promise<void> {
  await deleteRow(telegramLinks, linked.id);
  await recordChange(linked.user_id, login);
  await queueMessage(linked, { lines: [{ key: 'telegram.unlinked', params: { login } }] });
}

/** Ends the link of a user whose password is set by somebody else, and what was begun: a chat acts as its user. Only inside a transaction. */
export async function endChatOf({ id, login }: Pick<UserRow, 'id' | 'login'>): Promise<void> {
  const linked = await findLinkOfUser(id);
  await deletePendingsOf(linked?.telegram_id ?? 0, id);
  await deleteClaimOf(id);
  if (linked) await unlink(linked, login);
}

/** Ends the actor's link and tells the chat. Throws AppError `not_found` where there is none. */
export async function unlinkChat(actor: Actor): Promise<TelegramView> {
  const id = idOf(actor);
  await transaction(async () => {
    const linked = await findLinkOfUser(id);
    if (!linked) throw notFound();
    await unlink(linked, actor.login);
  });
  return telegramOf(actor);
}

/** Notes that a chat takes messages. Only inside a transaction. */
export const reviveChat = ({ chat_id }: Pick<TelegramLinkRow, 'chat_id'>): Promise<void> => setLinkGone(chat_id, null);

/** Ends the link of the chat that a command came from. Only inside a transaction. */
export async function endLink({ id, user_id, login }: Pick<LinkedUser, 'id' | 'user_id' | 'login'>): Promise<void> {
  await deleteRow(telegramLinks, id);
  await recordChange(user_id, login);
}

/** Sends a message to the actor's chat, to try it. Throws AppError `not_configured` where the bot is off, `conflict` without a link. */
export async function testChat(actor: Actor): Promise<void> {
  const { state } = await botOf();
  if (state === 'off' || state === 'refused') throw new AppError('not_configured', 'telegram.is_off');
  const linked = await findLinkOfUser(idOf(actor));
  if (!linked) throw new AppError('conflict', 'telegram.not_linked');
  await transaction(() => queueMessage(linked, { lines: [{ key: 'telegram.test', params: { login: actor.login } }] }));
}
