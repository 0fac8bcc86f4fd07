import { z } from 'zod';
import { fetchCost, listPositionCaps, listSpending } from '../services/positions/cost.ts';
import { startFetch } from '../services/positions/fetch.ts';
import { domainPositions, keywordPositions, projectPositions } from '../services/positions/grids.ts';
import { listRecoveries } from '../services/positions/moves.ts';
import { listOpen, readingOf } from '../services/positions/results.ts';
import { readSettings, storeSettings } from '../services/positions/settings.ts';
import { ENGINES, type Engine } from '../shared/engines.ts';
import { AppError } from '../shared/errors.ts';
import { translate } from '../shared/i18n/index.ts';
import type { Started } from '../shared/operations.ts';
import type { OpenKeyword } from '../shared/positions/positions.ts';
import { PositionChange } from '../shared/positions/settings.ts';
import { Id, message } from '../shared/text.ts';
import { idOf, route } from './http/route.ts';

/** Reads the engine of a path. Throws AppError `invalid` for another one. */
function engineOf({ engine }: Record<string, string>): Engine {
  const found = ENGINES.find((one) => one === engine);
  if (!found)
    throw new AppError('invalid', 'error.invalid', { fields: 'engine' }, { fields: { engine: 'error.invalid_value' } });
  return found;
}

const EngineName = z.enum(ENGINES);
const Fetch = z.object({
  projectId: Id,
  keywordId: Id.nullish().transform((id) => id ?? null),
  type: EngineName,
});
const Days = z.object({ days: z.coerce.number().int().min(1).max(400).optional() });
/** Today without a date. */
const OnDate = z.object({ date: z.iso.date(message('error.invalid_value')).optional() });
const OfEngine = z.object({ engine: EngineName.default('yandex') });

const today = (): string => new Date().toISOString().slice(0, 10);

export const positions = {
  'GET /api/position/:domainId/:engine': route({
    summary:
      'The positions of a domain for the keywords of its project, by day; 0: not within the depth, null: no check',
    run: async ({ actor, params }) => {
      const engine = engineOf(params);
      return { [engine]: await domainPositions(actor, idOf(params, 'domainId'), engine) };
    },
  }),
  'GET /api/position/:projectId/:engine/:keywordId': route({
    summary: 'The positions of all domains of a project for a keyword, by day',
    run: ({ actor, params }) =>
      keywordPositions(actor, idOf(params, 'projectId'), engineOf(params), idOf(params, 'keywordId')),
  }),
  'POST /api/fetch-positions': route({
    summary: 'Read the positions of a project, of all keywords or of one; the operation tells how it ends',
    body: Fetch,
    run: async ({ actor, body, language, idempotencyKey }) => {
      const { id } = await startFetch(actor, body, false, { idem_key: idempotencyKey });
      return { message: translate(language, 'positions.requested'), operation: { id } } satisfies Started;
    },
  }),
  'GET /api/project_positions/:projectId/:engine': route({
    summary: 'The positions of a project: on each day of its mains then, with what was found, moves and blocks',
    query: Days,
    run: async ({ actor, params, query }) => ({
      data: await projectPositions(actor, idOf(params, 'projectId'), engineOf(params), query.days),
    }),
  }),
  'GET /api/position_cost/:projectId/:engine': route({
    summary:
      'How many paid requests a reading takes at most, their price, the balance, and what the cap of the day leaves',
    run: async ({ actor, params }) => ({ data: await fetchCost(actor, idOf(params, 'projectId'), engineOf(params)) }),
  }),
  'GET /api/position_caps': route({
    access: 'admin',
    summary: 'The most paid requests of each project a day, and how many were made today',
    run: async ({ actor }) => ({ data: await listPositionCaps(actor) }),
  }),
  'GET /api/position_settings/:projectId': route({
    summary: 'How the positions of a project are read; the defaults where it never saved any',
    run: async ({ actor, params }) => ({ data: await readSettings(actor, idOf(params, 'projectId')) }),
  }),
  'PUT /api/position_settings/:projectId': route({
    summary: 'Set region, device, depth, cap, schedule and service of a project; what is absent stays',
    body: PositionChange,
    run: async ({ actor, params, body }) => ({ data: await storeSettings(actor, idOf(params, 'projectId'), body) }),
  }),
  'GET /api/position_spending': route({
    summary:
      'What each account at XMLRiver and Arsenkin has spent in a week, and for how many days its balance lasts at that',
    run: async () => ({ data: await listSpending() }),
  }),
  'GET /api/position_moves': route({
    summary: 'How the newest moves have recovered: visibility by day since the move, in percent of that before',
    query: OfEngine,
    run: async ({ actor, query }) => ({ data: await listRecoveries(actor, query.engine) }),
  }),
  'GET /api/position_failures/:operationId': route({
    summary: 'The keywords that an operation could not read, and why',
    run: async ({ actor, params, render }) => ({
      data: (await listOpen(actor, idOf(params, 'operationId'))).map(
        ({ keyword, engine, source, error }): OpenKeyword => ({
          keyword,
          engine,
          source,
          error: render(error),
        }),
      ),
    }),
  }),
  'GET /api/search_results/:projectId/:engine/:keywordId': route({
    summary: 'The results of a keyword on a day as they were read; 404 where it was not read',
    query: OnDate,
    run: async ({ actor, params, query }) => ({
      data: await readingOf(
        actor,
        idOf(params, 'projectId'),
        engineOf(params),
        idOf(params, 'keywordId'),
        query.date ?? today(),
      ),
    }),
  }),
};
