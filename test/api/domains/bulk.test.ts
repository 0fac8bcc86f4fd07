import { describe, expect, test, vi } from 'vitest';
import { databaseLoad, execute, select, transaction } from '../../../db/index.ts';
import { itemOn } from '../../../src/operations/locks.ts';
import { cancelOperation, enqueue } from '../../../src/operations/queue.ts';
import { newName } from '../calls.ts';
import { ask, create, names, other, owner, project, server, useDomains } from './world.ts';

useDomains();

const bulk = (selection: object, act: object, more: object = {}, person = owner) =>
  ask('POST /api/domains_bulk', { selection, act, ...more }, person);
const plan = async (selection: object, act: object, person = owner) =>
  (await ask('POST /api/domains_bulk/plan', { selection, act }, person)).body.data;
const undo = (id: number, person = owner) => ask(`POST /api/domains_bulk/${id}/undo`, {}, person);
const one = async (id: number) => (await ask(`GET /api/domains/${id}`)).body.data;
const manual = { kind: 'edit', fields: { transfer_type: 'manual' } };

describe('an edit of many domains', () => {
  test('by a filter changes what the plan said, in one row of the audit, and is taken back', async () => {
    const [first, second] = [await project('First'), await project('Second')];
    const rows = [await create({ project_id: first }), await create({ project_id: first }), await create()];
    const act = { kind: 'edit', fields: { project_id: second } };
    const selection = { filter: { project_id: first } };
    const shown = await plan(selection, act);
    expect(shown).toMatchObject({ count: 2, changes: 2, same: 0, left: [], missing: [] });
    const { body } = await bulk(selection, act, { expected: shown.expected });
    expect(body.data).toMatchObject({ changes: 2 });
    expect([(await one(rows[0].id)).project_id, (await one(rows[2].id)).project_id]).toEqual([second, null]);
    const [audited] = await select<{ object_ids: string }>('SELECT object_ids FROM audit ORDER BY id DESC LIMIT 1');
    expect(JSON.parse(audited?.object_ids ?? '')).toEqual([rows[0].id, rows[1].id]);
    // A domain that was changed since stays.
    await ask(`POST /api/domains/${rows[1].id}`, { project_id: null });
    expect((await undo(body.data.undo)).body.data).toEqual({ restored: 1, kept: 1 });
    expect([(await one(rows[0].id)).project_id, (await one(rows[1].id)).project_id]).toEqual([first, null]);
    expect((await undo(body.data.undo)).status).toBe(409);
  });

  test('is refused where other domains are selected than those that were shown', async () => {
    await create();
    const shown = await plan({ filter: {} }, manual);
    const late = await create();
    const answer = await bulk({ filter: {} }, manual, { expected: shown.expected });
    expect(answer).toMatchObject({ status: 409, body: { code: 'selection_changed', count: 2 } });
    expect((await one(late.id)).transfer_type).toBe('auto');
    expect((await bulk({ filter: {} }, manual)).status).toBe(400);
    expect((await bulk({ filter: { status: 'blokced' } }, manual, { expected: 'x' })).status).toBe(400);
    expect((await bulk({ filter: { proyect: 1 } }, manual, { expected: 'x' })).status).toBe(400);
  });

  test('leaves out what was excepted', async () => {
    const rows = [await create(), await create()];
    const selection = { filter: {}, except: [rows[1].domain_name] };
    const { expected } = await plan(selection, manual);
    expect((await bulk(selection, manual, { expected })).body.data.changes).toBe(1);
    expect((await one(rows[1].id)).transfer_type).toBe('auto');
  });

  test('reaches nothing of another user: not by name, not by a filter, not by its project or its undo', async () => {
    const mine = await create();
    const theirs = (await ask('POST /api/domains', { domain_name: newName() }, other)).body.data;
    const absent = newName();
    const picked = [mine.domain_name, theirs.domain_name, absent];
    const { data } = (await bulk({ names: picked }, manual)).body;
    expect(data).toMatchObject({ changes: 1, missing: [theirs.domain_name, absent] });
    expect((await plan({ filter: {} }, { kind: 'delete' })).count).toBe(1);
    const foreign = (await ask('POST /api/projects', { name: 'Theirs' }, other)).body.data.id;
    const into = { kind: 'edit', fields: { project_id: foreign } };
    expect((await bulk({ names: picked }, into)).body).toMatchObject({ error: 'Unknown project_id' });
    expect((await undo(data.undo, other)).status).toBe(404);
    const stands = (await ask(`GET /api/domains/${theirs.id}`, undefined, other)).body.data;
    expect(stands).toEqual(theirs);
    expect((await undo(data.undo, server.admin)).status).toBe(200);
  });

  test('leaves a domain that is being moved, and says why', async () => {
    const [moving, free] = [await create({ project_id: await project('From') }), await create()];
    const to = await project('To');
    const { id } = await enqueue({
      kind: 'test',
      subject: 'bulk',
      user_id: owner.id,
      input: {},
      message: { key: 'check.started' },
      locks: [itemOn({ kind: 'domain', name: moving.domain_name }).lock],
    });
    const selection = { names: [moving.domain_name, free.domain_name] };
    const { data } = (await bulk(selection, { kind: 'edit', fields: { project_id: to } })).body;
    expect(data).toMatchObject({ changes: 1, left: [{ code: 'bulk.moving', count: 1, names: [moving.domain_name] }] });
    expect((await plan(selection, { kind: 'delete' })).changes).toBe(1);
    await cancelOperation(id);
  });
});

test('a deletion of many domains is taken back, but for names that were added again', async () => {
  const rows = [await create(), await create()];
  const selection = { names: rows.map(({ domain_name }) => domain_name) };
  const { data } = (await bulk(selection, { kind: 'delete' })).body;
  expect(data.changes).toBe(2);
  expect(names(await ask('GET /api/domains'))).toEqual([]);
  await create({ domain_name: rows[0].domain_name });
  expect((await undo(data.undo)).body.data).toEqual({ restored: 1, kept: 1 });
  expect((await one(rows[1].id)).domain_name).toBe(rows[1].domain_name);
});

test('names and CSV of a selection are the caller’s own', async () => {
  const [mine, kept] = [
    await create({ domain_name: `b-${newName()}` }),
    await create({ domain_name: `a-${newName()}` }),
  ];
  const theirs = (await ask('POST /api/domains', { domain_name: newName() }, other)).body.data;
  const picked = { names: [theirs.domain_name, mine.domain_name, newName()] };
  expect((await ask('POST /api/domains_bulk/names', { selection: picked })).body.data).toEqual([mine.domain_name]);
  const all = { filter: {}, except: [kept.domain_name] };
  const { csv, filename } = (await ask('POST /api/domains_bulk/export', { selection: all })).body;
  expect(filename).toMatch(/^domains-.*\.csv$/);
  expect(csv.trim().split('\r\n')).toHaveLength(2);
  expect(csv).toContain(mine.domain_name);
});

const work = (selection: object, what: object, more: object = {}, person = owner) =>
  ask('POST /api/domains_bulk/work', { selection, work: what, ...more }, person);
const workPlan = async (selection: object, what: object, person = owner) =>
  (await ask('POST /api/domains_bulk/work/plan', { selection, work: what }, person)).body.data;

describe('work on many domains outside', () => {
  test('reaches the caller’s own alone, as one operation, and the same again is that one', async () => {
    const rows = [await create(), await create()];
    const theirs = (await ask('POST /api/domains', { domain_name: newName() }, other)).body.data;
    const selection = { names: [...rows.map(({ domain_name }) => domain_name), theirs.domain_name] };
    const shown = await workPlan(selection, { kind: 'check' });
    expect(shown).toMatchObject({ count: 2, changes: 2, missing: [theirs.domain_name] });
    expect((await work(selection, { kind: 'check' })).status).toBe(400);
    const first = (await work(selection, { kind: 'check' }, { expected: shown.expected })).body;
    expect(first.operations).toHaveLength(1);
    const [row] = await select<{ input: string }>('SELECT input FROM operations WHERE id = $id', first.operations[0]);
    expect(JSON.parse(row?.input ?? '').domain_ids).toEqual(rows.map(({ id }) => id));
    await create();
    const all = await workPlan({ filter: {} }, { kind: 'check' });
    await create();
    const late = await work({ filter: {} }, { kind: 'check' }, { expected: all.expected });
    expect(late).toMatchObject({ status: 409, body: { code: 'selection_changed' } });
  });

  test('leaves a domain that is deleted while it waits to be queued, and begins nothing for it alone', async () => {
    const account = { name: 'CDN', email: 'ops@example.net', api_key: '0'.repeat(37) };
    const { id } = (await ask('POST /api/cloudflare_accounts', account, server.admin)).body.data;
    const [kept, gone] = [await create({ cloudflare_account_id: id }), await create({ cloudflare_account_id: id })];
    const tls = { kind: 'tls', state: 'on' };
    /** Deletes the second domain while the call waits for its turn to write. */
    const whileDeleted = async (...chosen: string[]) => {
      const { expected } = await workPlan({ names: chosen }, tls);
      const deleting = transaction(async () => {
        await vi.waitFor(() => expect(databaseLoad().writesQueued).toBeGreaterThan(0), { timeout: 20_000 });
        await execute(`UPDATE domains SET deleted_at = '2026-01-01T00:00:00.000Z' WHERE id = $id`, { id: gone.id });
      });
      const answer = work({ names: chosen }, tls, { expected });
      await deleting;
      return answer;
    };
    const alone = await whileDeleted(gone.domain_name);
    expect(alone).toMatchObject({ status: 409, body: { code: 'plan_stale' } });
    await transaction(() => execute('UPDATE domains SET deleted_at = NULL WHERE id = $id', { id: gone.id }));
    const both = await whileDeleted(kept.domain_name, gone.domain_name);
    expect(both.body).toMatchObject({
      data: { changes: 1, left: [{ names: [gone.domain_name], code: 'bulk.left_changed' }] },
    });
    const [begun] = await select<{ lock_name: string }>(
      'SELECT lock_name FROM operation_items ORDER BY id DESC LIMIT 1',
    );
    expect(begun).toEqual({ lock_name: kept.domain_name });
  });

  test('says of each domain why it is not reached, and begins nothing where none is', async () => {
    const { domain_name } = await create();
    const selection = { names: [domain_name] };
    const [before] = await select<{ n: number }>('SELECT COUNT(*) AS n FROM operations');
    for (const [what, code] of [
      [{ kind: 'dns' }, 'bulk.left_no_account'],
      [{ kind: 'tls', state: 'on' }, 'bulk.left_no_account'],
      [{ kind: 'under_attack', action: 'enable' }, 'bulk.left_no_account'],
      [{ kind: 'deploy' }, 'bulk.left_no_site'],
      [{ kind: 'transfer' }, 'bulk.left_not_blocked'],
    ] as const) {
      const shown = await workPlan(selection, what);
      expect(shown).toMatchObject({ changes: 0, left: [{ code, count: 1, names: [domain_name] }] });
      expect((await work(selection, what, { expected: shown.expected })).status).toBe(422);
    }
    const theirs = (await ask('POST /api/domains', { domain_name: newName() }, other)).body.data;
    const to = { kind: 'attach', to: theirs.domain_name };
    expect((await work(selection, to, { expected: 'x' })).status).toBe(409);
    expect((await ask('POST /api/domains_bulk/work/plan', { selection, work: to })).body.error).toBe('Unknown to');
    expect((await select<{ n: number }>('SELECT COUNT(*) AS n FROM operations'))[0]).toEqual(before);
  });
});
