import { listDomains } from '../services/portfolio/domain-lists.ts';
import {
  createProject,
  deleteProject,
  findProject,
  listProjects,
  restoreProject,
  updateProject,
} from '../services/portfolio/projects.ts';
import { readProjectPage, readProjectTimeline } from '../services/timeline/project-pages.ts';
import { readAutoBuy, storeAutoBuy } from '../services/purchases/auto-buy.ts';
import { planReserve, startReserve } from '../services/purchases/reserves.ts';
import { Paging } from '../shared/lists.ts';
import { translate } from '../shared/i18n/index.ts';
import type { Started } from '../shared/operations.ts';
import { AutoBuyInput } from '../shared/purchases/auto-buy.ts';
import { renderReservePlan, ShownReserve } from '../shared/purchases/reserves.ts';
import { ProjectChange, ProjectInput } from '../shared/portfolio/projects.ts';
import { Was } from '../shared/stale.ts';
import { TimelineQuery } from '../shared/timeline/timeline.ts';
import { MarksInput } from '../shared/purchases/candidates.ts';
import { markNames } from '../services/purchases/name-marks.ts';
import { idOf, Nothing, route } from './http/route.ts';

export const projects = {
  'GET /api/user_projects': route({
    summary: "The caller's projects",
    run: async ({ actor }) => ({ data: await listProjects(actor) }),
  }),
  'GET /api/project_pages/:ref': route({
    summary:
      'A project by its id or name with what its page shows: its main domains, its reserves, how they are bought, moves under way',
    run: async ({ actor, params: { ref = '' } }) => ({ data: await readProjectPage(actor, ref) }),
  }),
  'GET /api/projects/:id/timeline': route({
    summary:
      'What has happened to a project and its domains, newest first: blocks, outages, moves, purchases. `next` is the `before` of the following part',
    query: TimelineQuery,
    run: async ({ actor, params, query, render }) => {
      const { data, next } = await readProjectTimeline(actor, idOf(params), query);
      return { data: data.map((entry) => Object.assign(entry, { text: render(entry.text) })), next };
    },
  }),
  'POST /api/projects': route({
    summary: 'Create a project',
    body: ProjectInput,
    run: async ({ actor, body }) => ({ data: await createProject(actor, body) }),
  }),
  'PUT /api/projects/:id': route({
    summary:
      'Rename a project; whether automatic transfer may use its last reserve. What is absent stays; 409 (`stale`) where a field no longer holds what `was` says',
    body: ProjectChange.extend({ was: Was }).refine(
      ({ name, last_reserve }) => name !== undefined || last_reserve !== undefined,
      { path: ['name'], message: 'error.required' },
    ),
    run: async ({ actor, params, body }) => ({ data: await updateProject(actor, idOf(params), body) }),
  }),
  'DELETE /api/projects/:id': route({
    summary: 'Delete a project; its domains stay, without a project',
    run: async ({ actor, params, language }) => {
      const domains = await deleteProject(actor, idOf(params));
      return { message: translate(language, 'project.deleted', { domains }) };
    },
  }),
  'POST /api/projects/:id/restore': route({
    summary: 'Undo the deletion of a project',
    body: Nothing,
    run: async ({ actor, params }) => ({ data: await restoreProject(actor, idOf(params)) }),
  }),
  'GET /api/auto_buy/:projectId': route({
    summary: 'How reserves of a project are bought; the defaults where it never saved any',
    run: async ({ actor, params }) => readAutoBuy(actor, idOf(params, 'projectId')),
  }),
  'POST /api/auto_buy': route({
    summary: 'Set how reserves of a project are bought; what is absent stays as it is stored',
    body: AutoBuyInput,
    run: async ({ actor, body, language }) => {
      await storeAutoBuy(actor, body);
      return { message: translate(language, 'auto_buy.saved') };
    },
  }),
  'POST /api/auto_buy/marks': route({
    summary:
      'What speaks against buying names, in the order asked: the portfolio of everybody, the block list, their form',
    body: MarksInput,
    run: async ({ body: { names } }) => {
      const marks = await markNames(names);
      return { data: names.map((domain_name, index) => ({ domain_name, mark: marks[index] ?? 'invalid' })) };
    },
  }),
  'POST /api/auto_buy/:projectId/plan': route({
    summary: 'Which reserve would be bought for a project now, and at what price; nothing is bought',
    body: Nothing,
    run: async ({ actor, params, render }) => ({
      data: renderReservePlan(render, await planReserve(actor, idOf(params, 'projectId'))),
    }),
  }),
  'POST /api/auto_buy/:projectId/run': route({
    summary: 'Buy one reserve for a project: what the plan has shown, or nothing',
    body: ShownReserve,
    run: async ({ actor, params, body, language, idempotencyKey }) => {
      const { id } = await startReserve(actor, idOf(params, 'projectId'), { shown: body, idem_key: idempotencyKey });
      const message = translate(language, 'auto_buy.buying', { domain: body.domain_name });
      return { message, operation: { id } } satisfies Started;
    },
  }),
  'GET /api/project_domains/:projectId': route({
    summary: "A project's main domains",
    query: Paging,
    run: async ({ actor, params, query }) => {
      const { id } = await findProject(actor, idOf(params, 'projectId'));
      return listDomains(actor, { project_id: id, type: 'main' }, query);
    },
  }),
  'GET /api/project_unassigned_domains/:projectId': route({
    summary: "A project's reserve domains",
    query: Paging,
    run: async ({ actor, params, query }) => {
      const { id } = await findProject(actor, idOf(params, 'projectId'));
      return listDomains(actor, { project_id: id, type: 'transfer' }, query);
    },
  }),
};
