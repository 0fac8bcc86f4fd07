// Cancelled work that has not ended yet: it says so, and is not taken for what is asked for again.
import { afterEach, expect, test } from 'vitest';
import { execute, transaction } from '../../../db/index.ts';
import { hold } from '../../../src/demo/cloudflare/faults.ts';
import { operationRow } from '../../../src/operations/lease.ts';
import { cancelOperation, requeue } from '../../../src/operations/queue.ts';
import { SYSTEM } from '../../../src/services/access/scope.ts';
import { startSwitch, type Switch } from '../../../src/services/dns/protection.ts';
import { viewOf } from '../../../src/services/operations/operation-views.ts';
import { listOperations } from '../../../src/services/operations/operations.ts';
import { startBulk, type Bulk } from '../../support/bulk.ts';

let bulk: Bulk;
afterEach(() => bulk.close());

const ENABLE: Switch = { kind: 'under_attack', action: 'enable' };
const DISABLE: Switch = { kind: 'under_attack', action: 'disable' };
const ask = (wanted: Switch, idem_key?: string) => startSwitch(SYSTEM, wanted, { idem_key });
const isWrite = ({ method }: { method: string }): boolean => method === 'PATCH';

test('a switch that is asked for again, or its opposite, while it stops is told so; after its end it begins anew', async () => {
  bulk = await startBulk({ accounts: 1, zonesEach: 6 });
  const { fault, release } = hold();
  bulk.fake.faults.push({ ...fault, match: isWrite });
  const { id } = await ask(ENABLE, 'one');
  const running = bulk.run(id);
  await expect.poll(() => bulk.fake.requests.filter(isWrite).length).toBe(1);
  expect(await ask(ENABLE)).toMatchObject({ id, started: false });
  await cancelOperation(id);
  const stopping = { kind: 'busy', key: 'operation.stopping', params: { id } };
  await expect(ask(ENABLE)).rejects.toMatchObject(stopping);
  await expect(ask(DISABLE)).rejects.toMatchObject(stopping);
  await expect(requeue(id)).rejects.toMatchObject(stopping);
  // The very same request, sent once more, has made that operation.
  expect(await ask(ENABLE, 'one')).toMatchObject({ id, started: false });
  expect(await viewOf(await operationRow(id))).toMatchObject({
    state: 'running',
    message: { key: 'operation.cancelling' },
  });
  release();
  expect((await running).state).toBe('cancelled');
  const again = await ask(ENABLE);
  expect(again).toMatchObject({ started: true });
  expect(again.id).not.toBe(id);
});

test('stopping work says so in its view and in the list, not that it waits for a limit', async () => {
  bulk = await startBulk({ accounts: 1, zonesEach: 2 });
  const { id } = await ask(ENABLE);
  const until = new Date(Date.now() + 3_600_000).toISOString();
  await transaction(() =>
    execute(
      `UPDATE operations SET state = 'running', fence = 1, lease_owner = 'other', lease_until = $until, waits_until = $until WHERE id = $id`,
      { id, until },
    ),
  );
  const views = async () => [await viewOf(await operationRow(id)), ...(await listOperations(SYSTEM)).data];
  for (const view of await views()) {
    expect(view).toMatchObject({ message: { key: 'operation.waits_until' }, waits_until: until, cancellable: true });
  }
  await cancelOperation(id);
  for (const view of await views()) {
    expect(view).toMatchObject({ message: { key: 'operation.cancelling' }, waits_until: null, cancellable: false });
  }
});
