// A list that is cut off or changes too much frees and blocks nothing before a person accepts it.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { execute, transaction } from '../../db/index.ts';
import { form, request, startServer, type TestServer } from '../support/server.ts';

let server: TestServer;
const mine = Array.from({ length: 240 }, (_, index) => `mine-${index}.test`);
// 100 domains of the portfolio are on the list, spread over it.
const others = Array.from({ length: 900 }, (_, index) => `other-${index}.test`);
const listed = (count: number): string[] => mine.slice(0, count);
const LIST = Array.from({ length: 1000 }, (_, index) =>
  index % 10 === 0 ? mine[index / 10]! : others[index - Math.floor(index / 10) - 1]!,
);

beforeAll(async () => {
  server = await startServer();
  await transaction(() =>
    execute(
      `INSERT INTO domains (user_id, domain_name, unicode_name, file_path, type, transfer_type, transfer_dns, status, created_at, updated_at)
       SELECT $owner, value, value, '/', 'main', 'manual', 'off', 'available', '', '' FROM json_each($names)`,
      { owner: server.admin.id, names: JSON.stringify(mine) },
    ),
  );
});
afterAll(() => server.close());

const ask = (call: string, body?: unknown) => request(server, call, { token: server.admin.token, body });
const load = (names: string[]) =>
  ask('POST /api/blocklist', form({ blocklist_file: new File([`${names.join('\n')}\n`], 'list.txt') }));

async function finished(id: number) {
  for (;;) {
    const { body } = await ask(`GET /api/operations/${id}`);
    if (body.state !== 'queued' && body.state !== 'running') return body;
    await new Promise((resolve) => setTimeout(resolve, 30));
  }
}
/** Runs the blocklist step of a check; if `accepted`, later checks are measured against it. */
async function check(accepted = false): Promise<{ id: number; held: object | null }> {
  const { startCheck } = await import('../../src/services/checks/checks.ts');
  const { SYSTEM } = await import('../../src/services/access/scope.ts');
  return finished((await startCheck(SYSTEM, { steps: ['blocklist'], accept: accepted })).id);
}
const accept = async (id: number) => finished((await ask(`POST /api/operations/${id}/accept`, {})).body.operation.id);
const blocked = async (): Promise<number> => (await ask('GET /api/dashboard')).body.blocked;
const decide = async (what: 'accept' | 'rollback') => {
  const { status, body } = await ask(`POST /api/blocklist/${what}`, {});
  return { status, ...(status === 200 ? await finished(body.operation.id) : body) };
};

test('a truncated list frees nothing, and the complete one that follows is accepted', async () => {
  expect((await load(LIST)).status).toBe(200);
  const first = await check();
  expect(first.held).toMatchObject({ change: 'blocked', count: 100, total: 240 });
  expect(await accept(first.id)).toMatchObject({ state: 'succeeded', held: null });
  expect(await blocked()).toBe(100);

  const { status, body } = await load(LIST.slice(0, 600));
  expect([status, body.code]).toEqual([422, 'list_in_doubt']);
  expect((await ask('GET /api/blocklist')).body).toMatchObject({
    state: 'fresh',
    entries: { exact: 1000 },
    doubt: { reason: 'shrunk', found: 600, expected: 1000 },
  });
  expect(await check()).toMatchObject({ state: 'succeeded', held: null });
  expect(await blocked()).toBe(100);

  expect((await load([...LIST, 'one-more.test'])).status).toBe(200);
  expect((await ask('GET /api/blocklist')).body).toMatchObject({ entries: { exact: 1001 }, doubt: null });
  expect(await check()).toMatchObject({ state: 'succeeded', held: null });
  expect(await blocked()).toBe(100);
});

test('a list that frees too much is held until a person accepts it, even if its length is unchanged', async () => {
  // Of the same length as before, without 40 of the blocked names.
  const freeing = [
    ...LIST.filter((name) => !mine.slice(60, 100).includes(name)),
    ...Array.from({ length: 40 }, (_, i) => `new-${i}.test`),
  ];
  expect((await load(freeing)).status).toBe(200);
  const held = await check();
  expect(held).toMatchObject({ state: 'partial', held: { change: 'freed', count: 40, total: 100 } });
  expect(await blocked()).toBe(100);
  // The next check is held again, and replaces the first held result.
  const again = await check();
  expect(again.held).toMatchObject({ change: 'freed', count: 40 });
  expect((await ask(`GET /api/operations/${held.id}`)).body.held).toBeNull();
  expect(await accept(again.id)).toMatchObject({ state: 'succeeded' });
  expect(await blocked()).toBe(60);
});

test('one call brings the former list back and runs a check with it', async () => {
  const { former, list_version } = (await ask('GET /api/blocklist')).body;
  expect(await decide('rollback')).toMatchObject({ status: 200, kind: 'check' });
  expect((await ask('GET /api/blocklist')).body).toMatchObject({
    list_version: former.list_version,
    former: { total: 1000 },
  });
  expect(await blocked()).toBe(100);
  expect((await ask('GET /api/blocklist')).body.list_version).not.toBe(list_version);
});

test('growth by 19 % of the portfolio per list is held at the second list', async () => {
  const filler = others.slice(0, 880);
  // The list is as long as the one that was rolled back, so a person has to accept it.
  expect((await load([...filler, ...listed(100)])).body.code).toBe('list_in_doubt');
  expect((await decide('accept')).status).toBe(200);
  await check(true);
  await load([...filler, ...listed(145)]);
  const first = await check();
  expect([first.held, await blocked()]).toEqual([null, 145]);
  await load([...filler, ...listed(190)]);
  expect(await check()).toMatchObject({ held: { change: 'blocked', count: expect.any(Number), total: 240 } });
  expect(await blocked()).toBe(145);
});

test('gradual freeing is held as well, and a freed name that is blocked again does not count', async () => {
  const filler = others.slice(0, 880);
  await load([...filler, ...listed(145)]);
  expect(await check(true)).toMatchObject({ held: null });
  await load([...filler, ...listed(130)]);
  expect(await check()).toMatchObject({ held: null });
  await load([...filler, ...listed(145)]);
  expect(await check()).toMatchObject({ held: null });
  await load([...filler, ...listed(130)]);
  expect(await check()).toMatchObject({ held: null });
  expect(await blocked()).toBe(130);
  await load([...filler, ...listed(75)]);
  expect((await check()).held).toMatchObject({ change: 'freed' });
  expect(await blocked()).toBe(130);
});

test('a damaged index frees nothing: the check fails and says why', async () => {
  const path = join(server.config.blocklistDir, 'list.idx');
  const bytes = readFileSync(path);
  for (let at = 4096; at < bytes.length; at += 512) bytes[at]! ^= 1;
  writeFileSync(path, bytes);
  const before = await blocked();
  expect(await check()).toMatchObject({
    state: 'failed',
    steps: [{ state: 'failed', error: expect.stringContaining('повреждён') }],
  });
  expect(await blocked()).toBe(before);
});

test('accept and rollback are for administrators, and refuse where there is nothing to decide', async () => {
  const { createPerson } = await import('../support/server.ts');
  const person = await createPerson(server);
  for (const what of ['accept', 'rollback']) {
    expect((await request(server, `POST /api/blocklist/${what}`, { token: person.token, body: {} })).status).toBe(403);
  }
  await load(LIST.slice(0, 10));
  expect(await decide('accept')).toMatchObject({ status: 200 });
  expect((await ask('GET /api/blocklist')).body).toMatchObject({ entries: { exact: 10 }, doubt: null });
  expect(await decide('accept')).toMatchObject({ status: 409 });
});

test('a decision applies to the list that its user has seen: a second decision on a stale version is refused', async () => {
  const status = async () => (await ask('GET /api/blocklist')).body;
  const decideOn = (what: 'accept' | 'rollback', list_version: string) =>
    request(server, `POST /api/blocklist/${what}`, { token: server.admin.token, body: { list_version } });
  await load(LIST.slice(0, 11));
  const { former } = await status();
  expect((await decideOn('rollback', former.list_version)).status).toBe(200);
  const first = await status();
  expect(first).toMatchObject({ list_version: former.list_version, former: { total: expect.any(Number) } });
  expect((await decideOn('rollback', former.list_version)).status).toBe(409);
  await load(LIST.slice(0, 30));
  const { doubt } = await status();
  await load(LIST.slice(0, 31));
  expect((await decideOn('accept', doubt.list_version)).status).toBe(409);
  expect((await status()).list_version).toBe(first.list_version);
  expect((await decideOn('accept', (await status()).doubt.list_version)).status).toBe(200);
  expect(await status()).toMatchObject({ entries: { exact: 31 } });
});
