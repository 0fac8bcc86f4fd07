// The page of a project and its past: on SQLite and PostgreSQL, for its owner alone.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { select } from '../../../db/index.ts';
import { readProjectPage, readProjectTimeline } from '../../../src/services/timeline/project-pages.ts';
import type { Actor } from '../../../src/services/access/scope.ts';
import { inDays, insert, seedDomains, seedProjects } from '../../e2e/support/portfolio.ts';
import { createPerson, startServer, type TestServer } from '../../support/server.ts';

let server: TestServer;
let owner: Actor;
let stranger: Actor;
let id: number;

beforeAll(async () => {
  server = await startServer();
  const people = [await createPerson(server), await createPerson(server)];
  [owner, stranger] = people.map((person) => ({ id: person.id, login: 'x', role: 'user' })) as [Actor, Actor];
  await seedProjects(people[0]!.id, ['Past']);
  [{ id } = { id: 0 }] = await select<{ id: number }>(`SELECT max(id) AS id FROM projects`);
  await seedDomains(people[0]!.id, [
    { domain_name: 'one.example', project_id: id, http_status_code: 503 },
    { domain_name: 'two.example', project_id: id, status: 'blocked' },
    { domain_name: 'three.example', project_id: id },
    { domain_name: 'four.example', project_id: id, type: 'transfer' },
  ]);
  const [{ first } = { first: 0 }] = await select<{ first: number }>(`SELECT min(id) AS first FROM domains`);
  await insert('events', [
    { kind: 'domain_down', level: 'critical', domain_id: first, name: 'x', cause: '', params: '{}', at: inDays(-2) },
    { kind: 'domain_up', level: 'info', domain_id: first, name: 'x', cause: '', params: '{}', at: inDays(-1) },
    {
      kind: 'domain_blocked',
      level: 'critical',
      domain_id: first + 1,
      name: 'x',
      cause: '',
      params: '{}',
      at: inDays(-1),
    },
  ]);
  await insert('purchases', [
    {
      kind: 'register',
      domain_name: 'four.example',
      state: 'committed',
      registrar_type: 'porkbun.com',
      user_id: people[0]!.id,
      project_id: id,
      asked_by: 'person',
      years: 1,
      currency: 'USD',
      price: 1000,
      periods: '[]',
      day: inDays(-3).slice(0, 10),
      reference: 'x',
      created_at: inDays(-3),
      changed_at: inDays(-3),
    },
  ]);
});
afterAll(() => server.close());

test('main domains that need somebody come first, and reserves are judged', async () => {
  const page = await readProjectPage(owner, 'PAST');
  expect(page.counts).toEqual({ total: 3, blocked: 1, broken: 1 });
  expect(page.mains.map(({ domain_name }) => domain_name)).toEqual(['two.example', 'one.example', 'three.example']);
  expect(page).toMatchObject({ project: { id }, reserve_count: 1, ready_count: 1, moving: [] });
  for (const ref of ['Past', String(id), 'nobody', '999999']) {
    await expect(readProjectPage(stranger, ref)).rejects.toMatchObject({ kind: 'not_found' });
  }
});

test('the past comes part by part, the newest first, with names, by kinds', async () => {
  const first = await readProjectTimeline(owner, id, { limit: 3 });
  const rest = await readProjectTimeline(owner, id, { limit: 3, before: first.next ?? '' });
  expect([...first.data, ...rest.data].map(({ kind, text }) => [kind, text.key, text.params?.['name']])).toEqual([
    ['blocks', 'timeline.name_blocked', 'two.example'],
    ['checks', 'timeline.name_up', 'one.example'],
    ['checks', 'timeline.name_down', 'one.example'],
    ['purchases', 'timeline.about', 'four.example'],
  ]);
  expect(rest.next).toBeNull();
  const blocks = await readProjectTimeline(owner, id, { limit: 30, kinds: 'blocks' });
  expect(blocks.data.map(({ kind }) => kind)).toEqual(['blocks']);
  await expect(readProjectTimeline(stranger, id, { limit: 3 })).rejects.toMatchObject({ kind: 'not_found' });
});
