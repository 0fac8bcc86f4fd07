// Automatic moves that a person has cancelled, and those that have failed through no fault of the reserve.
import { expect, test } from 'vitest';
import { execute, transaction } from '../../../../db/index.ts';
import { cancelOperation } from '../../../../src/operations/queue.ts';
import { startAutoTransfer } from '../../../../src/services/transfers/automatic.ts';
import type { Message } from '../../../../src/shared/i18n/index.ts';
import {
  add,
  addOthers,
  ann,
  DAY,
  end,
  loadList,
  makeProject,
  MINUTE,
  pass,
  run,
  transfers,
  useAutomatic,
  witness,
} from './world.ts';

useAutomatic();

const last = async (): Promise<number> => (await transfers()).at(-1)?.id ?? 0;

/** Ends the last transfer as failed with an error. */
async function fail(error: Message): Promise<void> {
  const id = await last();
  await end(id, 'wrong');
  await transaction(() =>
    execute('UPDATE operation_items SET error = $error, error_key = $key WHERE operation_id = $id', {
      id,
      error: JSON.stringify(error),
      key: error.key,
    }),
  );
}

async function start(mains: string[], reserves: number): Promise<void> {
  await makeProject(1);
  await add(1, ...mains, ...Array.from({ length: reserves }, (_, index) => `reserve-${index + 1}.example`));
  await addOthers();
  await witness(...mains);
}

test('a main domain whose move a person has cancelled stays for a day, and its reserve serves another one', async () => {
  await start(['one.example', 'two.example'], 3);
  expect((await run()).decisions[0]).toBe('one.example started reserve-1.example');
  await cancelOperation(await last());
  expect((await run()).decisions).toEqual([
    'one.example declined auto_transfer.main_called_off',
    'two.example started reserve-1.example',
  ]);
  await end(await last(), 'well');
  pass(DAY + MINUTE);
  await loadList('one.example');
  expect((await run()).decisions).toEqual(['one.example started reserve-2.example']);
});

test('a transfer that a person starts after a cancellation is begun', async () => {
  await start(['one.example'], 2);
  await run();
  await cancelOperation(await last());
  const { decisions } = await startAutoTransfer(ann, { project: 1 });
  expect(decisions.map(({ decision, target }) => [decision, target?.domain_name])).toEqual([
    ['started', 'reserve-1.example'],
  ]);
});

test.each(['operation.taken_back', 'operation.not_begun'] as const)(
  'a move that ended by a cancellation as %s spends no reserve',
  async (key) => {
    await start(['one.example'], 2);
    await run();
    await fail({ key });
    expect((await run()).decisions).toEqual(['one.example started reserve-1.example']);
  },
);

test('a transfer that failed for the main domain leaves the limits of the day to others, and is not tried without end', async () => {
  const mains = ['one', 'two', 'three', 'four', 'five'].map((name) => `${name}.example`);
  await start(mains, 9);
  const reason: Message = { key: 'rules.forwards_elsewhere', params: { domain: 'one.example', target: 'x.example' } };
  for (let turn = 0; turn < 3; turn += 1) {
    expect((await run()).decisions[0]).toBe('one.example started reserve-1.example');
    await fail(reason);
  }
  for (const name of ['two', 'three', 'four']) {
    const { decisions } = await run();
    expect(decisions[0]).toBe('one.example declined auto_transfer.limit_main');
    expect(decisions).toContainEqual(expect.stringMatching(`^${name}.example started`));
    await end(await last(), 'well');
  }
  expect((await run()).decisions).toContain('five.example declined auto_transfer.limit_project');
});

test('a transfer that failed for the reserve counts to the limits of the day', async () => {
  await start(['one.example'], 9);
  for (const name of ['reserve-1', 'reserve-2', 'reserve-3']) {
    expect((await run()).decisions).toEqual([`one.example started ${name}.example`]);
    await fail({ key: 'transfer.gate_failed', params: { domain: `${name}.example`, what: 'HTTP 500' } });
  }
  expect((await run()).decisions).toEqual(['one.example declined auto_transfer.limit_project']);
});
