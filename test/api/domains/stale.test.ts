// An edit that says what its fields were is refused where somebody has changed them since; one that does not say so writes as ever.
import { describe, expect, test } from 'vitest';
import { form } from '../../support/server.ts';
import { ask, create, project, useDomains } from './world.ts';

useDomains();

const stored = async (id: number) => (await ask(`GET /api/domains/${id}`)).body.data;

describe('an edit of a domain', () => {
  test('is refused with what is there now where a field that it names was changed', async () => {
    const { id } = await create({ domain_name: 'was.example' });
    const [first, second] = [await project('First'), await project('Second')];
    const change = {
      domain_name: 'mine.example',
      project_id: second,
      was: { domain_name: 'was.example', project_id: null },
    };
    await ask(`POST /api/domains/${id}`, { domain_name: 'theirs.example', project_id: first });
    const refused = await ask(`POST /api/domains/${id}`, change);
    expect(refused.status).toBe(409);
    expect(refused.body).toEqual({
      error: 'Пока форма была открыта, это изменили: domain_name, project_id',
      code: 'stale',
      fields: {
        domain_name: 'Пока форма была открыта, это изменили',
        project_id: 'Пока форма была открыта, это изменили',
      },
      now: { domain_name: 'theirs.example', project_id: first },
    });
    expect(await stored(id)).toMatchObject({ domain_name: 'theirs.example', project_id: first });
    const again = await ask(`POST /api/domains/${id}`, { ...change, was: refused.body.now });
    expect(again.body.data).toMatchObject({ domain_name: 'mine.example', project_id: second });
  });

  test('is taken where another field was changed, or the same one to the same value', async () => {
    const { id } = await create({ domain_name: 'was.example' });
    await ask(`POST /api/domains/${id}`, { type: 'transfer', transfer_type: 'manual' });
    const was = { domain_name: 'was.example', transfer_type: 'auto' };
    const { status } = await ask(`POST /api/domains/${id}`, {
      domain_name: 'mine.example',
      transfer_type: 'manual',
      was,
    });
    expect(status).toBe(200);
    expect(await stored(id)).toMatchObject({ domain_name: 'mine.example', type: 'transfer', transfer_type: 'manual' });
  });

  test('without it writes as before', async () => {
    const { id } = await create({ domain_name: 'was.example' });
    await ask(`POST /api/domains/${id}`, { domain_name: 'theirs.example' });
    expect((await ask(`POST /api/domains/${id}`, { domain_name: 'mine.example' })).status).toBe(200);
  });

  test('as a form with a file has it as JSON text', async () => {
    const { id } = await create({ domain_name: 'was.example' });
    const edit = (was: object) => ask(`POST /api/domains/${id}`, form({ type: 'transfer', was: JSON.stringify(was) }));
    expect((await edit({ type: 'transfer' })).status).toBe(409);
    expect((await edit({ type: 'main' })).status).toBe(200);
  });

  test.each([{ was: { user_login: 'x' } }, { was: { nonsense: 1 } }, { was: ['a'] }, { was: '{' }])(
    'with %j, which is not of its fields, is refused',
    async (body) => {
      const { id } = await create();
      const { status, body: told } = await ask(`POST /api/domains/${id}`, { type: 'transfer', ...body });
      expect([status, Object.keys(told.fields)]).toEqual([400, ['was']]);
      expect((await stored(id)).type).toBe('main');
    },
  );
});

describe('an edit of a project', () => {
  test('is refused where its name was changed since', async () => {
    const id = await project('Was');
    await ask(`PUT /api/projects/${id}`, { name: 'Theirs' });
    const refused = await ask(`PUT /api/projects/${id}`, { name: 'Mine', was: { name: 'Was' } });
    expect([refused.status, refused.body.code, refused.body.now]).toEqual([409, 'stale', { name: 'Theirs' }]);
    expect((await ask(`PUT /api/projects/${id}`, { name: 'Mine', was: { name: 'Theirs' } })).status).toBe(200);
  });

  test('keeps what it does not name; one that names nothing is refused', async () => {
    const id = await project('Was');
    await ask(`PUT /api/projects/${id}`, { last_reserve: 'on' });
    const { body } = await ask(`PUT /api/projects/${id}`, { name: 'Renamed' });
    expect(body.data).toEqual({ id, name: 'Renamed', last_reserve: 'on' });
    const nothing = await ask(`PUT /api/projects/${id}`, {});
    expect([nothing.status, Object.keys(nothing.body.fields)]).toEqual([400, ['name']]);
  });
});
