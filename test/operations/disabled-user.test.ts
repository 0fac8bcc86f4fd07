// No work goes on in the name of a disabled user; what had begun is brought to a known end.
import { createServer, type Server } from 'node:http';
import type { OperationItemRow } from '../../src/shared/operations/tables.ts';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { execute, select, transaction } from '../../db/index.ts';
import { registerFlows, runOperation } from '../../src/operations/engine.ts';
import { countItems } from '../../src/operations/items.ts';
import { endingOf, operationRow } from '../../src/operations/lease.ts';
import { enqueue, requeue } from '../../src/operations/queue.ts';
import { restoreFlow, startRestore } from '../../src/operations/restore.ts';
import { disableUser } from '../../src/services/access/user-changes.ts';
import { createUser } from '../../src/services/access/users.ts';
import { startDatabase } from '../support/database.ts';
import { PASSWORD } from '../support/server.ts';
import { BACK_ACTS, backFlow, startOutside, testFlow, type Outside } from './outside.ts';

let database: Awaited<ReturnType<typeof startDatabase>>;
let outside: Outside;
let user: number;

beforeEach(async () => {
  database = await startDatabase();
  outside = await startOutside();
  user = await createUser({ login: 'ann', password: PASSWORD, role: 'user' });
  registerFlows([testFlow(outside.url), backFlow(outside.url), restoreFlow]);
});
afterEach(async () => {
  await database.close();
  await outside.close();
});

const queue = async (kind: 'test' | 'back', names: string[], user_id: number | null = user): Promise<number> => {
  const items = names.map((item) => ({ item, lane: 'one', data: {} }));
  const asked = { kind, subject: names.join(), user_id, input: {}, message: { key: 'check.started' } as const, items };
  return (await enqueue(asked, true)).id;
};
const message = async (id: number) => JSON.parse((await operationRow(id)).message) as object;
const itemsOf = (id: number) =>
  select<OperationItemRow>('SELECT * FROM operation_items WHERE operation_id = $id ORDER BY id', { id });

/** A proxy to the outside that holds the nth write: `closed` resolves when that write arrives, `open` lets it through. */
async function gateAt(n: number): Promise<{ url: string; closed: Promise<void>; open: () => void; server: Server }> {
  let count = 0;
  let open = (): void => undefined;
  let reached = (): void => undefined;
  const closed = new Promise<void>((resolve) => (reached = resolve));
  const opened = new Promise<void>((resolve) => (open = resolve));
  const server = createServer((request, response) => {
    void (async () => {
      const chunks: Buffer[] = [];
      for await (const chunk of request) chunks.push(chunk as Buffer);
      if (request.method === 'PUT' && ++count === n) {
        reached();
        await opened;
      }
      const method = request.method ?? 'GET';
      const body = method === 'PUT' ? Buffer.concat(chunks) : null;
      const answer = await fetch(outside.url + (request.url ?? ''), { method, body });
      response.writeHead(answer.status).end(await answer.text());
    })();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as { port: number };
  return { url: `http://127.0.0.1:${port}`, closed, open, server };
}

test('queued work of a disabled user is not begun, and says why', async () => {
  const id = await queue('test', ['a', 'b']);
  await disableUser('ann');
  expect(await endingOf(id)).toBe('user_disabled');
  expect(await runOperation(id)).toMatchObject({ state: 'cancelled' });
  expect(await message(id)).toMatchObject({ key: 'operation.user_disabled', params: { login: 'ann' } });
  expect(await countItems(id)).toMatchObject({ cancelled: 2, done: 0 });
  expect(outside.writes).toEqual([]);
});

test('once the user is disabled, acts under way are finished and no other act is begun', async () => {
  const gate = await gateAt(3);
  registerFlows([testFlow(gate.url)]);
  const id = await queue('test', ['a', 'b', 'c', 'd', 'e', 'f']);
  const running = runOperation(id);
  await gate.closed;
  const begun = await transaction(async () => {
    await execute('UPDATE users SET active = 0 WHERE id = $user', { user });
    return select<{ n: number }>(
      `SELECT count(*) AS n FROM operation_items i, json_each(i.acts) act
       WHERE i.operation_id = $id AND act.value ->> 'state' IN ('intent', 'done')`,
      { id },
    );
  });
  gate.open();
  expect(await running).toMatchObject({ state: 'cancelled' });
  gate.server.close();
  const counts = await countItems(id);
  expect([counts.queued, counts.intent, counts.failed]).toEqual([0, 0, 0]);
  const acts = (await itemsOf(id)).flatMap((row) => JSON.parse(row.acts) as { state: string }[]);
  expect(acts.every(({ state }) => state === 'done')).toBe(true);
  expect([acts.length, outside.writes.length]).toEqual([begun[0]?.n, begun[0]?.n]);
  expect(outside.writes.length).toBeLessThan(12);
});

/** Runs work with a rollback and disables its user at the given call; returns the end state and the values outside. */
async function disabledAt(call: number) {
  for (const act of BACK_ACTS) outside.values.set(`n.${act}`, 'old');
  const gate = await gateAt(call);
  registerFlows([backFlow(gate.url)]);
  const id = await queue('back', ['n']);
  const running = runOperation(id);
  await gate.closed;
  await disableUser('ann');
  gate.open();
  const { state } = await running;
  gate.server.close();
  return { id, state, values: BACK_ACTS.map((act) => outside.values.get(`n.${act}`)) };
}

test('work of a disabled user is rolled back before its point of no return', async () => {
  const { id, state, values } = await disabledAt(2);
  expect(state).toBe('cancelled');
  expect(values).toEqual(['old', 'old', 'old', 'old']);
  expect(await message(id)).toMatchObject({ key: 'operation.user_disabled' });
});

test('work of a disabled user is completed past its point of no return', async () => {
  const { state, values } = await disabledAt(3);
  expect(state).toBe('succeeded');
  expect(values).toEqual(Array(4).fill('wanted'));
});

test('nothing is queued, tried again or restored in the name of a disabled user; others can restore the work of that user', async () => {
  outside.faults.set('b', ['refuse']);
  const id = await queue('test', ['a', 'b']);
  await runOperation(id);
  await disableUser('ann');
  const refused = { kind: 'refused', key: 'operation.user_disabled', params: { login: 'ann' } };
  await expect(queue('test', ['c'])).rejects.toMatchObject(refused);
  await expect(requeue(id)).rejects.toMatchObject(refused);
  await expect(startRestore(user, id)).rejects.toMatchObject(refused);
  expect(await operationRow(id)).toMatchObject({ state: 'partial' });
  const back = await startRestore(null, id, true);
  expect(await runOperation(back.id)).toMatchObject({ state: 'succeeded' });
  expect(outside.values.get('a')).toBe('');
  await transaction(() => execute('UPDATE users SET active = 1 WHERE id = $user', { user }));
  // The one that has failed, and the one that was given back.
  expect(await requeue(id, true)).toBe(2);
});
