// The recipients of a notice: users who see one of its subjects, as long as they may sign in.
import type { NoticePreferencesRow } from '../../shared/notices/tables.ts';
import { DEFAULT_PREFERENCES, type ChannelLevels, type Preferences } from '../../shared/notices/preferences.ts';
import type { NoticeSubjectRow } from '../../shared/notices/tables.ts';
import type { Role } from '../../shared/access/users.ts';
import type { Actor } from '../access/scope.ts';
import { listPeople, type PersonRow } from './preference-rows.ts';
import { listOwners, listSeenSubjects } from './seen-rows.ts';

/** A user that may sign in, and what he wants to be told. */
export interface Person {
  id: number;
  login: string;
  role: Role;
  preferences: Preferences;
}

/** Returns stored preferences, or the defaults. */
export function preferencesOf(
  row: { [Name in keyof NoticePreferencesRow]: NoticePreferencesRow[Name] | null } | undefined,
): Preferences {
  if (!row || row.levels === null || row.zone === null || row.language === null) return DEFAULT_PREFERENCES;
  return {
    levels: JSON.parse(row.levels) as ChannelLevels,
    quiet_from: row.quiet_from,
    quiet_until: row.quiet_until,
    zone: row.zone,
    critical_always: row.critical_always === 1,
    language: row.language,
    escalate_to: row.escalate_to,
    escalate_after: row.escalate_after ?? DEFAULT_PREFERENCES.escalate_after,
    muted_until: row.muted_until,
    every_project: row.every_project === 1,
    email: row.email,
    email_confirmed_at: row.email_confirmed_at,
    email_next: (row.code_expires_at ?? '') > new Date().toISOString() ? row.email_next : null,
  };
}

const personOf = (row: PersonRow): Person => ({
  id: row.id,
  login: row.login,
  role: row.role,
  preferences: preferencesOf(row),
});

/** Returns all who may sign in. */
export const allPeople = async (): Promise<Person[]> => (await listPeople()).map(personOf);

/** Returns a user, if he may sign in. */
export async function findPerson(id: number): Promise<Person | undefined> {
  const [row] = await listPeople(id);
  return row && personOf(row);
}

/** Returns who is told of each of the notices; of the end of those of `over`. */
export async function recipientsOf(
  ids: readonly number[],
  over: readonly number[],
  people: readonly Person[],
): Promise<Map<number, Person[]>> {
  const owners = await listOwners(ids, over);
  const told = new Map<number, Person[]>();
  for (const id of ids) {
    const ofNotice = owners.filter(({ notice_id }) => notice_id === id);
    const own = new Set(ofNotice.map(({ user_id }) => user_id));
    const isOfOthers = ofNotice.some(({ personal }) => personal === 0);
    const isOfHouse = own.has(null);
    const wants = ({ id: user, role, preferences }: Person): boolean =>
      own.has(user) || (role === 'admin' && (isOfHouse || (isOfOthers && preferences.every_project)));
    told.set(id, people.filter(wants));
  }
  return told;
}

/** Returns the subjects of a notice that a person is told of: an administrator who has not chosen all projects sees his own, as any user. */
export function subjectsFor({ id, login, role, preferences }: Person, notice_id: number): Promise<NoticeSubjectRow[]> {
  const isAdmin = role === 'admin';
  const actor: Actor = { id, login, role: isAdmin && preferences.every_project ? 'admin' : 'user' };
  return listSeenSubjects(actor, notice_id, isAdmin);
}
