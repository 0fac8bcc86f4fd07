import { execute, select } from '../../../db/index.ts';
import type { UserRow } from '../../shared/access/tables.ts';
import { noticePreferences, type NoticePreferencesRow } from '../../shared/notices/tables.ts';

/** A user with what is stored of his preferences; null: nothing is. */
export type PersonRow = Pick<UserRow, 'id' | 'login' | 'role'> & {
  [Name in keyof NoticePreferencesRow]: NoticePreferencesRow[Name] | null;
};

const COLUMNS = Object.keys(noticePreferences.columns) as (keyof NoticePreferencesRow)[];

/** Returns the users that may sign in, or one of them. */
export const listPeople = (id: number | null = null): Promise<PersonRow[]> =>
  select(
    `SELECT u.id, u.login, u.role, ${COLUMNS.map((name) => `n.${name}`).join(', ')} FROM users u
     LEFT JOIN notice_preferences n ON n.user_id = u.id WHERE u.active = 1 AND ($id IS NULL OR u.id = $id) ORDER BY u.id`,
    { id },
  );

/** Returns the stored preferences of a user; undefined: there are none. */
export async function findPreferences(user_id: number): Promise<NoticePreferencesRow | undefined> {
  const [row] = await select<NoticePreferencesRow>('SELECT * FROM notice_preferences WHERE user_id = $user_id', {
    user_id,
  });
  return row;
}

/** Stores all preferences of a user. */
export async function upsertPreferences(row: NoticePreferencesRow): Promise<void> {
  const changed = COLUMNS.filter((name) => name !== 'user_id').map((name) => `${name} = excluded.${name}`);
  await execute(
    `INSERT INTO notice_preferences (${COLUMNS.join(', ')}) VALUES (${COLUMNS.map((name) => `$${name}`).join(', ')})
     ON CONFLICT (user_id) DO UPDATE SET ${changed.join(', ')}`,
    { ...row },
  );
}
