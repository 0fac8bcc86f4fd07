// To whom a user may have his notices passed on, and what the refusal tells him.
import { afterEach, beforeEach, expect, test } from 'vitest';
import { executeUnaudited, transaction } from '../../../db/index.ts';
import { writePreferences } from '../../../src/services/notices/preferences.ts';
import { startDatabase, type TestDatabase } from '../../support/database.ts';
import { addPortfolio } from './world.ts';

const [BOSS, ANN] = [1, 2];
let database: TestDatabase;
beforeEach(async () => {
  database = await startDatabase();
  await addPortfolio({ domains: 1 });
});
afterEach(() => database.close());

const answer = (user: number, escalate_to: string): Promise<unknown> =>
  writePreferences(user, { escalate_to }).then(
    (saved) => saved.escalate_to,
    ({ kind, key, fields }: { kind: string; key: string; fields: unknown }) => ({ kind, key, fields }),
  );

test('a user names an administrator, who sees what he sees; another login is answered as one that does not exist', async () => {
  expect(await answer(ANN, 'boss')).toBe('boss');
  const unknown = await answer(ANN, 'nobody-at-all');
  expect(unknown).toMatchObject({ kind: 'refused', fields: { escalate_to: 'notices.no_such_user' } });
  expect(await answer(ANN, 'bob')).toEqual(unknown);
  expect(await answer(ANN, 'ann')).toEqual(unknown);
  await transaction(() => executeUnaudited('check', 'UPDATE users SET active = 0 WHERE id = 3'));
  expect(await answer(ANN, 'bob')).toEqual(unknown);
});

test('an administrator, who sees the list of users, names any active one but himself', async () => {
  expect(await answer(BOSS, 'bob')).toBe('bob');
  expect(await answer(BOSS, 'boss')).toMatchObject({ kind: 'refused' });
});
