// Notices that are held back: each is sent when the reason is gone, and no reason holds for ever.
import { expect, test, vi } from 'vitest';
import { execute, select, transaction } from '../../../db/index.ts';
import { deliverDue } from '../../../src/services/notices/deliveries.ts';
import { sendTest } from '../../../src/services/notices/delivery-log.ts';
import { writePreferences } from '../../../src/services/notices/preferences.ts';
import { renderContent } from '../../../src/notifier/render.ts';
import { DEFAULT_PREFERENCES, dueAt, PreferencesInput } from '../../../src/shared/notices/preferences.ts';
import { addPortfolio } from './world.ts';
import { START, MINUTE, goesDown, hook, titles, turn, useSending } from './sending-world.ts';

useSending();

const FOR_EVER = '9999-12-31T23:59:59.000Z';
const DAY = 1_440 * MINUTE;

test('notices are not muted for longer than a year', () => {
  expect(PreferencesInput.safeParse({ muted_until: new Date(START + 365 * DAY).toISOString() }).success).toBe(true);
  expect(PreferencesInput.safeParse({ muted_until: FOR_EVER }).success).toBe(false);
  const stored = { ...DEFAULT_PREFERENCES, muted_until: FOR_EVER, quiet_from: '22:00', quiet_until: '08:00' };
  expect(new Date(dueAt(stored, 'warning', START)).getUTCFullYear()).toBe(2027);
});

test('a time in the far future that is stored does not keep the sending busy', async () => {
  await addPortfolio({ domains: 1 });
  await writePreferences(2, { quiet_from: '22:00', quiet_until: '08:00', zone: 'UTC', critical_always: false });
  await transaction(() => execute('UPDATE notice_preferences SET muted_until = $at', { at: FOR_EVER }));
  await goesDown([1]);
  await turn();
  expect(titles('/user/2')).toEqual([]);
  expect(await deliverDue(renderContent)).toBe(0);
});

test('a notice that was held back is sent when the muting or the quiet time is over', async () => {
  await addPortfolio({ domains: 2 });
  await writePreferences(2, {
    muted_until: new Date(START + 7 * DAY).toISOString(),
    critical_always: false,
    zone: 'UTC',
  });
  await goesDown([1]);
  await turn();
  await turn(DAY);
  expect(titles('/user/2')).toEqual([]);
  await writePreferences(2, { muted_until: null });
  await turn();
  expect(titles('/user/2')).toEqual(['d1.example не отвечает']);

  await writePreferences(2, { quiet_from: '12:00', quiet_until: '20:00' });
  await goesDown([2]);
  await turn();
  // It is quiet still, at another end.
  await writePreferences(2, { quiet_until: '18:00' });
  await turn();
  expect(titles('/user/2')).toHaveLength(1);
  const [queued] = await select<{ due_at: string }>(`SELECT due_at FROM notice_deliveries WHERE state = 'queued'`);
  expect(queued?.due_at).toBe('2026-05-05T18:00:00.000Z');
  await writePreferences(2, { quiet_from: null, quiet_until: null });
  await turn();
  expect(titles('/user/2')).toHaveLength(2);
});

test('tests of a channel are five an hour', async () => {
  await addPortfolio({ domains: 1 });
  for (let n = 0; n < 5; n += 1) await sendTest(2, 'telegram');
  await expect(sendTest(2, 'telegram')).rejects.toMatchObject({ kind: 'too_many' });
  await sendTest(3, 'telegram');
  vi.setSystemTime(START + 61 * MINUTE);
  await sendTest(2, 'telegram');
  await turn();
  expect(hook.calls.filter(({ path }) => path === '/user/2')).toHaveLength(6);
});
