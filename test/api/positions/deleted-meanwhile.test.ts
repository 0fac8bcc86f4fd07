// A request for positions of what is deleted while the request waits for other writes.
import { beforeAll, expect, test } from 'vitest';
import { select } from '../../../db/index.ts';
import { SYSTEM } from '../../../src/services/access/scope.ts';
import { deleteProject } from '../../../src/services/portfolio/projects.ts';
import { deleteKeyword } from '../../../src/services/positions/keywords.ts';
import { whileWaiting } from '../../support/database.ts';
import { ask, KEY, make, makeProject, refusalOf, useSearch } from './world.ts';

useSearch();
beforeAll(() => make('xmlriver', { name: 'river', login: '12345', key: KEY }));

const requested = (body: object) => ask('POST /api/fetch-positions', body);

test('a request for positions reads nothing of a project or keyword that is deleted while it waits for other writes', async () => {
  const [left, kept] = [await makeProject(), await makeProject()];
  await make('keywords', { keyword: 'of the project', project_id: left });
  const { id: keyword } = await make('keywords', { keyword: 'alone', project_id: kept });
  const before = await select('SELECT id FROM operations');
  const gone = await whileWaiting(
    () => requested({ projectId: left, keywordId: null, type: 'yandex' }),
    () => deleteProject(SYSTEM, left),
  );
  expect(refusalOf(gone)).toEqual([422, 'refused', ['projectId']]);
  const alone = await whileWaiting(
    () => requested({ projectId: kept, keywordId: keyword, type: 'yandex' }),
    () => deleteKeyword(SYSTEM, keyword),
  );
  expect(refusalOf(alone)).toEqual([422, 'refused', ['keywordId']]);
  expect(await select('SELECT id FROM operations')).toEqual(before);
});
