// How long transactions wait for another process's lock, by who asks for them.
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { acting, SYSTEM_ASKER } from '../../db/acting.ts';
import { transaction } from '../../db/index.ts';
import { Patience } from '../../db/waiting/patience.ts';
import { readingFor } from '../../db/readers.ts';
import type { DoorName } from '../../src/shared/audit/audit.ts';
import { holdWriteLock, startDatabase, type TestDatabase } from '../support/database.ts';

const SHORT_MS = 100;

let database: TestDatabase;
let release: () => Promise<void>;

beforeEach(async () => {
  database = await startDatabase();
  release = await holdWriteLock(database.file);
});

afterEach(async () => {
  await database.close();
});

/** Writes through a door with a patience; the result tells how it ended. */
function write(name: DoorName, patience: Patience): Promise<string> {
  const work = () => transaction(async () => 'written');
  return readingFor({ patience }, () => acting(SYSTEM_ASKER, { name, call: 'test' }, work)).catch(
    ({ code }: { code: string }) => code,
  );
}

test('the write of a request gives up, and that of an operation which it has begun waits on', async () => {
  const patience = new Patience(SHORT_MS, new AbortController().signal);
  const operation = write('operation', patience);
  expect(await write('api', patience)).toBe('unavailable');
  await release();
  expect(await operation).toBe('written');
  expect(await write('api', patience)).toBe('written');
});

test('work that goes on after the answer waits on', async () => {
  const patience = new Patience(SHORT_MS, new AbortController().signal);
  patience.isOver = true;
  const after = write('api', patience);
  expect(await write('api', new Patience(SHORT_MS, new AbortController().signal))).toBe('unavailable');
  await release();
  expect(await after).toBe('written');
});

test('a write of a client that leaves is dropped, but for one of whose call a part has been written', async () => {
  const [client, begun] = [new AbortController(), new AbortController()];
  const patience = new Patience(60_000, begun.signal);
  await release();
  expect(await write('api', patience)).toBe('written');
  release = await holdWriteLock(database.file);
  const dropped = write('api', new Patience(60_000, client.signal));
  const rest = write('api', patience);
  await sleep(SHORT_MS);
  client.abort();
  begun.abort();
  expect(await dropped).toBe('client_gone');
  await release();
  expect(await rest).toBe('written');
});
