// The e-mail address of a user's notices, which outlives the session that sets it: it is confirmed by a code, and each change of it is told.
import { createHash, randomInt, timingSafeEqual } from 'node:crypto';
import { recordEvents } from '../../../db/events.ts';
import { transaction } from '../../../db/index.ts';
import { config } from '../../lib/config.ts';
import type { NoticeContent } from '../../providers/provider.ts';
import { AppError } from '../../shared/errors.ts';
import type { EmailInput, PreferencesView } from '../../shared/notices/preferences.ts';
import type { NoticePreferencesRow } from '../../shared/notices/tables.ts';
import { confirmPassword } from '../access/passwords.ts';
import type { Signed } from '../access/session.ts';
import { personalRoute } from './channels.ts';
import { insertDeliveries } from './delivery-rows.ts';
import { findPreferences } from './preference-rows.ts';
import { changePreferences, preferenceRowOf, readPreferences } from './preferences.ts';

const CODE_MS = 15 * 60_000;
// A code is eight digits: five tries find one in twenty million.
const CODE_TRIES = 5;
const CODE_EVERY_MS = 60_000;

const hashOf = (user_id: number, code: string): string =>
  createHash('sha256').update(`${user_id} ${code}`).digest('hex');

const addressIn = (row: NoticePreferencesRow | undefined): string | null =>
  row && row.email_confirmed_at !== null ? row.email : null;

/** Returns the e-mail address of a user that he has confirmed; null: there is none. */
export const confirmedAddress = async (user_id: number): Promise<string | null> =>
  addressIn(await findPreferences(user_id));

const noPassword = () =>
  new AppError(
    'refused',
    'notices.needs_password',
    {},
    { code: 'wrong_password', fields: { password: 'notices.needs_password' } },
  );

/** Records that the address is another one, or none: its user hears of it over his channels, and at the address of before. Only inside a transaction. */
async function recordChange({ id, login }: Signed['actor'], former: string | null): Promise<void> {
  const now = new Date().toISOString();
  await recordEvents([{ kind: 'email_changed', name: login, user_id: id, params: { at: now } }]);
  if (former === null) return;
  const told = { kind: 'replaced', channel: 'email', user_id: id, address: former, due_at: now } as const;
  await insertDeliveries([{ ...told, notice_id: null, webhook_id: null, for_user_id: null }], now);
}

/** Stores a code and its address, which waits beside a confirmed one. Throws AppError `too_many` within a minute of the last code. */
async function storeCode(signed: Signed, email: string, code_hash: string, isProven: boolean): Promise<void> {
  const { actor, still } = signed;
  const now = Date.now();
  await transaction(async () => {
    await still();
    const row = await preferenceRowOf(actor.id);
    const isConfirmed = addressIn(row) !== null;
    // Another request has confirmed an address meanwhile: the password was not asked for.
    if (isConfirmed && !isProven) throw noPassword();
    const last = Date.parse(row.code_expires_at ?? '') - CODE_MS;
    if (last + CODE_EVERY_MS > now && last <= now) {
      const retryAfter = Math.ceil((last + CODE_EVERY_MS - now) / 1_000);
      throw new AppError('too_many', 'notices.code_soon', {}, { retryAfter });
    }
    await changePreferences(actor.id, {
      ...(isConfirmed ? { email_next: email } : { email, email_confirmed_at: null, email_next: null }),
      code_hash,
      code_tries: 0,
      code_expires_at: new Date(now + CODE_MS).toISOString(),
    });
  });
}

/**
 * Sends a code to an address, which gets nothing until that is told; a confirmed one stays in force until then, and is replaced only with
 * the password. Throws AppError `not_configured` where no e-mail is sent here, `refused` (`wrong_password`) for a wrong password or none,
 * `too_many` within a minute of the last one, and `upstream` where the server has not taken it.
 */
export async function sendEmailCode(
  signed: Signed,
  { email, password }: EmailInput,
  from: string,
  contentOf: (code: string) => NoticeContent,
): Promise<void> {
  const route = personalRoute('email');
  if (!route) throw new AppError('not_configured', config().demo ? 'notices.no_email_demo' : 'notices.no_email');
  const { id } = signed.actor;
  const isProven = (await confirmedAddress(id)) !== null;
  if (isProven) {
    if (!password) throw noPassword();
    await confirmPassword(signed, password, from, 'password');
  }
  const code = String(randomInt(10 ** 8)).padStart(8, '0');
  const code_hash = hashOf(id, code);
  await storeCode(signed, email, code_hash, isProven);
  const sent = await route.channel.send(email, contentOf(code), AbortSignal.timeout(30_000));
  if (sent.outcome === 'sent') return;
  await transaction(async () => {
    const row = await preferenceRowOf(id);
    if (row.code_hash === code_hash && row.email_next !== null)
      await changePreferences(id, { email_next: null, code_hash: null });
  });
  throw new AppError('upstream', 'notices.code_unsent');
}

/** Confirms the address by its code. Throws AppError `refused` for a wrong code, one that is too old, and after five wrong ones. */
export async function confirmEmail({ actor, still }: Signed, code: string): Promise<PreferencesView> {
  const { id } = actor;
  const isRight = await transaction(async () => {
    await still();
    const row = await preferenceRowOf(id);
    const now = new Date().toISOString();
    const isOpen = row.code_hash !== null && row.code_tries < CODE_TRIES && (row.code_expires_at ?? '') > now;
    if (!isOpen) return false;
    if (!timingSafeEqual(Buffer.from(row.code_hash ?? ''), Buffer.from(hashOf(id, code)))) {
      await changePreferences(id, { code_tries: row.code_tries + 1 });
      return false;
    }
    const email = row.email_next ?? row.email;
    await changePreferences(id, { email, email_confirmed_at: now, email_next: null, code_hash: null });
    const former = addressIn(row);
    if (former !== email) await recordChange(actor, former);
    return true;
  });
  if (!isRight) throw new AppError('refused', 'notices.wrong_code', {}, { fields: { code: 'notices.wrong_code' } });
  return readPreferences(id);
}

/** Forgets a user's address, by his password. Throws as `confirmPassword`. */
export async function removeEmail(signed: Signed, password: string, from: string): Promise<PreferencesView> {
  await confirmPassword(signed, password, from, 'password');
  const { actor, still } = signed;
  await transaction(async () => {
    await still();
    const former = addressIn(await preferenceRowOf(actor.id));
    await changePreferences(actor.id, { email: null, email_confirmed_at: null, email_next: null, code_hash: null });
    if (former !== null) await recordChange(actor, former);
  });
  return readPreferences(actor.id);
}
