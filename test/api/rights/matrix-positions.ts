// The expected answers of the calls about keywords and positions for objects of others.
import {
  ABSENT,
  ADMINS,
  foreignDomains,
  foreignIds,
  foreignOperations,
  list,
  NOT_FOUND,
  type Decision,
  type Probe,
} from './matrix-probes.ts';
import type { Matrix } from './matrix-world.ts';

const foreignProjects = ({ kept }: Matrix) => ({ 'foreign project': kept.project, deleted: kept.deletedProject });

/** A call on a project: foreign ones are 404, one's own is 200. */
const aboutProject =
  (body?: () => unknown): Decision =>
  (world) => [
    ...foreignIds(foreignProjects(world), body?.()),
    { relation: 'own', path: [world.own.project], body: body?.(), status: 200, own: true },
  ];

/** A call on a project and an engine. */
const withEngine: Decision = (world) => [
  ...Object.entries({ ...foreignProjects(world), 'nobody’s': ABSENT }).map(([relation, id]): Probe =>
    Object.assign({ relation, path: [id, 'yandex'] }, NOT_FOUND),
  ),
  { relation: 'own', path: [world.own.project, 'google'], status: 200, own: true },
];

/** A call on a keyword in a project: it is of that project, and both are the caller's. */
const ofKeyword =
  (query: string): Decision =>
  ({ kept, own }) =>
    [
      [kept.project, kept.keyword],
      [own.project, kept.keyword],
      [kept.project, ABSENT],
      [own.project, ABSENT],
    ].map(([project = 0, keyword = 0]): Probe =>
      Object.assign({ relation: 'foreign keyword', path: [project, 'yandex', keyword], query }, NOT_FOUND),
    );

const SETTINGS = {
  yandex_region: '2',
  google_region: '2643',
  device: 'desktop',
  depth: 10,
  daily_cap: 1,
  every_days: 0,
};

/** The decisions of these calls by their name. */
export const positionDecisions: Record<string, Decision> = {
  'GET /api/keywords/:projectId': aboutProject(),
  'POST /api/keywords': ({ kept }) =>
    [kept.project, kept.deletedProject, ABSENT].map((project_id): Probe => ({
      relation: 'foreign project',
      body: { keyword: 'mine', project_id },
      status: 422,
      error: 'Unknown project_id',
    })),
  'PUT /api/keywords/:id': ({ kept }) => foreignIds({ 'foreign keyword': kept.keyword }, { tags: ['mine'] }),
  'DELETE /api/keywords/:id': ({ kept }) => foreignIds({ 'foreign keyword': kept.keyword }),
  'GET /api/position/:domainId/:engine': (world) => [
    ...Object.entries({ ...foreignDomains(world), 'nobody’s': ABSENT }).map(([relation, id]): Probe =>
      Object.assign({ relation, path: [id, 'yandex'] }, NOT_FOUND),
    ),
    { relation: 'own', path: [world.own.own, 'yandex'], status: 200, own: true },
  ],
  'GET /api/position/:projectId/:engine/:keywordId': ofKeyword(''),
  'POST /api/fetch-positions': ({ kept, own }) => [
    ...[kept.project, kept.deletedProject, ABSENT].map((projectId): Probe => ({
      relation: 'foreign project',
      body: { projectId, keywordId: null, type: 'yandex' },
      status: 422,
      error: 'Unknown projectId',
    })),
    {
      relation: 'foreign keyword in one’s own project',
      body: { projectId: own.project, keywordId: kept.keyword, type: 'google' },
      status: 422,
      error: 'Unknown keywordId',
    },
  ],
  'GET /api/project_positions/:projectId/:engine': withEngine,
  'GET /api/position_cost/:projectId/:engine': withEngine,
  'GET /api/position_caps': ADMINS,
  'GET /api/position_settings/:projectId': aboutProject(),
  'PUT /api/position_settings/:projectId': aboutProject(() => SETTINGS),
  'GET /api/position_spending': list,
  'GET /api/position_moves': list,
  'GET /api/position_failures/:operationId': foreignOperations(),
  'GET /api/search_results/:projectId/:engine/:keywordId': ofKeyword('?date=2026-01-01'),
};
