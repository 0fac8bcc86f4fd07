// A process that is cut off from the database past its lease, while another one takes its work over, commits nothing afterwards.
import { expect, test } from 'vitest';
import { runOperation } from '../../../src/operations/engine.ts';
import { enqueue } from '../../../src/operations/queue.ts';
import { startChild } from '../../support/child.ts';
import { dump } from '../../support/database.ts';
import { endLeases } from '../../support/leases.ts';
import { asked, database, fault, names, outside, useOutside } from '../../operations/outside-items.ts';

useOutside();

test('a process that was stopped past its lease writes nothing, here or outside, once it goes on', async () => {
  fault('n6', 'hold');
  const { id } = await enqueue(asked(names(40)));
  const child = startChild('test/children/work.ts', [database.file, outside.url, String(id)]);
  try {
    // It waits for the answer to a call that has taken effect.
    await expect.poll(() => outside.writes.some(({ name }) => name === 'n6')).toBe(true);
    child.process.kill('SIGSTOP');
    await endLeases();
    expect(await runOperation(id)).toMatchObject({ state: 'succeeded', total: 40, done: 40, failed: 0 });
    const before = { rows: await dump(), writes: outside.writes.length };
    child.process.kill('SIGCONT');
    outside.release();
    // It ends by itself, without an error: the work is another's.
    await child.output();
    expect({ rows: await dump(), writes: outside.writes.length }).toEqual(before);
    const written = outside.writes.map(({ name }) => name);
    expect([written.length, new Set(written).size]).toEqual([80, 80]);
  } finally {
    child.process.kill('SIGCONT');
    await child.kill();
  }
});
