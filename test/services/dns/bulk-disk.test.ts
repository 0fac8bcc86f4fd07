// Bulk work while the disk of the database's file is full: the items wait, nothing is lost, and the message says why.
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, expect, test } from 'vitest';
import { startBulk, type Bulk } from '../../support/bulk.ts';
import { mountSmallDisk } from '../../support/small-disk.ts';
import { beginSwitch, expectWhole, messageOf } from '../../support/stuck-bulk.ts';

const ZONES = 60;

const disk = mountSmallDisk(16);
let bulk: Bulk;
afterEach(() => bulk.close());
afterAll(() => disk.remove());

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
