import { expect, it } from 'vitest';
import { translate } from '../../src/shared/i18n/index.ts';
import { whenText } from '../../ui/settings/scheduleTexts.ts';

const cases: [cron: string, ru: string, en: string][] = [
  ['*/5 * * * *', 'каждые 5 минут', 'every 5 minutes'],
  ['37 * * * *', 'каждый час в :37', 'hourly at :37'],
  ['17 1-23/6 * * *', 'каждые 6 часов', 'every 6 hours'],
  ['0 */12 * * *', 'каждые 12 часов', 'every 12 hours'],
  ['41 2 * * *', 'каждый день в 02:41 (UTC)', 'daily at 02:41 (UTC)'],
  ['23 4 * * 0', 'по вс в 04:23 (UTC)', 'Sundays at 04:23 (UTC)'],
  // Not each five hours: the last of the day is followed by the first of the next after four.
  ['0 */5 * * *', '0 */5 * * * (UTC)', '0 */5 * * * (UTC)'],
  ['0 7-23/6 * * *', '0 7-23/6 * * * (UTC)', '0 7-23/6 * * * (UTC)'],
  ['0 4 1 * *', '0 4 1 * * (UTC)', '0 4 1 * * (UTC)'],
];

it.each(cases)('%s is told in words where it has some', (cron, ru, en) => {
  const rule = { cron, interval_minutes: null, zone: 'UTC' };
  const said = (language: 'ru' | 'en') => whenText((key, params) => translate(language, key, params), rule);
  expect([said('ru'), said('en')]).toEqual([ru, en]);
});
