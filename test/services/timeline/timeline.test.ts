// The timeline of a domain: its entries, its readers, and its parts.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { execute, select, transaction } from '../../../db/index.ts';
import { readDomainPage } from '../../../src/services/timeline/domain-pages.ts';
import { readProjectPage } from '../../../src/services/timeline/project-pages.ts';
import { readTimeline } from '../../../src/services/timeline/timeline.ts';
import { SYSTEM, type Actor } from '../../../src/services/access/scope.ts';
import { TimelineQuery } from '../../../src/shared/timeline/timeline.ts';
import { addUser, startDatabase, type TestDatabase } from '../../support/database.ts';

const NAME = 'xn--e1afmkfd.xn--p1ai';
const at = (hour: number): string => `2026-11-20T${String(hour).padStart(2, '0')}:00:00.000Z`;

let database: TestDatabase;
let owner: Actor;
let other: Actor;
let id: number;
let sibling: number;

const run = (sql: string, bind: Record<string, unknown> = {}): Promise<unknown> =>
  transaction(() => execute(sql, bind));

async function addDomain(user: Actor, project_id: number, domain_name: string, more: Record<string, unknown> = {}) {
  const row = {
    type: 'main',
    status: 'available',
    http_status_code: 200,
    last_http_check_at: at(9),
    expired_at: null,
    user_id: user.id,
    project_id,
    domain_name,
    unicode_name: domain_name,
    created_at: at(0),
    ...more,
  };
  await run(
    `INSERT INTO domains (user_id, project_id, domain_name, unicode_name, file_path, type, transfer_type, transfer_dns, status,
       http_status_code, last_http_check_at, expired_at, created_at, updated_at)
     VALUES ($user_id, $project_id, $domain_name, $unicode_name, '/var', $type, 'auto', 'off', $status,
       $http_status_code, $last_http_check_at, $expired_at, $created_at, $created_at)`,
    row,
  );
  const [made] = await select<{ id: number }>('SELECT max(id) AS id FROM domains');
  return made!.id;
}

const look = (domain_id: number, kind: string, verdict: string, code: number | null, checked_at: string) =>
  run(
    `INSERT INTO checks (domain_id, kind, verdict, http_status_code, ms, detail, checked_at, repeats)
     VALUES ($domain_id, $kind, $verdict, $code, 12, NULL, $checked_at, 1)`,
    { domain_id, kind, verdict, code, checked_at },
  );

async function work(user_id: number | null, kind: string, lock: string, name: string, when: string): Promise<void> {
  await run(
    `INSERT INTO operations (kind, subject, user_id, input, state, total, done, failed, steps, message, fence, created_at,
       cancel_requested, changed_at, asked_by, tries)
     VALUES ($kind, $when, $user_id, '{}', 'succeeded', 1, 1, 0, '[]', '{}', 0, $when, 0, $when, 'person', 0)`,
    { kind, user_id, when },
  );
  await run(
    `INSERT INTO operation_items (operation_id, item, lane, data, state, acts, attempt, changed_at, lock_kind, lock_name, lock_part,
       in_doubt, touched, stays)
     SELECT max(id), 'x', 'x', '{}', 'done', '[]', 0, $when, $lock, $name, '', 0, 1, 0 FROM operations`,
    { lock, name, when },
  );
}

const told = async (actor: Actor, query: Record<string, unknown> = {}) =>
  (await readTimeline(actor, id, TimelineQuery.parse(query))).data.map(({ kind, text }) => `${kind} ${text.key}`);

beforeAll(async () => {
  database = await startDatabase();
  owner = await addUser('owner');
  other = await addUser('other');
  await run(`INSERT INTO projects (user_id, name, created_at, last_reserve) VALUES ($user_id, 'One', $at, 'off')`, {
    user_id: owner.id,
    at: at(0),
  });
  const [project] = await select<{ id: number }>('SELECT max(id) AS id FROM projects');
  id = await addDomain(owner, project!.id, NAME, {
    unicode_name: 'пример.рф',
    status: 'blocked',
    http_status_code: 503,
  });
  sibling = await addDomain(owner, project!.id, 'sibling.com', { type: 'transfer' });
  await addDomain(owner, project!.id, 'soon.com', { type: 'transfer', expired_at: at(1) });
  await run(
    `INSERT INTO cloudflare_accounts (id, name, email, api_key, zones, created_at) VALUES (1, 'CDN', 'a@b.example', '', 0, $at)`,
    { at: at(0) },
  );
  await run(`UPDATE domains SET cloudflare_account_id = 1 WHERE id = $sibling`, { sibling });
  await look(id, 'http', '200', 200, at(1));
  await look(id, 'http', '200', 200, at(2));
  await look(id, 'http', '503', 503, at(3));
  await look(id, 'http', '503', 503, at(4));
  await look(id, 'blocklist', 'available', null, at(1));
  await look(id, 'blocklist', 'blocked', null, at(5));
  await look(id, 'blocklist', 'blocked', null, at(6));
  await look(sibling, 'http', '404', 404, at(7));
  await run(
    `INSERT INTO transfer_history (main_domain_id, transfer_domain_id, main_domain_name, transfer_domain_name, action, created_at)
     VALUES ($sibling, $id, 'sibling.com', $name, 'auto', $at)`,
    { sibling, id, name: NAME, at: at(3) },
  );
  await work(owner.id, 'dns_edit', 'dns', NAME, at(8));
  await work(other.id, 'deploy', 'site', NAME, at(8));
  await work(owner.id, 'deploy', 'site', 'sibling.com', at(8));
  await work(owner.id, 'deploy', 'site', NAME, '2026-11-01T00:00:00.000Z');
  await run(
    `INSERT INTO indexation_spans (domain_id, engine, since, indexed, last_checked_at)
     VALUES ($id, 'yandex', $a, 1, $a), ($id, 'yandex', $b, 0, $b)`,
    { id, a: at(1), b: at(9) },
  );
});
afterAll(() => database.close());

describe('a timeline', () => {
  test('tells its owner what has changed, the newest first, and nothing of siblings, others, or the time before', async () => {
    expect(await told(owner)).toEqual([
      'positions timeline.dropped',
      'dns timeline.work_done',
      'blocks timeline.blocked',
      'moves timeline.became_main',
      'checks timeline.answered',
      'positions timeline.indexed',
      'checks timeline.answered',
    ]);
  });

  test('is not there for another', async () => {
    await expect(readTimeline(other, id, TimelineQuery.parse({}))).rejects.toMatchObject({ kind: 'not_found' });
  });

  test('tells why work has failed, and what was done all the same', async () => {
    const why = { key: 'transfer.older_left', params: { name: 'old.example', source: NAME, reason: '9103' } };
    const failed = (error: object | null) =>
      run(`UPDATE operation_items SET state = $state, error = $error WHERE lock_kind = 'dns'`, {
        state: error ? 'failed' : 'done',
        error: error && JSON.stringify(error),
      });
    await failed(why);
    const { data } = await readTimeline(owner, id, TimelineQuery.parse({ kinds: 'dns' }));
    await failed(null);
    expect(data.map(({ text }) => text)).toEqual([
      { key: 'timeline.work_failed', words: { what: 'operation.kind_dns_edit' }, also: [why] },
    ]);
  });

  test('tells administrators the work of all', async () => {
    expect(await told(SYSTEM, { kinds: 'site' })).toEqual(['site timeline.work_done']);
    expect(await told(owner, { kinds: 'site' })).toEqual([]);
  });

  test('comes in parts of any size without a gap or an entry twice', async () => {
    const whole = await readTimeline(owner, id, TimelineQuery.parse({}));
    expect(whole.next).toBeNull();
    for (const limit of [1, 2, 3]) {
      const ids: string[] = [];
      let before: string | undefined;
      do {
        const part = await readTimeline(owner, id, TimelineQuery.parse({ limit, before }));
        ids.push(...part.data.map((entry) => entry.id));
        before = part.next ?? undefined;
      } while (before !== undefined);
      expect(ids).toEqual(whole.data.map((entry) => entry.id));
    }
  });

  test('can be narrowed to kinds, and refuses what is none', async () => {
    expect(await told(owner, { kinds: 'blocks,moves' })).toEqual([
      'blocks timeline.blocked',
      'moves timeline.became_main',
    ]);
    for (const query of [{ kinds: 'all' }, { kinds: 'blocks,' }, { before: 'yesterday' }, { limit: 101 }]) {
      expect(TimelineQuery.safeParse(query).success).toBe(false);
    }
  });
});

describe('the page of a domain', () => {
  test('tells its owner that it is being moved, whoever has begun that, and who may open the move its number', async () => {
    const admin = await addUser('admin', 'admin');
    await work(admin.id, 'transfer', 'transfer', NAME, at(8));
    const move = (await select<{ id: number }>('SELECT max(id) AS id FROM operations'))[0]!.id;
    await run(`UPDATE operations SET state = 'running' WHERE id = $move`, { move });
    const pages = [await readDomainPage(owner, NAME), await readProjectPage(owner, 'One')];
    const theirs = [await readDomainPage(admin, NAME), await readProjectPage(admin, 'One')];
    await run('DELETE FROM operation_items WHERE operation_id = $move', { move });
    await run('DELETE FROM operations WHERE id = $move', { move });
    expect(pages.map(({ is_moving, moving }) => ({ is_moving, moving }))).toEqual([
      { is_moving: true, moving: null },
      { is_moving: true, moving: [] },
    ]);
    expect(theirs.map(({ is_moving, moving }) => ({ is_moving, moving }))).toEqual([
      { is_moving: true, moving: move },
      { is_moving: true, moving: [move] },
    ]);
  });

  test('is found by either spelling of its name, with since when it is red and its reserves, the best first', async () => {
    for (const name of [NAME, 'пример.рф', 'ПРИМЕР.рф']) {
      const page = await readDomainPage(owner, name);
      expect(page.domain.id).toBe(id);
      expect(page).toMatchObject({
        blocked_since: at(5),
        broken_since: at(3),
        reserve_count: 2,
        ready_count: 1,
        moving: null,
        is_moving: false,
      });
      expect(page.reserves.map(({ domain_name, state }) => `${domain_name} ${state}`)).toEqual([
        'sibling.com ready',
        'soon.com expiring',
      ]);
    }
  });

  test('has no reserve ready that serves visitors nothing by https', async () => {
    await transaction(() =>
      execute(
        `INSERT INTO certificates (domain_id, side, domain_name, looked_at, error)
         SELECT id, 'edge', domain_name, $at, 'tls' FROM domains WHERE domain_name = 'sibling.com'`,
        { at: at(1) },
      ),
    );
    const { ready_count, reserves } = await readDomainPage(owner, NAME);
    await transaction(() => execute('DELETE FROM certificates'));
    expect([ready_count, reserves.map(({ state }) => state)]).toEqual([0, ['expiring', 'unserved']]);
  });

  test('is the same to another as one of a name that nobody has, or of no name', async () => {
    for (const name of [NAME, 'nobody.com', 'no name', '']) {
      await expect(readDomainPage(other, name)).rejects.toMatchObject({ kind: 'not_found' });
    }
  });
});
