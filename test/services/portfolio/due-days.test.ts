// The day on which a registration becomes due, at hours when it is another day in Moscow than in UTC.
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { AddedAlike, addDomains } from '../../../src/services/portfolio/domain-adding.ts';
import { listDomains } from '../../../src/services/portfolio/domain-lists.ts';
import { parseJsonText } from '../../../src/services/portfolio/json.ts';
import { addUser, startDatabase } from '../../support/database.ts';

let database: Awaited<ReturnType<typeof startDatabase>>;
let anna: Awaited<ReturnType<typeof addUser>>;

// Thirty days after the 23rd of November is the 23rd of December, after the 24th the 24th.
const ENDS = {
  'moscow-23.ru': '2026-12-22T21:00:00.000Z',
  'moscow-24.ru': '2026-12-23T21:00:00.000Z',
  'moscow-25.ru': '2026-12-24T21:00:00.000Z',
  'utc-23.com': '2026-12-23T23:59:59.999Z',
  'utc-24.com': '2026-12-24T00:00:00.000Z',
};

beforeEach(async () => {
  database = await startDatabase();
  anna = await addUser('anna');
  for (const [name, expired_at] of Object.entries(ENDS))
    await addDomains(anna, [name], AddedAlike.parse({ expired_at }));
  vi.useFakeTimers({ toFake: ['Date'] });
});
afterEach(async () => {
  vi.useRealTimers();
  await database.close();
});

test.each([
  ['2026-11-23T20:59:00Z', 'the same day in both', ['moscow-23.ru', 'utc-23.com']],
  ['2026-11-23T21:00:00Z', 'the next day in Moscow', ['moscow-23.ru', 'moscow-24.ru', 'utc-23.com']],
  ['2026-11-24T00:00:00Z', 'the next day in both', ['moscow-23.ru', 'moscow-24.ru', 'utc-23.com', 'utc-24.com']],
])('at %s, %s, what ends within thirty days of the day of its registry is due', async (now, _, due) => {
  vi.setSystemTime(now);
  const { data } = parseJsonText(await listDomains(anna, { status: 'expired' }));
  expect(data.map(({ domain_name }) => domain_name).toSorted()).toEqual(due);
});
