import { transaction } from '../../../db/index.ts';
import type {
  ListName,
  ListSettings,
  ListSettingsInput,
  ListView,
  ListViewChange,
  ListViewInput,
} from '../../shared/access/list-views.ts';
import type { ListSettingsRow } from '../../shared/access/tables.ts';
import { AppError, notFound } from '../../shared/errors.ts';
import {
  deleteListView,
  findListSettings,
  findListView,
  insertListView,
  listListViews,
  updateListView,
  upsertListSettings,
} from './list-view-rows.ts';

const MOST_VIEWS = 50;

const nothingSet = (user_id: number, list: ListName): ListSettingsRow => ({
  user_id,
  list,
  columns: null,
  density: 'regular',
});

/** Returns how a user sees a list, and the views of it that the user keeps. */
export async function readList(user_id: number, list: ListName): Promise<ListSettings> {
  const { columns, density } = (await findListSettings(user_id, list)) ?? nothingSet(user_id, list);
  return {
    columns: columns === null ? null : (JSON.parse(columns) as string[]),
    density,
    views: await listListViews(user_id, list),
  };
}

/** Changes how a user sees a list; what is absent stays. */
export async function setList(user_id: number, list: ListName, change: ListSettingsInput): Promise<ListSettings> {
  await transaction(async () => {
    const before = (await findListSettings(user_id, list)) ?? nothingSet(user_id, list);
    const { columns, density = before.density } = change;
    const after = columns === undefined ? before.columns : columns && JSON.stringify(columns);
    await upsertListSettings({ user_id, list, columns: after, density });
  });
  return readList(user_id, list);
}

const foldName = (name: string): string => name.normalize('NFC').toLowerCase();

/** Refuses a name that another view of the list has. */
function refuseTaken(views: readonly ListView[], name: string, except?: number): void {
  const folded = foldName(name);
  const taken = views.some((view) => view.id !== except && foldName(view.name) === folded);
  if (taken) throw new AppError('conflict', 'views.taken', { name }, { fields: { name: 'views.taken_here' } });
}

/** Keeps a view; returns it. Throws AppError `conflict` for a name that is taken, and for a list with fifty views. */
export const addListView = (user_id: number, { list, name, query }: ListViewInput): Promise<ListView> =>
  transaction(async () => {
    const views = await listListViews(user_id, list);
    if (views.length >= MOST_VIEWS) throw new AppError('conflict', 'views.too_many', { n: MOST_VIEWS });
    refuseTaken(views, name);
    const created_at = new Date().toISOString();
    return { id: await insertListView({ user_id, list, name, query, created_at }), name, query };
  });

/** Changes a view of the user's; what is absent stays. Throws AppError `not_found`, and `conflict` for a name that is taken. */
export const changeListView = (user_id: number, id: number, change: ListViewChange): Promise<ListView> =>
  transaction(async () => {
    const before = await findListView(user_id, id);
    if (!before) throw notFound();
    const { name = before.name, query = before.query } = change;
    refuseTaken(await listListViews(user_id, before.list), name, id);
    await updateListView({ id, name, query });
    return { id, name, query };
  });

/** Removes a view of the user's. Throws AppError `not_found`. */
export const removeListView = (user_id: number, id: number): Promise<void> =>
  transaction(async () => {
    if (!(await deleteListView(user_id, id))) throw notFound();
  });
