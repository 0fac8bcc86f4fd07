// Notice preferences of users: levels by channel, and quiet times.
import { note } from '../../../db/audit.ts';
import { transaction } from '../../../db/index.ts';
import type { UserRow } from '../../shared/access/tables.ts';
import { AppError } from '../../shared/errors.ts';
import { DEFAULT_PREFERENCES, type PreferencesInput, type PreferencesView } from '../../shared/notices/preferences.ts';
import type { NoticePreferencesRow } from '../../shared/notices/tables.ts';
import { findUserByLogin } from '../access/users.ts';
import { personalRoutes } from './channels.ts';
import { releaseDeliveries } from './delivery-rows.ts';
import { findPreferences, upsertPreferences } from './preference-rows.ts';
import { findPerson, preferencesOf } from './recipients.ts';

// Preferences that delay notices: after a change of one, the waiting deliveries are judged again.
const HOLDING = ['muted_until', 'quiet_from', 'quiet_until', 'zone', 'critical_always'] as const;

/** Returns the stored preferences of a user, or the defaults as a row. */
export async function preferenceRowOf(user_id: number): Promise<NoticePreferencesRow> {
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
export async function changePreferences(user_id: number, values: Partial<NoticePreferencesRow>): Promise<void> {
  await transaction(async () => {
    const before = await preferenceRowOf(user_id);
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
    await changePreferences(
      user_id,
      Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)),
    );
    if (HOLDING.some((name) => input[name] !== undefined)) await releaseDeliveries(user_id, new Date().toISOString());
  });
  return readPreferences(user_id);
}
