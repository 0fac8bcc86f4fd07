// Automatic runs with a real database and real lists: what moves, what does not, and why.
import { join } from 'node:path';
import { describe, expect, test, vi } from 'vitest';
import { execute, transaction } from '../../../../db/index.ts';
import { enqueue } from '../../../../src/operations/queue.ts';
import { runAutoTransfers, startAutoTransfer } from '../../../../src/services/transfers/automatic.ts';
import { updateBlocklist } from '../../../../src/services/checks/blocklist.ts';
import { SYSTEM } from '../../../../src/services/access/scope.ts';
import { startChild } from '../../../support/child.ts';
import { dump } from '../../../support/database.ts';
import { refuseRows } from '../../../support/schema.ts';
import {
  add,
  addOthers,
  ann,
  bob,
  check,
  config,
  DAY,
  end,
  loadList,
  makeProject,
  MINUTE,
  pass,
  run,
  told,
  transfers,
  useAutomatic,
  witness,
} from './world.ts';

useAutomatic();

describe('an automatic run', () => {
  test('moves nothing in the name of a disabled owner, and gives that as the reason', async () => {
    await makeProject(7, bob);
    await add(7, 'site.example', 'reserve-1.example', 'reserve-2.example');
    await addOthers();
    await witness('site.example');
    const active = (value: 0 | 1) =>
      transaction(() => execute('UPDATE users SET active = $value WHERE id = $id', { value, id: bob.id }));
    await active(0);
    expect((await run()).decisions).toEqual(['site.example declined operation.user_disabled']);
    expect(await transfers()).toEqual([]);
    await active(1);
    expect((await run()).decisions).toEqual(['site.example started reserve-1.example']);
  });

  test('moves a domain that three looks found blocked once, for the owner of its project', async () => {
    await makeProject(7, bob);
    await add(7, 'site.example', 'reserve-1.example', 'reserve-2.example');
    await addOthers();
    await witness('site.example');
    expect(await run()).toEqual({ stop: null, decisions: ['site.example started reserve-1.example'] });
    expect(await transfers()).toEqual([
      {
        id: expect.any(Number),
        user_id: bob.id,
        subject: 'auto 7',
        asked_by: 'automation',
        items: 'transfer site.example',
      },
    ]);
    const before = await dump();
    expect((await run()).decisions).toEqual(['site.example waiting auto_transfer.main_busy']);
    expect(await dump()).toBe(before);
  });

  test('counts three looks at one fetch as one witness, and a later confirmation by the source as a second', async () => {
    await makeProject(1);
    await add(1, 'site.example', 'reserve-1.example', 'reserve-2.example');
    await addOthers();
    await loadList('site.example');
    for (let look = 0; look < 3; look += 1) {
      await check();
      pass(20 * MINUTE);
    }
    expect((await run()).decisions).toEqual(['site.example waiting auto_transfer.seen']);
    const file = join(config.dataDir, 'list.txt');
    await updateBlocklist(config.blocklistDir, { file });
    await check();
    expect((await run()).decisions).toEqual(['site.example started reserve-1.example']);
  });

  test('leaves a domain that is off the list by now, though no check has run since', async () => {
    await makeProject(1);
    await add(1, 'site.example', 'reserve-1.example', 'reserve-2.example');
    await addOthers();
    await witness('site.example');
    await loadList();
    expect((await run()).decisions).toEqual(['site.example waiting auto_transfer.not_listed']);
  });

  test('skips a reserve that the present list blocks, though its last look was good', async () => {
    await makeProject(1);
    await add(1, 'site.example', 'reserve-1.example', 'reserve-2.example', 'reserve-3.example');
    await addOthers();
    await witness('site.example');
    await loadList('site.example', 'reserve-1.example');
    expect((await run()).decisions).toEqual(['site.example started reserve-2.example']);
  });

  test('skips a reserve that another operation has locked', async () => {
    await makeProject(1);
    await add(1, 'site.example', 'reserve-1.example', 'reserve-2.example', 'reserve-3.example');
    await addOthers();
    await witness('site.example');
    const locks = [{ kind: 'dns', name: 'reserve-1.example' }];
    const message = { key: 'check.started' } as const;
    await enqueue({ kind: 'dns_edit', subject: 'x', user_id: null, input: {}, message, locks });
    expect((await run()).decisions).toEqual(['site.example started reserve-2.example']);
  });

  test('stores a decline once, and again when its reason changes', async () => {
    await makeProject(1);
    await add(1, 'site.example');
    await addOthers();
    await witness('site.example');
    await run();
    await run();
    await add(1, 'reserve-1.example');
    await run();
    await run();
    await transaction(() => execute(`UPDATE projects SET last_reserve = 'on'`));
    await run();
    expect(await told()).toEqual([
      { domain: 'site.example', decision: 'declined', key: 'auto_transfer.no_reserve' },
      { domain: 'site.example', decision: 'declined', key: 'auto_transfer.last' },
      { domain: 'site.example', decision: 'started', key: 'auto_transfer.chosen' },
    ]);
  });

  test('skips a reserve for a day after its transfer failed, and tries the next one', async () => {
    await makeProject(1);
    await add(1, 'site.example', 'reserve-1.example', 'reserve-2.example', 'reserve-3.example');
    await addOthers();
    await witness('site.example');
    await run();
    await end((await transfers())[0]?.id ?? 0, 'wrong');
    expect((await run()).decisions).toEqual(['site.example started reserve-2.example']);
    await end((await transfers())[1]?.id ?? 0, 'wrong');
    // Two of three have failed: the third is the last reserve, which is kept.
    expect((await run()).decisions).toEqual(['site.example declined auto_transfer.last']);
    pass(DAY + MINUTE);
    await loadList('site.example');
    expect((await run()).decisions).toEqual(['site.example started reserve-1.example']);
  });

  test('moves three domains of a project a day, one after the other; setting the clock back does not reset the limit', async () => {
    await makeProject(1);
    const sites = Array.from({ length: 5 }, (_, index) => `site-${index}.example`);
    await add(1, ...sites, ...Array.from({ length: 9 }, (_, index) => `reserve-${index}.example`));
    await addOthers();
    await witness(...sites);
    for (const count of [1, 2, 3]) {
      const { decisions } = await run();
      expect(decisions.filter((line) => line.includes('started'))).toHaveLength(1);
      expect(await transfers()).toHaveLength(count);
      expect((await run()).decisions.some((line) => line.includes('started'))).toBe(false);
      await end((await transfers()).at(-1)?.id ?? 0, 'well');
    }
    expect((await run()).decisions[0]).toMatch(/declined auto_transfer.limit_project/);
    vi.setSystemTime(Date.now() - DAY);
    await loadList(...sites);
    expect((await run()).decisions[0]).toMatch(/declined auto_transfer.limit_project/);
    vi.setSystemTime(Date.now() + 2 * DAY);
    await loadList(...sites);
    expect((await run()).decisions[0]).toMatch(/started/);
  });

  test('moves twenty domains a day in all', async () => {
    const projects = Array.from({ length: 22 }, (_, index) => index + 1);
    for (const id of projects) {
      await makeProject(id);
      await add(id, `site-${id}.example`, `reserve-${id}a.example`, `reserve-${id}b.example`);
    }
    await addOthers();
    await witness(...projects.map((id) => `site-${id}.example`));
    const { decisions } = await run();
    expect(decisions.filter((line) => line.includes('started'))).toHaveLength(20);
    expect(decisions.filter((line) => line.includes('auto_transfer.limit_overall'))).toHaveLength(2);
  });

  test('moves that a person has begun leave the limits of the day to those that begin by themselves', async () => {
    await makeProject(1);
    const asked = Array.from({ length: 3 }, (_, index) => `asked-${index}.example`);
    await add(1, ...asked, 'site.example', ...Array.from({ length: 6 }, (_, index) => `reserve-${index}.example`));
    await addOthers();
    await witness(...asked, 'site.example');
    await end((await startAutoTransfer(ann, { project: 1 }, { only: new Set(asked) })).id, 'well');
    expect((await run()).decisions).toEqual([expect.stringMatching(/^site\.example started reserve/)]);
  });

  test('starts a move once where several processes run at once', async () => {
    await makeProject(1);
    await add(1, 'site.example', 'reserve-1.example', 'reserve-2.example');
    await addOthers();
    // The child processes use the real clock.
    vi.useRealTimers();
    for (let look = 0; look < 3; look += 1) {
      await loadList('site.example');
      await check();
    }
    const children = [0, 1, 2].map(() => startChild('test/children/auto-transfers.ts', [config.dataDir]));
    await Promise.all(children.map((child) => child.output()));
    expect(await transfers()).toHaveLength(1);
    expect((await told()).filter(({ decision }) => decision === 'started')).toHaveLength(1);
  });

  test('stores the decision and the queued operation in one transaction', async () => {
    await makeProject(1);
    await add(1, 'site.example', 'reserve-1.example', 'reserve-2.example');
    await addOthers();
    await witness('site.example');
    const accept = await refuseRows('transfer_decisions', 'cut off');
    await expect(run()).rejects.toThrow('cut off');
    expect(await transfers()).toEqual([]);
    await accept();
    expect((await run()).decisions).toEqual(['site.example started reserve-1.example']);
  });

  test('writes nothing as a dry run', async () => {
    await makeProject(1);
    await add(1, 'site.example', 'reserve-1.example', 'reserve-2.example');
    await addOthers();
    await witness('site.example');
    const before = await dump();
    const { decisions } = await runAutoTransfers(SYSTEM, { dryRun: true });
    expect(decisions.map(({ decision, operation_id }) => [decision, operation_id])).toEqual([['started', null]]);
    expect(await dump()).toBe(before);
  });

  test('of a user moves only the projects of that user', async () => {
    await makeProject(1, ann);
    await makeProject(2, bob);
    await add(1, 'one.example', 'reserve-1.example', 'reserve-2.example');
    await add(2, 'two.example', 'reserve-3.example', 'reserve-4.example');
    await addOthers();
    await witness('one.example', 'two.example');
    expect((await run(bob)).decisions).toEqual(['two.example started reserve-3.example']);
  });
});
