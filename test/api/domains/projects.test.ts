import { describe, expect, test } from 'vitest';
import { ask, create, names, other, project, server, useDomains } from './world.ts';

useDomains();

describe('projects', () => {
  test('are made, listed, renamed', async () => {
    const id = await project('  Первый  ');
    const { data } = (await ask('GET /api/user_projects')).body;
    expect(data).toMatchObject([{ id, name: 'Первый' }]);
    expect((await ask(`PUT /api/projects/${id}`, { name: 'Second' })).body).toEqual({
      data: { id, name: 'Second', last_reserve: 'off' },
    });
    expect((await ask('POST /api/projects', { name: '   ' })).status).toBe(400);
  });

  test('list main and reserve domains separately', async () => {
    const project_id = await project('Lists');
    const main = await create({ project_id, type: 'main' });
    const reserve = await create({ project_id, type: 'transfer' });
    await create({ type: 'main' });
    expect(names(await ask(`GET /api/project_domains/${project_id}`))).toEqual([main.domain_name]);
    expect(names(await ask(`GET /api/project_unassigned_domains/${project_id}`))).toEqual([reserve.domain_name]);
    const paged = (await ask(`GET /api/project_domains/${project_id}?limit=1&search=${main.domain_name}`)).body;
    expect([paged.data.length, paged.total]).toEqual([1, 1]);
    // The search must not match the name of the project, which would find all of its domains.
    expect(names(await ask(`GET /api/project_domains/${project_id}?search=lists`))).toEqual([]);
    const [counted] = (await ask('GET /api/user_projects')).body.data;
    expect(counted).toMatchObject({ main_count: 1, transfer_count: 1 });
  });

  test('leave their domains with the owner when deleted, and take them back when restored', async () => {
    const project_id = await project('Short-lived');
    const [kept, moved, gone] = [
      await create({ project_id }),
      await create({ project_id }),
      await create({ project_id }),
    ];
    await ask(`DELETE /api/domains/${gone.id}`);
    expect((await ask(`DELETE /api/projects/${project_id}`)).body.message).toBeTypeOf('string');
    expect((await ask(`GET /api/domains/${kept.id}`)).body.data).toMatchObject({
      project_id: null,
      project_name: null,
    });
    expect((await ask(`GET /api/project_domains/${project_id}`)).status).toBe(404);
    expect((await ask(`POST /api/domains/${kept.id}`, { project_id })).status).toBe(422);
    await ask(`POST /api/domains/${moved.id}`, { project_id: await project('Other') });
    expect((await ask(`POST /api/projects/${project_id}/restore`, {})).status).toBe(200);
    expect(names(await ask(`GET /api/project_domains/${project_id}`))).toEqual([kept.domain_name]);
  });

  test('do not take back a domain that another user owns by now', async () => {
    const project_id = await project('Old');
    const { id } = await create({ project_id });
    await ask(`DELETE /api/projects/${project_id}`);
    const theirs = (await ask('POST /api/projects', { name: 'New' }, other)).body.data.id;
    await ask(`POST /api/domains/${id}`, { project_id: theirs }, server.admin);
    await ask(`POST /api/domains/${id}`, { project_id: null }, other);
    await ask(`POST /api/projects/${project_id}/restore`, {});
    expect((await ask(`GET /api/domains/${id}`)).status).toBe(404);
    expect((await ask(`GET /api/domains/${id}`, undefined, other)).status).toBe(200);
  });

  test('hand their domains to their own owner', async () => {
    const { id, domain_name } = await create();
    const theirs = (await ask('POST /api/projects', { name: 'Theirs' }, other)).body.data.id;
    expect((await ask(`POST /api/domains/${id}`, { project_id: theirs })).status).toBe(422);
    const { data } = (await ask(`POST /api/domains/${id}`, { project_id: theirs }, server.admin)).body;
    expect(data).toMatchObject({ user_login: other.login, project_name: 'Theirs' });
    expect((await ask(`GET /api/domains/${id}`)).status).toBe(404);
    expect(names(await ask('GET /api/domains', undefined, other))).toEqual([domain_name]);
  });
});
