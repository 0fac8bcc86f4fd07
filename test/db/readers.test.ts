import { afterEach, beforeEach, expect, test } from 'vitest';
import { execute, closeDatabase, dataVersion, dialect, openDatabase, select, transaction } from '../../db/index.ts';
import { readingFor } from '../../db/readers.ts';
import { startDatabase } from '../support/database.ts';

let database: Awaited<ReturnType<typeof startDatabase>>;

beforeEach(async () => {
  database = await startDatabase();
  await closeDatabase();
  await openDatabase(database.file, { severalReaders: true });
});
afterEach(() => database.close());

const slow = (): Promise<{ n: number }[]> =>
  select(
    'WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 300000) SELECT count(*) AS n FROM n',
  );

test('queued reads of a client that has left are dropped, and the others are answered', async () => {
  const client = new AbortController();
  const left = readingFor({ signal: client.signal }, () => Promise.allSettled(Array.from({ length: 30 }, slow)));
  const stays = Promise.all([slow(), readingFor({ urgent: true }, slow)]);
  client.abort();
  const outcomes = (await left).map(({ status }) => status);
  // Only the reads that already ran on one of the few connections end.
  expect(outcomes.filter((status) => status === 'fulfilled').length).toBeLessThanOrEqual(4);
  expect((await stays).flat()).toEqual([{ n: 300_000 }, { n: 300_000 }]);
});

test('an endless stream of urgent reads leaves every second turn to the others', async () => {
  let urgentReads = 0;
  const done = new AbortController();
  const storm = Array.from({ length: 20 }, async () => {
    while (!done.signal.aborted && urgentReads < 2_000) {
      await readingFor({ urgent: true }, () => select('SELECT 1 AS one'));
      urgentReads += 1;
    }
  });
  await Promise.all(Array.from({ length: 10 }, () => select('SELECT 1 AS one')));
  done.abort();
  expect(urgentReads).toBeLessThan(200);
  await Promise.all(storm);
});

test('cancelled reads take no turn from the reads queued behind them', async () => {
  const caller = new AbortController();
  const order: string[] = [];
  const short = () => select('SELECT 1 AS one');
  const urgent = Array.from({ length: 60 }, () => readingFor({ urgent: true }, short).then(() => order.push('urgent')));
  const gone = Array.from({ length: 40 }, () => readingFor({ signal: caller.signal }, short).catch(() => undefined));
  const last = short().then(() => order.push('last'));
  caller.abort();
  await Promise.all([...urgent, ...gone, last]);
  expect(order.indexOf('last')).toBeLessThan(20);
});

test('a read sees all that was committed before it, on every connection, and cannot write', async () => {
  await transaction(() => execute('CREATE TABLE counter (value INTEGER NOT NULL)'));
  for (let round = 0; round < 10; round += 1) {
    const before = await dataVersion();
    await transaction(() => execute('INSERT INTO counter VALUES (1)'));
    const counts = await Promise.all(
      Array.from({ length: 5 }, () => select<{ n: number }>('SELECT count(*) AS n FROM counter')),
    );
    expect(new Set(counts.map(([row]) => row?.n))).toEqual(new Set([round + 1]));
    expect(await dataVersion()).not.toBe(before);
  }
  const stands = async (): Promise<boolean> => (await dataVersion()) === (await dataVersion());
  // On PostgreSQL, writes to other databases of the server move it as well.
  let looks = dialect() === 'sqlite' ? 1 : 1_000;
  while (!(await stands()) && looks > 0) looks -= 1;
  expect(looks).toBeGreaterThan(0);
  await expect(select('WITH one AS (SELECT 1) INSERT INTO counter SELECT * FROM one RETURNING value')).rejects.toThrow(
    /read-?only/,
  );
});

test('a failed read frees its connection, and closing waits for the queued reads', async () => {
  const failed = await Promise.allSettled(Array.from({ length: 8 }, () => select('SELECT nothing FROM nowhere')));
  expect(new Set(failed.map(({ status }) => status))).toEqual(new Set(['rejected']));
  const waiting = Promise.all(Array.from({ length: 8 }, slow));
  await closeDatabase();
  expect(await waiting).toHaveLength(8);
});
