// Bulk work whose own database can't be written for a while: the items wait, nothing is lost, and the screen says why.
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, expect, test } from 'vitest';
import { closeDatabase, openDatabase, transaction } from '../../db/index.ts';
import { startBulk, type Bulk } from '../bulk.ts';
import { mountSmallDisk } from '../small-disk.ts';
import { beginSwitch, expectWhole, lockHolder, messageOf } from '../stuck-bulk.ts';

const ZONES = 60;

const disk = mountSmallDisk(16);
let bulk: Bulk;
afterEach(() => bulk.close());
afterAll(() => disk.remove());

test('items wait while another process holds the write lock for longer than a write waits for it', async () => {
  bulk = await startBulk({ zonesEach: ZONES, latencyMs: 100 });
  await closeDatabase();
  await openDatabase(bulk.config.databaseFile, { busyGiveUpMs: 300 });
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

test('items wait while the queue of writes is full', async () => {
  bulk = await startBulk({ zonesEach: ZONES, latencyMs: 100 });
  const { id, ended } = await beginSwitch(bulk);
  const others: Promise<string>[] = [];
  const fill = async (): Promise<void> => {
    // More than the queue takes; a write that was in it before them waits in silence, so they come anew until one was refused.
    for (let count = 0; count < 2_100; count += 1) {
      others.push(transaction(async () => 'done').catch((error: { key: string }) => error.key));
    }
    expect(await messageOf(id)).toBe('Waits: too many writes at once');
  };
  await expect
    .poll(
      () =>
        fill().then(
          () => true,
          () => false,
        ),
      { interval: 5 },
    )
    .toBe(true);
  expect(new Set(await Promise.all(others))).toEqual(new Set(['done', 'error.queue_full']));
  await ended;
  await expectWhole(bulk, id);
});

test.skipIf(!disk.isMounted)('items wait while the disk is full (needs root to mount a tmpfs)', async () => {
  const dataDir = join(disk.dir, 'data');
  mkdirSync(dataDir, { mode: 0o700 });
  bulk = await startBulk({ zonesEach: ZONES, latencyMs: 100, dataDir });
  const { id, ended } = await beginSwitch(bulk);
  disk.fill();
  await expect.poll(() => messageOf(id)).toBe('Waits: the disk is full or fails');
  disk.free();
  await ended;
  await expectWhole(bulk, id);
});
