// A switch of no domain has ended as soon as it is asked for: it holds nothing, and bars no other.
import { afterEach, beforeEach, expect, test } from 'vitest';
import { operationRow } from '../../../src/operations/lease.ts';
import { requeue } from '../../../src/operations/queue.ts';
import { SYSTEM, type Actor } from '../../../src/services/access/scope.ts';
import { startSwitch, type Switch } from '../../../src/services/dns/protection.ts';
import { startBulk, type Bulk } from '../../support/bulk.ts';
import { addUser } from '../../support/database.ts';

let bulk: Bulk;
let ann: Actor;
beforeEach(async () => {
  bulk = await startBulk({ accounts: 1, zonesEach: 1 });
  ann = await addUser('ann');
});
afterEach(() => bulk.close());

const PAIRS: [Switch, Switch][] = [
  [
    { kind: 'under_attack', action: 'enable' },
    { kind: 'under_attack', action: 'disable' },
  ],
  [
    { kind: 'tls', state: 'off' },
    { kind: 'tls', state: 'on' },
  ],
];

test.each(PAIRS)('the opposite of %j is not barred by it where there is no domain', async (wanted, opposite) => {
  const none = { key: 'protect.no_domains' };
  const first = await startSwitch(ann, wanted);
  expect(first).toMatchObject({ started: true, message: none });
  const ended = await operationRow(first.id);
  expect(ended).toMatchObject({ state: 'succeeded', total: 0, finished_at: expect.any(String) });
  expect(JSON.parse(ended.message)).toEqual(none);
  expect(await startSwitch(ann, opposite)).toMatchObject({ started: true, message: none });
  await expect(requeue(first.id)).rejects.toMatchObject({ key: 'operation.nothing_left' });
});

test('a request that is sent again with its key is answered by the operation that it has made', async () => {
  const [wanted, opposite] = PAIRS[0]!;
  const { id } = await startSwitch(ann, wanted, { idem_key: 'k' });
  expect(await startSwitch(ann, wanted, { idem_key: 'k' })).toMatchObject({ id, started: false });
  await expect(startSwitch(ann, opposite, { idem_key: 'k' })).rejects.toMatchObject({ key: 'operation.key_reused' });
});

test('the opposite of a switch of a domain is barred by it until it ends', async () => {
  const [wanted, opposite] = PAIRS[0]!;
  const { id } = await startSwitch(SYSTEM, wanted);
  expect(await operationRow(id)).toMatchObject({ state: 'queued', total: 1 });
  await expect(startSwitch(SYSTEM, opposite)).rejects.toMatchObject({ kind: 'busy', params: { id } });
  await bulk.run(id);
  expect(await startSwitch(SYSTEM, opposite)).toMatchObject({ started: true });
});
