// Bulk work while another process holds the write lock for longer than a write waits for it.
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { startBulk } from '../support/bulk.ts';
import { beginSwitch, expectWhole, lockHolder, messageOf } from '../support/stuck-bulk.ts';

const HELD_MS = 24_000;

test('items wait for 24 s while another process holds the write lock', async () => {
  const bulk = await startBulk({ zonesEach: 60, latencyMs: 100 });
  try {
    const holder = await lockHolder(bulk);
    const { id, ended } = await beginSwitch(bulk);
    await holder.take();
    await sleep(HELD_MS);
    expect(await messageOf(id)).toBe('Waits: another process is writing to the database');
    await holder.kill();
    await ended;
    await expectWhole(bulk, id);
  } finally {
    await bulk.close();
  }
});
