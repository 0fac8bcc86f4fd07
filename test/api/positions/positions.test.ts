// Positions over HTTP: the three answers of a cell, the days in their order, and whose they are.
import { beforeAll, describe, expect, test } from 'vitest';
import { execute, select, transaction } from '../../../db/index.ts';
import { resultsAt } from '../../../src/demo/search/web.ts';
import { dateOf, dayOf } from '../../../src/shared/positions/places.ts';
import { newName, settled } from '../calls.ts';
import { ask, KEY, make, makeProject, other, owner, refusalOf, river, server, useSearch, web } from './world.ts';

useSearch();

let project: number;
let main: number;
let reserve: number;
let found: number;
let missing: number;

beforeAll(async () => {
  await make('xmlriver', { name: 'river', login: '12345', key: KEY });
  project = await makeProject();
  const [mainName, reserveName] = [wellPlaced(), newName()];
  main = (await make('domains', { domain_name: mainName, project_id: project })).id;
  reserve = (await make('domains', { domain_name: reserveName, project_id: project, type: 'transfer' })).id;
  found = (await make('keywords', { keyword: 'found', project_id: project })).id;
  missing = (await make('keywords', { keyword: 'missing', project_id: project })).id;
  web.topics['found'] = 'shop';
  web.hosts[mainName] = { topic: 'shop', from: null, until: null };
});

/** Returns a name that is among the first results of Yandex for `found`. */
function wellPlaced(): string {
  const query = { engine: 'yandex', keyword: 'found', region: '213', device: 'desktop' } as const;
  const names = Array.from({ length: 100 }, (_, index) => `site-${index}.example`);
  const isFirst = (name: string): boolean => {
    const small = { topics: { found: 'shop' }, hosts: { [name]: { topic: 'shop', from: null, until: null } } };
    return resultsAt(small, query, dayOf(Date.now()))
      .slice(0, 10)
      .some((url) => new URL(url).hostname === name);
  };
  return names.find(isFirst) ?? '';
}

const today = (): string => dateOf(dayOf(Date.now()));

async function fetchAll(body: object = {}): Promise<void> {
  const answer = await ask('POST /api/fetch-positions', {
    projectId: project,
    keywordId: null,
    type: 'yandex',
    ...body,
  });
  expect([answer.status, answer.body]).toEqual([
    200,
    { message: expect.any(String), operation: { id: expect.any(Number) } },
  ]);
  await settled();
}

/** Moves what was read of a keyword by days. */
const move = (keyword: number, days: number): Promise<void> =>
  transaction(async () => {
    const of = { keyword, days };
    for (const table of ['search_days', 'positions']) {
      await execute(
        `UPDATE ${table} SET day = day + $days WHERE query_id IN (SELECT id FROM search_queries WHERE keyword_id = $keyword)`,
        of,
      );
    }
  });

describe('positions', () => {
  test('are empty before anything was read', async () => {
    const of = await ask(`GET /api/position/${main}/yandex`);
    expect(of.body).toEqual({ yandex: { dates: [], keywords: ['found', 'missing'], values: [] } });
    const google = await ask(`GET /api/position/${main}/google`);
    expect(Object.keys(google.body)).toEqual(['google']);
    const all = await ask(`GET /api/position/${project}/yandex/${found}`);
    expect(all.body).toEqual({ dates: [], domains: [expect.any(String), expect.any(String)], values: [] });
  });

  test('are a place, 0 outside of the depth, and null without a check, with the oldest day first', async () => {
    await fetchAll();
    await move(found, -1);
    await move(missing, -3);
    await fetchAll({ keywordId: found });
    const { status, body } = await ask(`GET /api/position/${main}/yandex`);
    expect(status).toBe(200);
    const day = dayOf(Date.now());
    expect(body.yandex).toEqual({
      dates: [dateOf(day - 3), dateOf(day - 1), today()],
      keywords: ['found', 'missing'],
      values: [
        [null, 0],
        [expect.any(Number), null],
        [expect.any(Number), null],
      ],
    });
    for (const row of [1, 2]) expect(body.yandex.values[row][0]).toBeGreaterThan(0);
    const all = await ask(`GET /api/position/${project}/yandex/${found}`);
    expect(all.body.dates).toEqual([dateOf(day - 1), today()]);
    expect(all.body.values).toEqual([
      [expect.any(Number), 0],
      [expect.any(Number), 0],
    ]);
    // A reserve has its own places: it was looked for, and is not there.
    expect((await ask(`GET /api/position/${reserve}/yandex`)).body.yandex.values).toEqual([
      [null, 0],
      [0, null],
      [0, null],
    ]);
    expect((await ask(`GET /api/position/${main}/google`)).body.google.dates).toEqual([]);
  });

  test('a day that failed is a day without values', async () => {
    await move(found, -30);
    await move(missing, -30);
    river.faults.push({ kind: 'code', code: 102, times: 1_000 });
    await fetchAll();
    river.faults.length = 0;
    const { body } = await ask(`GET /api/position/${main}/yandex`);
    expect(body.yandex.dates.at(-1)).toBe(today());
    expect(body.yandex.values.at(-1)).toEqual([null, null]);
  });

  test('a domain without a project has none', async () => {
    const { id } = await make('domains', { domain_name: newName() });
    expect((await ask(`GET /api/position/${id}/yandex`)).body).toEqual({
      yandex: { dates: [], keywords: [], values: [] },
    });
  });

  test.each(['bing', 'Yandex', 'yandex%20', '0', '__proto__', 'constructor'])(
    'of the engine %s are refused',
    async (engine) => {
      expect(refusalOf(await ask(`GET /api/position/${main}/${engine}`))).toEqual([400, 'invalid', ['engine']]);
      expect(refusalOf(await ask(`GET /api/position/${project}/${engine}/${found}`))).toEqual([
        400,
        'invalid',
        ['engine'],
      ]);
    },
  );

  test('of somebody else are not there', async () => {
    const foreign = await makeProject(other);
    const { id: keyword } = await make('keywords', { keyword: 'x', project_id: foreign }, other);
    const paths = [`${project}/yandex/${keyword}`, `${foreign}/yandex/${keyword}`, `${foreign}/yandex/${found}`];
    for (const path of paths) expect([path, (await ask(`GET /api/position/${path}`)).status]).toEqual([path, 404]);
    expect((await ask(`GET /api/position/${main}/yandex`, undefined, other)).status).toBe(404);
    // An admin sees both, and still no keyword in another project.
    expect((await ask(`GET /api/position/${project}/yandex/${keyword}`, undefined, server.admin)).status).toBe(404);
  });
});

describe('a request for positions', () => {
  const requested = (body: object, person = owner) => ask('POST /api/fetch-positions', body, person);

  test.each([
    ['no type', { keywordId: null }, 'type'],
    ['another engine', { keywordId: null, type: 'bing' }, 'type'],
    ['a list of engines', { keywordId: null, type: ['yandex'] }, 'type'],
    ['a keyword that is no id', { keywordId: 'x', type: 'yandex' }, 'keywordId'],
    ['a negative keyword', { keywordId: -1, type: 'yandex' }, 'keywordId'],
    ['an empty keyword', { keywordId: '', type: 'yandex' }, 'keywordId'],
  ])('is refused with the error of its field: %s', async (_what, body, field) => {
    expect(refusalOf(await requested({ projectId: project, ...body }))).toEqual([400, 'invalid', [field]]);
  });

  test('is refused for what is not the caller’s, as for what is not there', async () => {
    const foreign = await makeProject(other);
    const { id: keyword } = await make('keywords', { keyword: 'x', project_id: foreign }, other);
    const before = await select('SELECT * FROM operations');
    const type = 'yandex';
    for (const projectId of [foreign, 999_999]) {
      const answer = await requested({ projectId, keywordId: null, type });
      expect(refusalOf(answer)).toEqual([422, 'refused', ['projectId']]);
    }
    for (const keywordId of [keyword, 999_999]) {
      const answer = await requested({ projectId: project, keywordId, type });
      expect(refusalOf(answer)).toEqual([422, 'refused', ['keywordId']]);
    }
    // An admin may use both projects, but no keyword outside of its own.
    const mixed = await requested({ projectId: project, keywordId: keyword, type }, server.admin);
    expect(refusalOf(mixed)).toEqual([422, 'refused', ['keywordId']]);
    const empty = await requested({ projectId: await makeProject(), keywordId: null, type });
    expect(empty.status).toBe(422);
    expect(await select('SELECT * FROM operations')).toEqual(before);
  });

  test('twice at once is one operation, and its keyword is paid once', async () => {
    await move(found, -40);
    river.charged.length = 0;
    const body = { projectId: project, keywordId: found, type: 'google' };
    const answers = await Promise.all([requested(body), requested(body), requested(body)]);
    expect(new Set(answers.map((answer) => answer.body.operation.id)).size).toBe(1);
    await settled();
    const pages = river.charged.map(({ query, page }) => `${query} ${page}`);
    expect(pages.length).toBe(new Set(pages).size);
  });
});

describe('a check of indexation', () => {
  test('is refused for domains that are not the caller’s, as for those that are not there', async () => {
    const foreign = await make('domains', { domain_name: newName() }, other);
    for (const domain_ids of [[foreign.id], [main, foreign.id], [999_999]]) {
      expect(refusalOf(await ask('POST /api/check_index', { domain_ids }))).toEqual([422, 'refused', ['domain_ids']]);
    }
    expect(refusalOf(await ask('POST /api/check_index', { engine: 'bing' }))).toEqual([400, 'invalid', ['engine']]);
    const { status, body } = await ask('POST /api/check_index', { domain_ids: [main, main], engine: 'yandex' });
    expect([status, body]).toEqual([200, { message: expect.any(String), operation: { id: expect.any(Number) } }]);
    await settled();
  });
});

test('the description of the API has all of these calls', async () => {
  const { body } = await ask('GET /api/openapi.json');
  const calls = Object.entries<object>(body.paths).flatMap(([path, methods]) =>
    Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`),
  );
  expect(calls).toEqual(
    expect.arrayContaining([
      'GET /api/xmlriver',
      'POST /api/xmlriver',
      'PUT /api/xmlriver/{id}',
      'DELETE /api/xmlriver/{id}',
      'GET /api/arsenkin',
      'POST /api/arsenkin',
      'PUT /api/arsenkin/{id}',
      'DELETE /api/arsenkin/{id}',
      'GET /api/keywords/{projectId}',
      'POST /api/keywords',
      'DELETE /api/keywords/{id}',
      'GET /api/position/{domainId}/{engine}',
      'GET /api/position/{projectId}/{engine}/{keywordId}',
      'POST /api/fetch-positions',
    ]),
  );
});
