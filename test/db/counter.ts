import { afterEach, beforeEach } from 'vitest';
import { execute, select, transaction } from '../../db/index.ts';
import { startDatabase, type TestDatabase } from '../support/database.ts';

/** Called at the head of a test file: every test has a database with a counter at 0. Returns a function that gives it. */
export function useCounter(): () => TestDatabase {
  let database: TestDatabase;
  beforeEach(async () => {
    database = await startDatabase();
    await transaction(async () => {
      await execute('CREATE TABLE counter (value INTEGER NOT NULL)');
      await execute('INSERT INTO counter VALUES (0)');
    });
  });
  afterEach(() => database.close());
  return () => database;
}

/** Returns what the counter says. */
export const value = async (): Promise<number | undefined> =>
  (await select<{ value: number }>('SELECT value FROM counter'))[0]?.value;

/** Reads, waits a little and writes: overlapping transactions would lose an update. */
export const addOne = async (): Promise<void> => {
  const before = (await value()) ?? 0;
  await new Promise((resolve) => setTimeout(resolve, 1));
  await execute('UPDATE counter SET value = $value', { value: before + 1 });
};
