// How long the notice of a failed move lasts, and of which of its domains the end is told.
import { expect, test } from 'vitest';
import { recordEvents } from '../../../db/events.ts';
import { execute, select, transaction } from '../../../db/index.ts';
import { SYSTEM } from '../../../src/services/access/scope.ts';
import { viewOf } from '../../../src/services/notices/content.ts';
import { acknowledgeNotice, groupPending, listNotices } from '../../../src/services/notices/notices.ts';
import { purge } from '../../../src/services/system/purge.ts';
import { english } from '../../support/english.ts';
import { addPortfolio } from './world.ts';
import { MINUTE, goesDown, hook, looks, titles, turn, useSending } from './sending-world.ts';

const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

useSending();

/** Domains whose moves by an operation have failed. */
const fails = (operation: number, ...ids: number[]): Promise<void> =>
  transaction(() =>
    recordEvents(
      ids.map((id) => ({
        kind: 'transfer_failed',
        name: `d${id}.example`,
        domain_id: id,
        params: { to: 'r.example' },
        cause: `operation:${operation}`,
      })),
    ),
  );

/** Changes a domain, and records what is told of it. */
const becomes = (id: number, set: string, ...kinds: ('transfer_over' | 'domain_unblocked')[]): Promise<void> =>
  transaction(async () => {
    await execute(`UPDATE domains SET ${set} WHERE id = $id`, { id });
    await recordEvents(kinds.map((kind) => ({ kind, name: `d${id}.example`, domain_id: id })));
  });
const moves = (id: number): Promise<void> => becomes(id, `type = 'transfer'`, 'transfer_over');

const told = (): string[] => titles('/user/2');
const open = async (): Promise<number> => (await listNotices(SYSTEM, { open: true })).notices.length;
const closed = () => select(`SELECT id FROM notice_deliveries WHERE kind = 'closed'`);

const FAILED = (name: string): string => `${name}: перенос не удался`;
const OVER = (name: string): string => `${name}: перенос больше не нужен – сайт переехал или домен разблокирован`;

test('of a move that fails again in another operation nothing is told as over, whatever it failed with at first', async () => {
  await addPortfolio({ domains: 2 });
  await fails(5, 1, 2);
  await turn();
  await fails(6, 1, 2);
  await turn();
  expect(told()).toEqual(['Переносы не удались: 2', 'Переносы не удались: 2']);
  expect([await closed(), await open()]).toEqual([[], 1]);
});

test('the end of a notice is told of those alone that have not failed again, to their owners', async () => {
  await addPortfolio({ domains: 3, ofBob: [3] });
  await fails(5, 1, 2, 3);
  await turn();
  await fails(6, 1, 3);
  await turn();
  await moves(2);
  await turn();
  expect(told()).toEqual(['Переносы не удались: 2', FAILED('d1.example'), OVER('d2.example')]);
  expect(titles('/user/3')).toEqual([FAILED('d3.example'), FAILED('d3.example')]);
  expect(hook.calls.at(-1)?.body.lines).toEqual(['Длилось 1 мин']);
  const [, first] = (await listNotices(SYSTEM, {})).notices;
  expect(english(viewOf(first!).title)).toMatch(/^d2\.example: the transfer is not needed/);
  await moves(1);
  await turn();
  await becomes(3, `status = 'available'`, 'domain_unblocked');
  await turn();
  expect(told().at(-1)).toBe(OVER('d1.example'));
  expect(titles('/user/3').at(-1)).toBe(OVER('d3.example'));
});

test('a notice whose only domain has failed again stands as a failure among those that are closed', async () => {
  await addPortfolio({ domains: 1 });
  await fails(5, 1);
  await turn();
  await fails(6, 1);
  await turn();
  const views = (await listNotices(SYSTEM, {})).notices.map(viewOf);
  expect(views.map(({ title, closed_at }) => [english(title), closed_at === null])).toEqual([
    ['d1.example: its transfer has failed', true],
    ['d1.example: its transfer has failed', false],
  ]);
});

test('a domain that has another name since is no part of the end of a notice that it leaves', async () => {
  await addPortfolio({ domains: 2 });
  await goesDown([1, 2]);
  await turn();
  await transaction(() => recordEvents([{ kind: 'domain_renamed', name: 'd1.example', domain_id: 1 }]));
  await turn();
  await looks([2], 200);
  await turn();
  expect(told()).toEqual(['Не отвечают: 2 домена', 'd2.example снова отвечает']);
});

test('each failure is told at once, of the same operation that was tried again as well', async () => {
  await addPortfolio({ domains: 3 });
  await fails(5, 1, 2);
  await turn();
  await fails(5, 1);
  await turn();
  await fails(5, 3);
  await turn();
  expect(told()).toEqual(['Переносы не удались: 2', FAILED('d1.example'), FAILED('d3.example')]);
  expect(await closed()).toEqual([]);
  await moves(2);
  await turn();
  expect(told().at(-1)).toBe(OVER('d2.example'));
});

test('what an earlier version has closed is told by nobody: moves that had failed were over at once', async () => {
  await addPortfolio({ domains: 3 });
  await fails(5, 1);
  await fails(6, 2);
  await turn();
  await acknowledgeNotice(SYSTEM, 1);
  await transaction(() => execute(`UPDATE notices SET closed_at = '2026-05-04T13:00:00.000Z'`));
  await turn(2 * HOUR);
  await fails(7, 3);
  await turn();
  expect(told()).toHaveLength(3);
  expect(await closed()).toEqual([]);
  expect((await listNotices(SYSTEM, {})).notices.map(viewOf).map(({ title }) => english(title))).toEqual(
    ['d3', 'd2', 'd1'].map((name) => `${name}.example: its transfer has failed`),
  );
});

test('the failed move of a domain that is no blocked main one any more is given up after a week, without a word', async () => {
  await addPortfolio({ domains: 3 });
  await becomes(3, `status = 'blocked'`);
  await fails(5, 1);
  await fails(6, 2);
  await fails(7, 3);
  await turn();
  await becomes(1, `type = 'transfer'`);
  await turn(6 * DAY);
  expect(await open()).toBe(3);
  await turn(DAY + MINUTE);
  expect(await open()).toBe(1);
  await turn(100 * DAY);
  expect(await open()).toBe(1);
  expect(await closed()).toEqual([]);
  await moves(3);
  // Its end is grouped a little later.
  await groupPending(new Date(Date.now() + 1_000));
  expect(await open()).toBe(1);
  await turn();
  expect(await open()).toBe(0);
  expect(told().slice(3)).toEqual([OVER('d3.example')]);
  await purge();
  expect(await select('SELECT cause FROM notices')).toEqual([{ cause: 'operation:7' }]);
});

test('a failure that is found after more than a week without a process is told before it is given up', async () => {
  await addPortfolio({ domains: 1 });
  await fails(5, 1);
  await turn(8 * DAY);
  expect(told()).toEqual([FAILED('d1.example')]);
});

test('the end is told where the clock was set back after the beginning was told', async () => {
  await addPortfolio({ domains: 1 });
  await goesDown([1]);
  await turn(2 * HOUR);
  await turn(-2 * HOUR);
  await looks([1], 200);
  await turn();
  expect(told()).toEqual(['d1.example не отвечает', 'd1.example снова отвечает']);
  await turn(4 * HOUR);
  expect(told()).toHaveLength(2);
});
