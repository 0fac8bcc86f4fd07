// The texts that people read of transfers: the reason, both domains, and the end of a failure.
import { beforeEach, expect, test } from 'vitest';
import { execute, select, transaction } from '../../../db/index.ts';
import { requeue } from '../../../src/operations/queue.ts';
import { renderContent } from '../../../src/notifier/render.ts';
import { SYSTEM } from '../../../src/services/access/scope.ts';
import { contentOf } from '../../../src/services/notices/content.ts';
import { groupPending } from '../../../src/services/notices/notices.ts';
import { listSeenSubjects } from '../../../src/services/notices/seen-rows.ts';
import { keepDecision } from '../../../src/services/transfers/decisions.ts';
import type { NoticeRow } from '../../../src/shared/notices/tables.ts';
import type { Message } from '../../../src/shared/i18n/index.ts';
import type { Choice } from '../../../src/shared/transfers/transfer-pick.ts';
import { MAIN, OLDER, RESERVE } from '../../support/moves-portfolio.ts';
import { move, moves, useMoves } from './transfers.ts';

useMoves();
beforeEach(() =>
  transaction(async () => {
    for (const table of ['events', 'notices', 'transfer_decisions']) await execute(`DELETE FROM ${table}`);
  }),
);

/** Groups what has happened, and returns the notices of a kind as an administrator reads them in Russian. */
async function told(kind: string): Promise<{ title: string; lines: string[]; isOver: boolean }[]> {
  await groupPending(new Date(Date.now() + 60_000));
  const rows = await select<NoticeRow>('SELECT * FROM notices WHERE kind = $kind ORDER BY id', { kind });
  return Promise.all(
    rows.map(async (row) => {
      const isOver = row.closed_at !== null;
      const seen = await listSeenSubjects(SYSTEM, row.id, true);
      const { title, lines } = renderContent(contentOf(row, seen, isOver ? 'closed' : 'opened', null), 'ru');
      return { title, lines, isOver };
    }),
  );
}

const declined = (id: number, domain_name: string, reason: Message): Choice =>
  ({ main: { id, domain_name }, target: null, decision: 'declined', reason }) as never;

const keep = (...choices: Choice[]) =>
  transaction(async () => {
    for (const choice of choices) await keepDecision(1, choice);
  });

test('a failed transfer says to which reserve and why, and is over once the next one has succeeded', async () => {
  moves.troubles[RESERVE] = { status: 502, error: null };
  expect((await move(MAIN, RESERVE)).state).toBe('failed');
  const [failed] = await told('transfer_failed');
  expect(failed).toMatchObject({ title: `${MAIN}: перенос не удался`, isOver: false });
  expect(failed?.lines).toEqual([
    `Переносили на ${RESERVE}`,
    `Причина: ${RESERVE} не отвечает как надо (HTTP 502). Старый домен не тронут`,
  ]);
  delete moves.troubles[RESERVE];
  expect((await move(MAIN, RESERVE)).state).toBe('succeeded');
  const [over, ...others] = await told('transfer_failed');
  expect(over).toMatchObject({ isOver: true, title: expect.stringContaining(MAIN) });
  expect(others).toEqual([]);
});

test('a second failure is told anew, and of the first one nothing more', async () => {
  moves.troubles[RESERVE] = { status: 502, error: null };
  await move(MAIN, RESERVE);
  await told('transfer_failed');
  await move(MAIN, RESERVE);
  expect((await told('transfer_failed')).map(({ isOver }) => isOver)).toEqual([true, false]);
  const deliveries = await select(`SELECT kind FROM notice_deliveries WHERE kind = 'closed'`);
  expect(deliveries).toEqual([]);
  await move(MAIN, RESERVE);
  await move(MAIN, RESERVE);
  expect((await told('transfer_failed')).map(({ isOver }) => isOver)).toEqual([true, true, false]);
  delete moves.troubles[RESERVE];
  await move(MAIN, RESERVE);
  expect((await told('transfer_failed')).map(({ isOver }) => isOver)).toEqual([true, true, true]);
});

test('a move that ended half done names the domain that was moved, and what to do', async () => {
  const { id } = moves.zone(OLDER);
  moves.fake.faults.push({ kind: 'status', status: 403, match: ({ path }) => path.includes(`/zones/${id}/`) });
  const half = await move(MAIN, RESERVE);
  moves.fake.faults.length = 0;
  expect(half.state).toBe('partial');
  const [waits] = await told('transfer_waits');
  expect(waits?.title).toBe(`${RESERVE}: перенос ждёт человека`);
  expect(waits?.lines[0]).toMatch(new RegExp(`^Сайт уже переехал с ${MAIN}.* повторите операцию ${half.id}$`));
  expect(await requeue(half.id, true)).toBe(1);
});

test('a move that ended with a warning says what is left to do, and not to try again what has succeeded', async () => {
  const zone = moves.zone(MAIN);
  zone.status = 'pending';
  const { id, state } = await move(MAIN, RESERVE);
  expect(state).toBe('succeeded');
  const [waits] = await told('transfer_waits');
  expect(waits?.title).toBe(`${RESERVE}: перенос ждёт человека`);
  expect(waits?.lines).toEqual([
    `Сайт уже переехал с ${MAIN}, но посетители могут ещё не попадать на него: посмотрите перенос`,
    `Причина: Сайт перенесён на ${RESERVE}, но ${MAIN} ещё не перенаправляет: зона ${MAIN} не активна. Укажите у регистратора серверы имён ${zone.name_servers.join(', ')}`,
  ]);
  await expect(requeue(id, true)).rejects.toMatchObject({ key: 'operation.nothing_left' });
});

test('a declined transfer says why, with the names of ours alone', async () => {
  await keep(declined(1, MAIN, { key: 'auto_transfer.last', params: { target: RESERVE } }));
  expect((await told('transfer_waits'))[0]?.lines).toEqual([`Причина: остался последний резерв, ${RESERVE}`]);
});

test('of several declined transfers each name has its reason, and what an outside service said is left out', async () => {
  const [other] = await select<{ id: number; domain_name: string }>(
    'SELECT id, domain_name FROM domains WHERE domain_name NOT IN ($main, $reserve) ORDER BY id LIMIT 1',
    { main: MAIN, reserve: RESERVE },
  );
  await keep(
    declined(1, MAIN, { key: 'auto_transfer.no_reserve' }),
    declined(other!.id, other!.domain_name, { key: 'auto_transfer.main_refused', params: { reason: 'planted words' } }),
  );
  const [waits] = await told('transfer_waits');
  expect(waits?.title).toBe('Переносы ждут человека: 2');
  expect(waits?.lines.toSorted()).toEqual(
    [
      `${MAIN}: в проекте нет резервных доменов`,
      `${other!.domain_name}: его аккаунт CDN отвечает отказом: …`,
    ].toSorted(),
  );
  expect(JSON.stringify(await select('SELECT params FROM events'))).not.toContain('planted words');
});
