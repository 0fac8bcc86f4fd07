// The disk fills up after an order was taken and before its end is written: the work waits, and the charge is in the ledger.
import { afterAll, afterEach, expect, test } from 'vitest';
import { interceptCrashPoints } from '../../../src/lib/crash-point.ts';
import { storageWait } from '../../../src/lib/waits.ts';
import { select } from '../../../db/index.ts';
import { mountSmallDisk } from '../../support/small-disk.ts';
import { allow, buy, charges, expectSound, ledger, order, usePurchases } from './world.ts';

const disk = mountSmallDisk(16);
const before = process.env['TMPDIR'];
process.env['TMPDIR'] = disk.dir;
usePurchases();

afterEach(() => interceptCrashPoints());
afterAll(() => {
  if (before === undefined) delete process.env['TMPDIR'];
  else process.env['TMPDIR'] = before;
  disk.remove();
});

test.skipIf(!disk.isMounted)(
  'an answer that cannot be stored is stored once there is room (needs root to mount a tmpfs)',
  async () => {
    await allow();
    interceptCrashPoints((point) => {
      if (point === 'purchase:answered') disk.fill();
    });
    const running = buy(order('new.com'));
    await expect.poll(storageWait).not.toBeNull();
    expect(charges()).toHaveLength(1);
    expect((await ledger()).map(({ state }) => state)).toEqual(['sending']);
    disk.free();
    const ended = await running;
    expect([ended.state, charges().length]).toEqual(['succeeded', 1]);
    expect((await ledger()).map(({ state, charged }) => [state, charged])).toEqual([['committed', 19_900]]);
    expect(await select('SELECT domain_name FROM domains')).toEqual([{ domain_name: 'new.com' }]);
    await expectSound();
  },
);
