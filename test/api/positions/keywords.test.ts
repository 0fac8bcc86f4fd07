// Keywords over HTTP: their shapes, what is refused and by which field, and whose they are.
import { describe, expect, test } from 'vitest';
import { request } from '../../support/server.ts';
import { ask, make, makeProject, other, owner, refusalOf, server, useSearch } from './world.ts';

useSearch();

const valuesIn = async (project: number): Promise<string[]> =>
  (await ask(`GET /api/keywords/${project}`)).body.map(({ value }: { value: string }) => value);

describe('keywords', () => {
  test('are added one a call, listed as they were added, and deleted', async () => {
    const project = await makeProject();
    const added = await ask('POST /api/keywords', { keyword: '  онлайн казино ', project_id: project });
    expect([added.status, added.body]).toEqual([200, { id: expect.any(Number), value: 'онлайн казино' }]);
    await make('keywords', { keyword: 'a', project_id: String(project) });
    const { status, body } = await ask(`GET /api/keywords/${project}`);
    expect(status).toBe(200);
    expect(body).toMatchObject([{ id: added.body.id, value: 'онлайн казино' }, { value: 'a' }]);
    const deleted = await ask(`DELETE /api/keywords/${added.body.id}`);
    expect([deleted.status, deleted.body]).toEqual([200, { message: 'Keyword deleted: онлайн казино' }]);
    expect(await valuesIn(project)).toEqual(['a']);
    expect((await ask(`DELETE /api/keywords/${added.body.id}`)).status).toBe(404);
  });

  test('are counted in the list of projects, each project by its own', async () => {
    const [one, two, none] = [await makeProject(), await makeProject(), await makeProject()];
    for (const keyword of ['a', 'b']) await make('keywords', { keyword, project_id: one });
    await make('keywords', { keyword: 'a', project_id: two });
    const { body } = await ask('GET /api/user_projects');
    const counts = new Map(body.data.map((row: { id: number; keyword_count: number }) => [row.id, row.keyword_count]));
    expect([one, two, none].map((id) => counts.get(id))).toEqual([2, 1, 0]);
  });

  test('that differ by case, blanks or composition of their letters are the same, by ё they are not', async () => {
    const project = await makeProject();
    for (const keyword of ['Ёлка  Купить', 'йод', 'елка купить', 'C#']) {
      await make('keywords', { keyword, project_id: project });
    }
    const same = ['ёлка купить', 'ЁЛКА\u00A0 купить', 'елка   КУПИТЬ', 'ЙОД', 'и\u0306од', 'c#'];
    for (const keyword of same) {
      const answer = await ask('POST /api/keywords', { keyword, project_id: project });
      expect([keyword, ...refusalOf(answer)]).toEqual([keyword, 409, 'conflict', ['keyword']]);
    }
    expect(await valuesIn(project)).toEqual(['Ёлка  Купить', 'йод', 'елка купить', 'C#']);
    await make('keywords', { keyword: 'йод', project_id: await makeProject() });
  });

  test.each([
    ['nothing', ''],
    ['blanks', ' \t\u00A0 '],
    ['513 characters', 'x'.repeat(513)],
    ['a NUL', 'a\0b'],
    ['a control character', 'a\u001Bb'],
    ['a C1 character', 'a\u0085b'],
    ['a tabulator', 'a\tb'],
    ['two lines', 'a\nb'],
    ['a line separator', 'a\u2028b'],
    ['half a character', 'a\uD800'],
    ['a direction override', 'a\u202Eb'],
    ['a mark of direction', 'a\u200Fb'],
    ['a mark of direction at its end', 'ab\u200E'],
    ['a blank without width', 'a\u200Bb'],
    ['a soft hyphen', 'ка\u00ADзино'],
    ['a word joiner', 'a\u2060b'],
    ['a byte order mark within', 'a\uFEFFb'],
    ['marks alone', '\u200B\u200B'],
    ['a number', 5],
    ['a list', ['a']],
    ['null', null],
    ['nothing at all', undefined],
  ])('are refused with the error of their field: %s', async (_what, keyword) => {
    const project = await makeProject();
    const answer = await ask('POST /api/keywords', { keyword, project_id: project });
    expect(refusalOf(answer)).toEqual([400, 'invalid', ['keyword']]);
    expect(await valuesIn(project)).toEqual([]);
  });

  test('of 512 characters, of emoji with joiners and of letters with marks are taken', async () => {
    const project = await makeProject();
    const kept = ['x'.repeat(512), '👨\u200D👩\u200D👧 билеты', 'می\u200Cخواهم', 'и\u0306ога'];
    for (const keyword of kept) await make('keywords', { keyword, project_id: project });
    expect(await valuesIn(project)).toEqual(kept.map((value) => value.normalize('NFC')));
  });

  test.each([
    ['a text', 'x', 400],
    ['a negative number', -1, 400],
    ['zero', 0, 400],
    ['a fraction', 1.5, 400],
    ['a number beyond all', 1e300, 400],
    ['nothing', undefined, 400],
    ['an unknown one', 9_007_199_254_740_991, 422],
  ])('are refused for a project that is %s', async (_what, project_id, status) => {
    const answer = await ask('POST /api/keywords', { keyword: 'a', project_id });
    expect(refusalOf(answer)).toEqual([status, status === 400 ? 'invalid' : 'refused', ['project_id']]);
  });

  test('of somebody else are not there, and nobody else adds any', async () => {
    const project = await makeProject();
    const { id } = await make('keywords', { keyword: 'mine', project_id: project });
    expect((await ask(`GET /api/keywords/${project}`, undefined, other)).status).toBe(404);
    expect((await ask(`DELETE /api/keywords/${id}`, undefined, other)).status).toBe(404);
    expect((await ask(`PUT /api/keywords/${id}`, { tags: ['x'] }, other)).status).toBe(404);
    const foreign = await ask('POST /api/keywords', { keyword: 'x', project_id: project }, other);
    const unknown = await ask('POST /api/keywords', { keyword: 'x', project_id: 999_999 }, other);
    expect(foreign.body).toEqual(unknown.body);
    expect(foreign.body).toMatchObject({ fields: { project_id: 'Unknown project_id' } });
    expect(await valuesIn(project)).toEqual(['mine']);
    expect((await ask(`GET /api/keywords/${project}`, undefined, server.admin)).body).toHaveLength(1);
  });

  test('ask for a token', async () => {
    const calls = ['GET /api/keywords/1', 'POST /api/keywords', 'DELETE /api/keywords/1'];
    for (const call of calls) {
      expect((await request(server, call)).body).toMatchObject({ error: 'No token provided' });
      const answer = await request(server, call, { token: 'x' });
      expect([answer.status, answer.body.error]).toEqual([403, 'Failed to authenticate token']);
    }
  });

  test('ids in a path that are none are not there', async () => {
    for (const id of ['0', '-1', '1.5', 'x', '1e3', '99999999999999999999', '%00', '01', '1%20']) {
      expect([id, (await ask(`GET /api/keywords/${id}`)).status]).toEqual([id, 404]);
      expect([id, (await ask(`DELETE /api/keywords/${id}`)).status]).toEqual([id, 404]);
    }
  });

  test.each([-1, 1.5, 1_000_000_001, '700', true])(
    'a frequency of %j is refused by its field, in words',
    async (frequency) => {
      const project = await makeProject();
      const { id } = await make('keywords', { keyword: 'mine', project_id: project });
      await ask(`PUT /api/keywords/${id}`, { frequency: 1_000_000_000 });
      const { status, body } = await ask(`PUT /api/keywords/${id}`, { frequency });
      expect([status, body.fields]).toEqual([
        400,
        { frequency: expect.stringMatching(/^The frequency is a whole number/) },
      ]);
      expect((await ask(`GET /api/keywords/${project}`)).body).toMatchObject([{ frequency: 1_000_000_000 }]);
    },
  );

  test('go with their project', async () => {
    const project = await makeProject();
    const { id } = await make('keywords', { keyword: 'mine', project_id: project });
    expect((await ask(`DELETE /api/projects/${project}`, undefined, owner)).status).toBe(200);
    expect((await ask(`GET /api/keywords/${project}`)).status).toBe(404);
    expect((await ask(`DELETE /api/keywords/${id}`)).status).toBe(404);
  });
});
