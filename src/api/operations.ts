import { z } from 'zod';
import { acceptHeld } from '../services/checks/checks.ts';
import {
  cancelOwn,
  findOperation,
  listItems,
  listOperations,
  restoreOwn,
  retryOwn,
} from '../services/operations/operations.ts';
import { viewOf } from '../services/operations/operation-views.ts';
import { Paging } from '../shared/lists.ts';
import { translate, type Key, type Language } from '../shared/i18n/index.ts';
import { ITEM_STATES, OPERATION_STATES, renderItem, renderOperation, type Started } from '../shared/operations.ts';
import { idOf, Nothing, route } from './http/route.ts';

const Listed = Paging.pick({ limit: true, offset: true, sort: true }).extend({
  state: z.enum(OPERATION_STATES).optional(),
  kind: z
    .string()
    .regex(/^[a-z_-]{1,40}$/)
    .optional(),
});

const Items = Paging.pick({ limit: true, offset: true }).extend({ state: z.enum(ITEM_STATES).optional() });

const startedWith = (language: Language, key: Key, id: number): Started => ({
  message: translate(language, key),
  operation: { id },
});

export const operations = {
  'GET /api/operations': route({
    summary: 'Long work, newest first',
    query: Listed,
    run: async ({ actor, render, query: { state, kind, ...page } }) => {
      const list = await listOperations(actor, { state, kind }, page);
      return { ...list, data: list.data.map((view) => renderOperation(render, view)) };
    },
  }),
  'GET /api/operations/:id': route({
    summary: 'One piece of long work and its progress',
    run: async ({ actor, params, render }) =>
      renderOperation(render, await viewOf(await findOperation(actor, idOf(params)))),
  }),
  'GET /api/operations/:id/items': route({
    summary:
      'What a piece of long work is about, item by item: what was there before, what is there now, what went wrong',
    query: Items,
    run: async ({ actor, params, render, query }) => {
      const list = await listItems(actor, idOf(params), query);
      return { ...list, data: list.data.map((item) => renderItem(render, item)) };
    },
  }),
  'POST /api/operations/:id/accept': route({
    summary: 'Take over a result that was held for a person',
    body: Nothing,
    run: async ({ actor, params, language }) =>
      startedWith(language, 'check.started', (await acceptHeld(actor, idOf(params))).id),
  }),
  'POST /api/operations/:id/cancel': route({
    summary: 'Give long work up: what is under way ends, what was not begun is left',
    body: Nothing,
    run: async ({ actor, params, language }) => {
      const id = idOf(params);
      await cancelOwn(actor, id);
      return startedWith(language, 'operation.cancelling', id);
    },
  }),
  'POST /api/operations/:id/retry': route({
    summary: 'Do again what failed or was left; what was done stays so',
    body: Nothing,
    run: async ({ actor, params, language }) => {
      const id = idOf(params);
      await retryOwn(actor, id);
      return startedWith(language, 'operation.retrying', id);
    },
  }),
  'POST /api/operations/:id/restore': route({
    summary: 'Give back what was there before; what somebody has changed since is left alone',
    body: Nothing,
    run: async ({ actor, params, language, idempotencyKey }) =>
      startedWith(language, 'operation.restoring', (await restoreOwn(actor, idOf(params), false, idempotencyKey)).id),
  }),
};
