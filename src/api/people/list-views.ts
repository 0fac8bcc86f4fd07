import { addListView, changeListView, readList, removeListView, setList } from '../../services/access/list-views.ts';
import {
  LISTS,
  ListSettingsInput,
  ListViewChange,
  ListViewInput,
  type ListName,
} from '../../shared/access/list-views.ts';
import { notFound } from '../../shared/errors.ts';
import { translate } from '../../shared/i18n/index.ts';
import { idOf, route } from '../http/route.ts';

/** Returns the list that a path names. Throws AppError `not_found`. */
function listOf(params: Record<string, string>): ListName {
  const list = LISTS.find((name) => name === params['list']);
  if (list === undefined) throw notFound();
  return list;
}

/** How the caller sees lists, and the views that the caller keeps. */
export const listViews = {
  'GET /api/list_settings/:list': route({
    summary:
      "How the caller sees a list: columns in their order (null: the program's), density, and the caller's views of it",
    run: async ({ actor, params }) => ({ data: await readList(actor.id, listOf(params)) }),
  }),
  'PUT /api/list_settings/:list': route({
    summary: 'Change how the caller sees a list; what is absent stays',
    body: ListSettingsInput,
    run: async ({ actor, params, body }) => ({ data: await setList(actor.id, listOf(params), body) }),
  }),
  'POST /api/list_views': route({
    summary: 'Keep a view of a list: the query of its address, under a name',
    body: ListViewInput,
    run: async ({ actor, body }) => ({ data: await addListView(actor.id, body) }),
  }),
  'POST /api/list_views/:id': route({
    summary: "Rename a view of the caller's, or give it another query",
    body: ListViewChange,
    run: async ({ actor, params, body }) => ({ data: await changeListView(actor.id, idOf(params), body) }),
  }),
  'DELETE /api/list_views/:id': route({
    summary: "Remove a view of the caller's",
    run: async ({ actor, params, language }) => {
      await removeListView(actor.id, idOf(params));
      return { message: translate(language, 'views.removed') };
    },
  }),
};
