import { z } from 'zod';
import { deleteTableRow, saveTableRow } from '../services/system/table-editor.ts';
import { listAllRows, listColumns, listTables, readPart } from '../services/system/table-views.ts';
import { translate } from '../shared/i18n/index.ts';
import { TableQuery } from '../shared/system/table-editor.ts';
import { idOf, route } from './http/route.ts';

const nameOf = (params: Record<string, string>): string => params['table'] ?? '';

export const tables = {
  'GET /api/tables': route({
    access: 'admin',
    summary: 'The tables of the editor: those of the business alone',
    run: () => Promise.resolve(listTables()),
  }),
  'GET /api/columns/:table': route({
    access: 'admin',
    summary: 'The columns of a table, and which of them can be written',
    run: ({ params }) => Promise.resolve(listColumns(nameOf(params))),
  }),
  'GET /api/tables/:table': route({
    access: 'admin',
    summary:
      'The rows of a table, secrets masked; with `limit` a part of them as `data`, with `total` and the `names` of what they refer to',
    query: TableQuery,
    run: async ({ params, query }) =>
      query.limit === undefined ? await listAllRows(nameOf(params), query) : await readPart(nameOf(params), query),
  }),
  'POST /api/tables/:table': route({
    access: 'admin',
    summary:
      'Add a row, or edit that of `id`; what is absent stays, and where a column does not hold what `was` says, the row does (409)',
    body: z.record(z.string(), z.unknown()),
    // Shapes drop a key `__proto__`, which is a column that there is not.
    run: ({ actor, params, body, given }) =>
      saveTableRow(actor, nameOf(params), Object.fromEntries(given.map((name) => [name, body[name]]))),
  }),
  'DELETE /api/tables/:table/:id': route({
    access: 'admin',
    summary: 'Delete a row that nothing uses',
    run: async ({ actor, params, language }) => {
      const id = idOf(params);
      await deleteTableRow(actor, nameOf(params), id);
      return { message: translate(language, 'tables.deleted', { id, table: nameOf(params) }) };
    },
  }),
};
