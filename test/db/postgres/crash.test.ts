import { mkdtempSync, rmSync } from 'node:fs';
import { connect, createServer, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { closeDatabase, execute, openDatabase, select, transaction } from '../../../db/index.ts';
import { isStorageTrouble } from '../../../src/lib/database-trouble.ts';
import { startPostgres, type PostgresServer } from '../../support/postgres/cluster.ts';

const WRITERS = 4;
const CRASHES = 4;

let server: PostgresServer;

beforeAll(async () => {
  server = startPostgres({ durable: true });
  await openDatabase(server.address('postgres'), { severalReaders: true });
  await transaction(() => execute('CREATE TABLE acts (name TEXT NOT NULL)'));
});
afterAll(async () => {
  await closeDatabase();
  server.close();
});

/** Starts a proxy on a socket in `folder` that cuts the next connection where it commits: before it or after it. */
async function startProxy(target: string, folder: string) {
  const SOCKET = '.s.PGSQL.5432';
  let cut: 'question' | 'answer' | undefined;
  const cutNow = (...sockets: Socket[]): void => {
    cut = undefined;
    for (const socket of sockets) socket.destroy();
  };
  const proxy = createServer((client) => {
    const upstream = connect(join(target, SOCKET));
    client.on('data', (data) => {
      if (cut === 'question' && data.includes('COMMIT\0')) cutNow(client, upstream);
      else upstream.write(data);
    });
    upstream.on('data', (data) => {
      if (cut === 'answer' && data.includes('COMMIT\0')) cutNow(client, upstream);
      else client.write(data);
    });
    for (const [socket, other] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      socket.on('error', () => undefined).on('close', () => other.destroy());
    }
  });
  await new Promise<void>((resolve) => proxy.listen(join(folder, SOCKET), resolve));
  return { cutAt: (place: 'question' | 'answer') => void (cut = place), close: () => proxy.close() };
}

/** Writes a row, and again where the database says that it has not been written. */
async function writeOnce(name: string): Promise<void> {
  for (;;) {
    try {
      await transaction(() => execute('INSERT INTO acts VALUES ($name)', { name }));
      return;
    } catch (error) {
      if (!isStorageTrouble(error)) throw error;
    }
  }
}

const names = async (): Promise<string[]> =>
  (await select<{ name: string }>('SELECT name FROM acts ORDER BY name')).map(({ name }) => name);

test('writes that were acknowledged before a crash of the server are there, and those made again are there once', async () => {
  const acknowledged: string[] = [];
  const ending = new AbortController();
  const writers = Array.from({ length: WRITERS }, async (_, writer) => {
    for (let count = 0; !ending.signal.aborted; count += 1) {
      const name = `${writer}/${String(count).padStart(6, '0')}`;
      await writeOnce(name);
      acknowledged.push(name);
    }
  });
  for (let crash = 0; crash < CRASHES; crash += 1) {
    const enough = acknowledged.length + 50 + Math.floor(Math.random() * 50);
    await expect.poll(() => acknowledged.length).toBeGreaterThan(enough);
    await server.crash();
  }
  ending.abort();
  await Promise.all(writers);
  expect(acknowledged.length).toBeGreaterThan(CRASHES * 50);
  expect(await names()).toEqual(acknowledged.toSorted());
});

test('a transaction whose connection is lost before its commit leaves nothing and is a passing failure', async () => {
  const before = await names();
  const failing = transaction(async () => {
    await execute(`INSERT INTO acts VALUES ('lost')`);
    await server.crash();
  });
  const error: unknown = await failing.catch((thrown: unknown) => thrown);
  expect(isStorageTrouble(error)).toBe(true);
  expect(await names()).toEqual(before);
  await transaction(() => execute(`INSERT INTO acts VALUES ('next')`));
  expect(await names()).toEqual([...before, 'next'].toSorted());
});

test('a commit whose answer is lost is a success if it took place, and a failure if it did not', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'seo-admin-test-'));
  const proxy = await startProxy(new URL(server.address('postgres')).searchParams.get('host') ?? '', folder);
  await closeDatabase();
  await openDatabase(`postgres://postgres@localhost/postgres?host=${encodeURIComponent(folder)}`);
  try {
    const before = await names();
    proxy.cutAt('answer');
    await transaction(() => execute(`INSERT INTO acts VALUES ('stored')`));
    expect(await names()).toEqual([...before, 'stored'].toSorted());
    proxy.cutAt('question');
    const error: unknown = await transaction(() => execute(`INSERT INTO acts VALUES ('never')`)).catch(
      (thrown: unknown) => thrown,
    );
    expect(isStorageTrouble(error)).toBe(true);
    expect(await names()).toEqual([...before, 'stored'].toSorted());
  } finally {
    await closeDatabase();
    proxy.close();
    rmSync(folder, { recursive: true });
    await openDatabase(server.address('postgres'));
  }
});
