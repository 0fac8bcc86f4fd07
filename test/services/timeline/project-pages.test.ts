// The page of a project and its past: on SQLite and PostgreSQL, for its owner alone.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { execute, transaction } from '../../../db/index.ts';
import { readProjectPage, readProjectTimeline } from '../../../src/services/timeline/project-pages.ts';
import type { Actor } from '../../../src/services/access/scope.ts';
import { createPerson, request, startServer, type TestServer } from '../../support/server.ts';

let server: TestServer;
let owner: Actor;
let stranger: Actor;
let id: number;

const inDays = (days: number): string => new Date(Date.now() + days * 86_400_000).toISOString();
const YESTERDAY = inDays(-1);

/** Adds a domain to the project, as a check has seen it, and returns its id. */
async function add(token: string, domain_name: string, type: string, seen: { status: string; code: number }) {
  const body = { domain_name, project_id: id, type };
  const answer = await request(server, 'POST /api/domains', { token, body });
  const row = { domain: answer.body.data.id as number, now: new Date().toISOString(), ...seen };
  await transaction(() =>
    execute(
      'UPDATE domains SET status = $status, http_status_code = $code, last_http_check_at = $now WHERE id = $domain',
      row,
    ),
  );
  return row.domain;
}

const tell = (kind: string, domain: number, at: string): Promise<unknown> =>
  transaction(() =>
    execute(
      `INSERT INTO events (kind, level, domain_id, name, cause, params, at) VALUES ($kind, 'info', $domain, 'x', '', '{}', $at)`,
      { kind, domain, at },
    ),
  );

beforeAll(async () => {
  server = await startServer();
  const [one, other] = [await createPerson(server), await createPerson(server)];
  [owner, stranger] = [one, other].map((person): Actor => ({ id: person.id, login: 'x', role: 'user' })) as [
    Actor,
    Actor,
  ];
  const { token } = one;
  id = (await request(server, 'POST /api/projects', { token, body: { name: 'Past' } })).body.data.id;
  const well = { status: 'available', code: 200 };
  const silent = await add(token, 'one.example', 'main', { status: 'available', code: 503 });
  const blocked = await add(token, 'two.example', 'main', { status: 'blocked', code: 200 });
  await add(token, 'three.example', 'main', well);
  const reserve = await add(token, 'four.example', 'transfer', well);
  await transaction(async () => {
    const sql = `INSERT INTO cloudflare_accounts (id, name, email, api_key, zones, created_at) VALUES (1, 'CDN', 'a@b.example', '', 0, $at)`;
    await execute(sql, { at: YESTERDAY });
    await execute('UPDATE domains SET cloudflare_account_id = 1 WHERE id = $reserve', { reserve });
  });
  await tell('domain_down', silent, inDays(-2));
  await tell('domain_up', silent, YESTERDAY);
  await tell('domain_blocked', blocked, YESTERDAY);
  await transaction(() =>
    execute(
      `INSERT INTO purchases (kind, domain_name, state, registrar_type, user_id, project_id, asked_by, years, currency, price, periods, day,
         reference, created_at, changed_at)
       VALUES ('register', 'four.example', 'committed', 'porkbun.com', $user, $id, 'person', 1, 'USD', 1000, '[]', $day, 'x', $at, $at)`,
      { user: one.id, id, day: inDays(-3).slice(0, 10), at: inDays(-3) },
    ),
  );
});
afterAll(() => server.close());

test('main domains that need somebody come first, and reserves are judged', async () => {
  const page = await readProjectPage(owner, 'PAST');
  expect(page.counts).toEqual({ total: 3, blocked: 1, broken: 1 });
  expect(page.mains.map(({ domain_name }) => domain_name)).toEqual(['two.example', 'one.example', 'three.example']);
  expect(page).toMatchObject({ project: { id }, reserve_count: 1, ready_count: 1, moving: [], is_moving: false });
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
