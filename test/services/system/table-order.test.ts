// The rows of the table editor stand in the same order whatever the database.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createUser } from '../../../src/services/access/users.ts';
import { listRows } from '../../../src/services/system/table-views.ts';
import { startDatabase } from '../../support/database.ts';
import { PASSWORD } from '../../support/server.ts';

let database: Awaited<ReturnType<typeof startDatabase>>;
beforeAll(async () => {
  database = await startDatabase();
  for (const [login, telegram] of [
    ['anna', 'b_name'],
    ['boris', ''],
    ['clara', 'a_name'],
  ] as const)
    await createUser({ login, password: PASSWORD, role: 'user', telegram });
});
afterAll(() => database.close());

const ordered = async (sort: string) => (await listRows('users', { sort })).map(({ telegram }) => telegram);

test('an empty cell stands before all others, and behind them the other way round', async () => {
  expect(await ordered('telegram')).toEqual([null, 'a_name', 'b_name']);
  expect(await ordered('-telegram')).toEqual(['b_name', 'a_name', null]);
});
