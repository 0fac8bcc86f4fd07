// Notice preferences of users: levels by channel, quiet times, and the mail address.
import { createHash, randomInt, timingSafeEqual } from 'node:crypto';
import { note } from '../../../db/audit.ts';
import { transaction } from '../../../db/index.ts';
import { config } from '../../lib/config.ts';
import type { NoticeContent } from '../../providers/provider.ts';
import type { UserRow } from '../../shared/access/tables.ts';
import { AppError } from '../../shared/errors.ts';
import { DEFAULT_PREFERENCES, type PreferencesInput, type PreferencesView } from '../../shared/notices/preferences.ts';
import type { NoticePreferencesRow } from '../../shared/notices/tables.ts';
import { findUserByLogin } from '../access/users.ts';
import { personalRoute, personalRoutes } from './channels.ts';
import { releaseDeliveries } from './delivery-rows.ts';
import { findPreferences, upsertPreferences } from './preference-rows.ts';
import { findPerson, preferencesOf } from './recipients.ts';

const CODE_MS = 15 * 60_000;
// A code is eight digits: five tries find one in twenty million.
const CODE_TRIES = 5;
const CODE_EVERY_MS = 60_000;

// Preferences that delay notices: after a change of one, the waiting deliveries are judged again.
const HOLDING = ['muted_until', 'quiet_from', 'quiet_until', 'zone', 'critical_always'] as const;

const hashOf = (user_id: number, code: string): string =>
  createHash('sha256').update(`${user_id} ${code}`).digest('hex');

/** Returns the stored preferences of a user, or the defaults as a row. */
async function rowOf(user_id: number): Promise<NoticePreferencesRow> {
  const found = await findPreferences(user_id);
  if (found) return found;
  const { levels, critical_always, every_project, ...rest } = DEFAULT_PREFERENCES;
  return {
    ...rest,
    user_id,
    levels: JSON.stringify(levels),
    critical_always: critical_always ? 1 : 0,
    every_project: every_project ? 1 : 0,
    code_hash: null,
    code_tries: 0,
    code_expires_at: null,
  };
}

// The code of an address is no part of what was decided.
const told = ({ code_hash: _hash, code_tries: _tries, code_expires_at: _expires, ...row }: NoticePreferencesRow) => row;

/** Changes a user's preferences, and audits the change. */
async function change(user_id: number, values: Partial<NoticePreferencesRow>): Promise<void> {
  await transaction(async () => {
    const before = await rowOf(user_id);
    const after = { ...before, ...values };
    await upsertPreferences(after);
    note({ action: 'update', object: 'notice_preferences', id: user_id, before: told(before), after: told(after) });
  });
}

/** Returns a user's preferences. */
export async function readPreferences(user_id: number): Promise<PreferencesView> {
  const preferences = preferencesOf(await findPreferences(user_id));
  const { escalate_to } = preferences;
  const next = escalate_to === null ? undefined : await findPerson(escalate_to);
  return { ...preferences, escalate_to: next?.login ?? null, channels: personalRoutes().map(([name]) => name) };
}

const flagOf = (value: boolean | undefined): 0 | 1 | undefined => (value === undefined ? undefined : value ? 1 : 0);

/**
 * Whether a user may have his notices passed on to another one. A user who is no administrator has no list of users: he names an
 * administrator, and another login is answered as one that does not exist.
 */
async function mayEscalateTo(next: UserRow | undefined, user_id: number): Promise<boolean> {
  if (next === undefined || next.active === 0 || next.id === user_id) return false;
  return next.role === 'admin' || (await findPerson(user_id))?.role === 'admin';
}

/** Sets what is given of a user's preferences. Throws AppError `refused` where it would escalate to nobody, or to himself. */
export async function writePreferences(user_id: number, input: PreferencesInput): Promise<PreferencesView> {
  const { levels, critical_always, every_project, escalate_to, ...rest } = input;
  const next = typeof escalate_to === 'string' ? await findUserByLogin(escalate_to) : null;
  if (next !== null && !(await mayEscalateTo(next, user_id))) {
    const fields = { escalate_to: 'notices.no_such_user' };
    throw new AppError('refused', 'notices.no_such_user', {}, { fields });
  }
  const values = {
    ...rest,
    levels: levels && JSON.stringify(levels),
    critical_always: flagOf(critical_always),
    every_project: flagOf(every_project),
    escalate_to: escalate_to === undefined ? undefined : (next?.id ?? null),
  };
  await transaction(async () => {
    await change(user_id, Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)));
    if (HOLDING.some((name) => input[name] !== undefined)) await releaseDeliveries(user_id, new Date().toISOString());
  });
  return readPreferences(user_id);
}

/** Returns the e-mail address of a user that he has confirmed; null: there is none. */
export async function confirmedAddress(user_id: number): Promise<string | null> {
  const row = await findPreferences(user_id);
  return row && row.email_confirmed_at !== null ? row.email : null;
}

/**
 * Sets an address and sends a code to it; until that is told the address gets nothing. Throws AppError `not_configured` where no e-mail is
 * sent here, `too_many` within a minute of the last one, and `upstream` where the server has not taken it.
 */
export async function sendEmailCode(
  user_id: number,
  email: string,
  contentOf: (code: string) => NoticeContent,
): Promise<void> {
  const route = personalRoute('email');
  if (!route) throw new AppError('not_configured', config().demo ? 'notices.no_email_demo' : 'notices.no_email');
  const code = String(randomInt(10 ** 8)).padStart(8, '0');
  const now = Date.now();
  const code_hash = hashOf(user_id, code);
  const before = await transaction(async () => {
    const row = await rowOf(user_id);
    const last = Date.parse(row.code_expires_at ?? '') - CODE_MS;
    if (last + CODE_EVERY_MS > now && last <= now) {
      const retryAfter = Math.ceil((last + CODE_EVERY_MS - now) / 1_000);
      throw new AppError('too_many', 'notices.code_soon', {}, { retryAfter });
    }
    await change(user_id, {
      email,
      email_confirmed_at: null,
      code_hash,
      code_tries: 0,
      code_expires_at: new Date(now + CODE_MS).toISOString(),
    });
    return row;
  });
  const sent = await route.channel.send(email, contentOf(code), AbortSignal.timeout(30_000));
  if (sent.outcome === 'sent') return;
  // The address that gets notices stays the one that is confirmed.
  await transaction(async () => {
    if ((await rowOf(user_id)).code_hash !== code_hash) return;
    const { email: former, email_confirmed_at } = before;
    if (email_confirmed_at !== null) await change(user_id, { email: former, email_confirmed_at, code_hash: null });
  });
  throw new AppError('upstream', 'notices.code_unsent');
}

/** Confirms the address by its code. Throws AppError `refused` for a wrong code, one that is too old, and after five wrong ones. */
export async function confirmEmail(user_id: number, code: string): Promise<PreferencesView> {
  const isRight = await transaction(async () => {
    const row = await rowOf(user_id);
    const isOpen =
      row.code_hash !== null && row.code_tries < CODE_TRIES && (row.code_expires_at ?? '') > new Date().toISOString();
    if (!isOpen) return false;
    const matches = timingSafeEqual(Buffer.from(row.code_hash ?? ''), Buffer.from(hashOf(user_id, code)));
    await change(
      user_id,
      matches ? { email_confirmed_at: new Date().toISOString(), code_hash: null } : { code_tries: row.code_tries + 1 },
    );
    return matches;
  });
  if (!isRight) throw new AppError('refused', 'notices.wrong_code', {}, { fields: { code: 'notices.wrong_code' } });
  return readPreferences(user_id);
}

/** Forgets a user's address. */
export async function removeEmail(user_id: number): Promise<PreferencesView> {
  await change(user_id, { email: null, email_confirmed_at: null, code_hash: null });
  return readPreferences(user_id);
}
