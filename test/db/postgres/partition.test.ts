// A process that is cut off from the database past its lease, while another one takes its work over, does nothing afterwards.
import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { runOperation } from '../../../src/operations/engine.ts';
import { enqueue } from '../../../src/operations/queue.ts';
import { startChild, type Child } from '../../support/child.ts';
import { dump } from '../../support/database.ts';
import { endLeases } from '../../support/leases.ts';
import { asked, database, fault, names, outside, useOutside } from '../../operations/outside-items.ts';

useOutside();

const start = (id: number, ...more: string[]): Child =>
  startChild('test/children/work.ts', [database.file, outside.url, String(id), ...more]);

/** Takes the work of a stopped process over, and returns what there is then, here and outside. */
async function takeOver(id: number): Promise<object> {
  await endLeases();
  expect(await runOperation(id)).toMatchObject({ state: 'succeeded', total: 40, done: 40, failed: 0 });
  return state();
}
const state = async () => ({ rows: await dump(), writes: outside.writes.length });

/** Whether a process has been stopped by a signal. */
const isStopped = (child: Child): boolean => /\) T /.test(readFileSync(`/proc/${child.process.pid}/stat`, 'utf8'));

async function goOn(child: Child): Promise<void> {
  child.process.kill('SIGCONT');
  outside.release();
  // It ends by itself, without an error: the work is another's.
  await child.output();
}

function expectEachOnce(): void {
  const written = outside.writes.map(({ name }) => name);
  expect([written.length, new Set(written).size]).toEqual([80, 80]);
}

test('a process that was stopped past its lease writes nothing, here or outside, once it goes on', async () => {
  // The first of each lane goes alone, then four at once: all of them wait for the answer to a call that has taken effect.
  const held = names(10).slice(2);
  for (const name of held) fault(name, 'hold');
  const { id } = await enqueue(asked(names(40)));
  const child = start(id);
  try {
    await expect.poll(() => held.every((name) => outside.values.has(name))).toBe(true);
    child.process.kill('SIGSTOP');
    const before = await takeOver(id);
    await goOn(child);
    expect(await state()).toEqual(before);
    expectEachOnce();
  } finally {
    child.process.kill('SIGCONT');
    await child.kill();
  }
});

test('a process that was stopped between the note of an act and its call makes no call once it goes on', async () => {
  const { id } = await enqueue(asked(names(40)));
  const child = start(id, 'test:second:after-intent');
  try {
    await expect.poll(() => isStopped(child)).toBe(true);
    const stoppedAt = Date.now();
    const before = await takeOver(id);
    // Longer than a process trusts its last commit.
    await sleep(Math.max(0, stoppedAt + 6000 - Date.now()));
    await goOn(child);
    expect(await state()).toEqual(before);
    expectEachOnce();
  } finally {
    child.process.kill('SIGCONT');
    await child.kill();
  }
});
