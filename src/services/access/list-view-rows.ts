import { execute, select } from '../../../db/index.ts';
import type { ListName, ListView } from '../../shared/access/list-views.ts';
import type { ListSettingsRow } from '../../shared/access/tables.ts';

/** Returns what a user has set of a list; undefined: nothing. */
export async function findListSettings(user_id: number, list: ListName): Promise<ListSettingsRow | undefined> {
  const [row] = await select<ListSettingsRow>('SELECT * FROM list_settings WHERE user_id = $user_id AND list = $list', {
    user_id,
    list,
  });
  return row;
}

/** Sets what a user sees of a list. */
export async function upsertListSettings(row: ListSettingsRow): Promise<void> {
  await execute(
    `INSERT INTO list_settings (user_id, list, columns, density) VALUES ($user_id, $list, $columns, $density)
     ON CONFLICT (user_id, list) DO UPDATE SET columns = excluded.columns, density = excluded.density`,
    { ...row },
  );
}

/** Returns the views of a list that a user keeps, by name. */
export const listListViews = (user_id: number, list: ListName): Promise<ListView[]> =>
  select('SELECT id, name, query FROM list_views WHERE user_id = $user_id AND list = $list ORDER BY lower(name), id', {
    user_id,
    list,
  });

/** Returns a view of a user's with its list; undefined: there is none. */
export async function findListView(user_id: number, id: number): Promise<(ListView & { list: ListName }) | undefined> {
  const [row] = await select<ListView & { list: ListName }>(
    'SELECT id, list, name, query FROM list_views WHERE id = $id AND user_id = $user_id',
    { id, user_id },
  );
  return row;
}

/** Adds a view; returns its id. */
export async function insertListView(
  view: Omit<ListView, 'id'> & { user_id: number; list: ListName; created_at: string },
): Promise<number> {
  const [row] = await select<{ id: number }>(
    `INSERT INTO list_views (user_id, list, name, query, created_at)
     VALUES ($user_id, $list, $name, $query, $created_at) RETURNING id`,
    { ...view },
  );
  return row?.id ?? 0;
}

/** Gives a view a name and a query. */
export async function updateListView({ id, name, query }: ListView): Promise<void> {
  await execute('UPDATE list_views SET name = $name, query = $query WHERE id = $id', { id, name, query });
}

/** Removes a view of a user's; returns whether there was one. */
export const deleteListView = async (user_id: number, id: number): Promise<boolean> =>
  (await execute('DELETE FROM list_views WHERE id = $id AND user_id = $user_id', { id, user_id })) > 0;
