import { afterAll, beforeAll, expect, test } from 'vitest';
import { recordEvents } from '../../db/events.ts';
import { select, transaction } from '../../db/index.ts';
import { renderContent } from '../../src/notifier/render.ts';
import { contentOf } from '../../src/services/notices/content.ts';
import { deliverDue } from '../../src/services/notices/deliveries.ts';
import { groupPending } from '../../src/services/notices/notices.ts';
import type { NoticeRow, NoticeSubjectRow } from '../../src/shared/notices/tables.ts';
import { createPerson, type Person } from '../support/server.ts';
import { ANNA, ask, link, sentTo, startBotWorld, until, type BotWorld } from './support.ts';

let world: BotWorld;
let anna: Person;
let domain: number;
beforeAll(async () => {
  world = await startBotWorld();
  anna = await createPerson(world.server);
  await link(world, anna, ANNA);
  const { body } = await ask(world, anna, 'POST /api/domains', { domain_name: 'blocked.example' });
  domain = body.data.id;
});
afterAll(() => world.close());

const blocked = () =>
  transaction(() =>
    recordEvents([
      { kind: 'domain_blocked', level: 'critical', name: 'blocked.example', domain_id: domain, project_id: 7 },
    ]),
  );

/** Groups what has happened, once it has settled, and sends it, until so many blocks are told. */
const delivered = (count: number): Promise<true> =>
  until(async () => {
    await groupPending();
    await deliverDue(renderContent);
    const ended = await select(
      `SELECT 1 FROM notice_deliveries d JOIN notices n ON n.id = d.notice_id
       WHERE n.kind = 'domain_blocked' AND d.channel = 'telegram' AND d.state IN ('sent', 'gone')`,
    );
    return ended.length >= count && (true as const);
  });

test('a notice arrives in the linked chat with its buttons, and is acknowledged there by its user', async () => {
  await blocked();
  await delivered(1);
  const notice = await until(() => sentTo(world.telegram, ANNA).find(({ text }) => text.includes('blocked.example')));
  expect(notice.text).toMatch(/^<b>.*<\/b>/);
  expect(notice.buttons.map(({ callback_data, url }) => callback_data ?? url)).toEqual([
    'https://seo.example/sites?search=blocked.example',
    expect.stringMatching(/^ack:\d+$/),
    `move:${domain}`,
  ]);
  const seen = sentTo(world.telegram, ANNA).length;
  const data = notice.buttons[1]?.callback_data ?? '';
  world.telegram.press(ANNA, notice, data);
  expect((await world.next(ANNA, seen)).text).toContain('Noted');
  expect(await select('SELECT user_id FROM notice_acknowledgements')).toEqual([{ user_id: anna.id }]);

  // The domain has been taken out of its project: the press says so and starts nothing.
  world.telegram.press(ANNA, notice, `move:${domain}`);
  expect((await world.next(ANNA, seen + 1)).text).toContain('no project');
  expect(await select(`SELECT 1 FROM operations WHERE kind = 'transfer'`)).toEqual([]);
});

test('a notice of a block has no move for a domain of no project, nor for a reserve', () => {
  const notice = { id: 1, kind: 'domain_blocked', level: 'critical', cause: '', closed_at: null } as NoticeRow;
  const subject = {
    domain_id: 5,
    project_id: 7,
    name: 'blocked.example',
    params: '{}',
    closed_at: null,
  } as NoticeSubjectRow;
  const actsOf = (told: NoticeRow, about: NoticeSubjectRow) =>
    contentOf(told, [about], 'opened', null).buttons.map(({ label }) => label);
  expect(actsOf(notice, subject)).toContain('telegram.start_transfer');
  expect(actsOf(notice, { ...subject, project_id: null })).not.toContain('telegram.start_transfer');
  expect(actsOf({ ...notice, level: 'warning' }, subject)).not.toContain('telegram.start_transfer');
});

test('a chat that has blocked the bot gets no further notices until it writes again', async () => {
  world.telegram.state.blocked.push(ANNA.id);
  const { body } = await ask(world, anna, 'POST /api/domains', { domain_name: 'second.example' });
  const event = {
    kind: 'domain_blocked' as const,
    level: 'critical' as const,
    name: 'second.example',
    domain_id: body.data.id,
  };
  await transaction(() => recordEvents([event]));
  await delivered(2);
  await expect
    .poll(async () => String((await ask(world, anna, 'GET /api/telegram')).body.link.gone_at))
    .toMatch(/^\d{4}-/);
  await expect
    .poll(() => select(`SELECT state FROM notice_deliveries ORDER BY id DESC LIMIT 1`))
    .toEqual([{ state: 'gone' }]);
});
