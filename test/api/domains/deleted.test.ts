// Deleted domains, as those who may bring them back find them.
import { expect, test } from 'vitest';
import { execute, transaction } from '../../../db/index.ts';
import { newName } from '../calls.ts';
import { ask, create, names, other, project, server, useDomains } from './world.ts';

useDomains();

const AT = '2026-01-02T03:04:05.000Z';
const remove = (id: number, person?: typeof other) => ask(`DELETE /api/domains/${id}`, undefined, person);
const deleted = (name?: string, person?: typeof other) =>
  ask(
    `GET /api/deleted_domains${name === undefined ? '' : `?domain_name=${encodeURIComponent(name)}`}`,
    undefined,
    person,
  );

test('a deleted domain is found by its name, with what it has, and comes back with that', async () => {
  const project_id = await project('Shop');
  const { id, domain_name } = await create({ domain_name: 'пример.рф', project_id });
  await transaction(async () => {
    await execute(`INSERT INTO templates (name, created_at) VALUES ('Promo', $at)`, { at: AT });
    await execute(
      `INSERT INTO sites (domain_id, template_id, html_name, html, deployed_at, updated_at)
       SELECT $id, MAX(id), 'a.html', '', $at, $at FROM templates`,
      { id, at: AT },
    );
  });
  expect((await deleted(domain_name)).body).toEqual({ data: [] });
  await remove(id);
  const { status, body } = await deleted('Пример.рф');
  expect(status).toBe(200);
  expect(body.data).toEqual([
    {
      id,
      domain_name,
      unicode_name: 'пример.рф',
      type: 'main',
      project_name: 'Shop',
      server_name: null,
      deployed_at: AT,
      deleted_at: expect.any(String),
    },
  ]);
  expect((await ask(`POST /api/domains/${id}/restore`, {})).body.data).toMatchObject({ id, project_id });
  expect((await deleted(domain_name)).body).toEqual({ data: [] });
});

test('the last deleted one comes first, and none whose name is taken again, by anybody', async () => {
  const [first, second] = [newName(), newName()];
  for (const domain_name of [first, second, first]) await remove((await create({ domain_name })).id);
  expect(names(await deleted())).toEqual([first, second, first]);
  expect(names(await deleted(first))).toEqual([first, first]);
  await ask('POST /api/domains', { domain_name: first }, other);
  expect(names(await deleted())).toEqual([second]);
});

test('deleted domains of others are not there, but for administrators', async () => {
  const { id, domain_name } = await create();
  await remove(id);
  expect((await deleted(domain_name, other)).body).toEqual({ data: [] });
  expect((await deleted(undefined, other)).body).toEqual({ data: [] });
  expect(names(await deleted(domain_name, server.admin))).toEqual([domain_name]);
});

test('a text that is no name is refused', async () => {
  expect((await deleted('no name/at all')).status).toBe(400);
});
