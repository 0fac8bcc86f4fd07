// Bulk work while our own database can't be written: the items wait, nothing is lost, and the message says why.
import { afterEach, expect, test } from 'vitest';
import { closeDatabase, openDatabase, transaction } from '../../../db/index.ts';
import { databaseAddress } from '../../../src/lib/database-address.ts';
import { startBulk, type Bulk } from '../../support/bulk.ts';
import { beginSwitch, expectWhole, fillQueue, lockHolder, messageOf } from '../../support/stuck-bulk.ts';

const ZONES = 60;

let bulk: Bulk;
afterEach(() => bulk.close());

test('items wait while another process holds the write lock beyond the timeout of a write', async () => {
  bulk = await startBulk({ zonesEach: ZONES, latencyMs: 100 });
  await closeDatabase();
  await openDatabase(databaseAddress(bulk.config), { busyGiveUpMs: 300 });
  const holder = await lockHolder(bulk);
  const { id, ended } = await beginSwitch(bulk);
  await holder.take();
  await expect.poll(() => messageOf(id)).toBe('Waits: another process is writing to the database');
  const refused = () => expect(transaction(async () => undefined)).rejects.toMatchObject({ key: 'error.database' });
  await refused();
  const asked = bulk.fake.requests.length;
  for (let times = 0; times < 2; times += 1) await refused();
  expect(bulk.fake.requests.length, 'nothing is asked for that could not be noted').toBe(asked);
  await holder.kill();
  await ended;
  await expectWhole(bulk, id);
});

/** Waits until every worker waits for an answer: no write to the journal is queued then. */
async function allAsked({ fake }: Bulk): Promise<void> {
  for (let asked = -1; asked !== fake.requests.length;) {
    asked = fake.requests.length;
    await new Promise((resolve) => setTimeout(resolve, 300));
  }
}

test('items wait while the queue of writes is full', async () => {
  bulk = await startBulk({ zonesEach: 12, latencyMs: 2_000 });
  const { id, ended } = await beginSwitch(bulk);
  let isOver = false;
  void ended.then(() => (isOver = true));
  // A journal write that was queued before the queue was full just waits and sets no message: then the queue is filled again.
  for (let isSaid = false; !isSaid;) {
    await allAsked(bulk);
    expect(isOver).toBe(false);
    const { empty } = await fillQueue();
    for (let looks = 0; looks < 60 && !isSaid; looks += 1) {
      await new Promise((resolve) => setTimeout(resolve, 100));
      isSaid = (await messageOf(id)) === 'Waits: too many writes at once';
    }
    expect(await empty()).toEqual(new Set(['done', 'error.queue_full']));
  }
  await ended;
  await expectWhole(bulk, id);
});
