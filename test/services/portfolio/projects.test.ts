import { afterEach, beforeEach, expect, test } from 'vitest';
import { execute, select, transaction } from '../../../db/index.ts';
import { createDomain, deleteDomain } from '../../../src/services/portfolio/domains.ts';
import { purge } from '../../../src/services/system/purge.ts';
import { createProject, deleteProject, projectNamed } from '../../../src/services/portfolio/projects.ts';
import type { Actor } from '../../../src/services/access/scope.ts';
import { DomainInput } from '../../../src/shared/portfolio/domains.ts';
import { startDatabase } from '../../support/database.ts';

let database: Awaited<ReturnType<typeof startDatabase>>;
const ann: Actor = { id: 1, login: 'ann', role: 'user' };
const bob: Actor = { id: 2, login: 'bob', role: 'user' };

beforeEach(async () => {
  database = await startDatabase();
  const insert = `INSERT INTO users (id, login, password, role, created_at) VALUES ($id, $login, '', 'user', '')`;
  await transaction(async () => {
    for (const { id, login } of [ann, bob]) await execute(insert, { id, login });
  });
});
afterEach(() => database.close());

const add = (domain_name: string, project_id: number) =>
  createDomain(ann, DomainInput.parse({ domain_name, project_id }));

test('deleting a project returns how many domains lost it, without deleted ones', async () => {
  const { id } = await createProject(ann, { name: 'P' });
  await add('one.example', id);
  await add('two.example', id);
  await deleteDomain(ann, (await add('three.example', id)).id);
  expect(await deleteProject(ann, id)).toBe(2);
});

test('a project is found by its id or its name in any case, and only by users who can see it', async () => {
  const { id } = await createProject(ann, { name: 'Shoes' });
  const other = await createProject(bob, { name: String(id) });
  expect((await projectNamed(ann, 'SHOES')).id).toBe(id);
  expect((await projectNamed(ann, String(id))).id).toBe(id);
  // A number counts as a name where the project with that id is not visible to the caller.
  expect((await projectNamed(bob, String(id))).id).toBe(other.id);
  await expect(projectNamed(bob, 'Shoes')).rejects.toMatchObject({ kind: 'not_found' });
});

test('deleted domains are purged after 30 days, together with old checks', async () => {
  const { id } = await createProject(ann, { name: 'P' });
  const [kept, recent, old] = [
    await add('kept.example', id),
    await add('recent.example', id),
    await add('old.example', id),
  ];
  const ago = (days: number): string => new Date(Date.now() - days * 86_400_000).toISOString();
  await transaction(async () => {
    const mark = 'UPDATE domains SET deleted_at = $at WHERE id = $id';
    await execute(mark, { at: ago(29), id: recent.id });
    await execute(mark, { at: ago(31), id: old.id });
    const check = `INSERT INTO checks (domain_id, kind, verdict, checked_at) VALUES ($id, 'http', '200', $at)`;
    for (const days of [91, 89, 2, 1]) await execute(check, { id: kept.id, at: ago(days) });
    await execute(check, { id: old.id, at: ago(1) });
  });
  await purge();
  const names = await select<{ domain_name: string }>('SELECT domain_name FROM domains ORDER BY id');
  expect(names.map(({ domain_name }) => domain_name)).toEqual(['kept.example', 'recent.example']);
  expect(await select('SELECT 1 FROM checks')).toHaveLength(3);
});
