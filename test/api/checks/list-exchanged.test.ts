// A list that is exchanged while a check by it runs: the verdicts of the list that is there now are stored.
import { afterEach, beforeEach, expect, test } from 'vitest';
import { execute, executeUnaudited, select, transaction } from '../../../db/index.ts';
import { runOperation } from '../../../src/operations/engine.ts';
import { SYSTEM } from '../../../src/services/access/scope.ts';
import { startCheck } from '../../../src/services/checks/checks.ts';
import { form, request, startServer, type TestServer } from '../../support/server.ts';

let server: TestServer;
const mine = Array.from({ length: 240 }, (_, index) => `mine-${index}.test`);
const others = Array.from({ length: 900 }, (_, index) => `other-${index}.test`);
const look = { steps: ['blocklist' as const] };

beforeEach(async () => {
  server = await startServer();
  await transaction(() =>
    execute(
      `INSERT INTO domains (user_id, domain_name, unicode_name, file_path, type, transfer_type, transfer_dns, status, created_at, updated_at)
       SELECT $owner, value, value, '/', 'main', 'manual', 'off', 'available', '', '' FROM json_each($names)`,
      { owner: server.admin.id, names: JSON.stringify(mine) },
    ),
  );
  await load(others);
  await runOperation((await startCheck(SYSTEM, look, true)).id);
  // A sixth of the domains: nobody is asked.
  await load([...others, ...mine.slice(0, 40)]);
});
afterEach(() => server.close());

const ask = (call: string, body?: unknown) => request(server, call, { token: server.admin.token, body });
const load = (names: string[]) =>
  ask('POST /api/blocklist', form({ blocklist_file: new File([`${names.join('\n')}\n`], 'list.txt') }));
const version = async (): Promise<string> => (await ask('GET /api/blocklist')).body.list_version;
const blocked = async (): Promise<number> => (await ask('GET /api/dashboard')).body.blocked;

async function finished(id: number) {
  for (;;) {
    const { body } = await ask(`GET /api/operations/${id}`);
    if (body.state !== 'queued' && body.state !== 'running') return body;
    await new Promise((resolve) => setTimeout(resolve, 30));
  }
}

test('a list that is rolled back after a check has read it blocks nothing', async () => {
  const poisoned = await version();
  const { id } = await startCheck(SYSTEM, look, true, { asked_by: 'automation' });
  let answer: ReturnType<typeof ask> | undefined;
  let busy: Promise<void> | undefined;
  const rollBack = async (): Promise<void> => {
    answer = ask('POST /api/blocklist/rollback', {});
    await expect.poll(version, { interval: 10, timeout: 10_000 }).not.toBe(poisoned);
  };
  const checked = await runOperation(id, {
    onItem: () => {
      // The writer is busy, so that the check waits with its result.
      busy ??= transaction(rollBack);
    },
  });
  expect(checked.state).toBe('succeeded');
  const { status, body } = (await answer)!;
  expect(status).toBe(200);
  expect(body.operation.id).not.toBe(id);
  expect(await finished(body.operation.id)).toMatchObject({ state: 'succeeded', held: null });
  expect(await blocked()).toBe(0);
  const [first] = await select<{ n: number }>(`SELECT count(*) AS n FROM checks WHERE verdict = 'blocked'`);
  expect(first?.n).toBe(0);
});

test('a check that has stored the verdicts of the list before is no answer to a rollback', async () => {
  const { id } = await startCheck(SYSTEM, look, true, { asked_by: 'automation' });
  await runOperation(id);
  expect(await blocked()).toBe(40);
  await transaction(() =>
    executeUnaudited('check', `UPDATE operations SET state = 'running', finished_at = NULL WHERE id = $id`, { id }),
  );
  const { body } = await ask('POST /api/blocklist/rollback', {});
  expect(body.operation.id).not.toBe(id);
  expect(await finished(body.operation.id)).toMatchObject({ state: 'succeeded' });
  expect(await blocked()).toBe(0);
});

test('a check is asked for once by an exchange of the list, and anew by the next', async () => {
  const asked = (exchange: string) => startCheck(SYSTEM, look, true, { exchange });
  const first = await asked('one');
  expect(await asked('one')).toEqual({ id: first.id, started: false });
  const second = await asked('two');
  expect([second.started, second.id === first.id]).toEqual([true, false]);
});
