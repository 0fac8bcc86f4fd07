import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { acting, type Door } from '../../db/acting.ts';
import { note } from '../../db/audit.ts';
import { current, execute, executeUnaudited, select, transaction } from '../../db/index.ts';
import { SYSTEM } from '../../src/services/access/scope.ts';
import { insertUser } from '../../src/services/access/users.ts';
import { verifyAudit } from '../../src/services/audit/audit.ts';
import { startChild } from '../support/child.ts';
import { startDatabase, type TestDatabase } from '../support/database.ts';

const DOOR: Door = { name: 'api', call: 'POST /api/users' };

let database: TestDatabase;
beforeEach(async () => {
  database = await startDatabase();
});
afterEach(() => database.close());

const add = (login: string): Promise<number> =>
  acting({ id: 7, login: 'anna' }, DOOR, () => transaction(() => insertUser({ login, role: 'user' }, 'no hash')));

const audited = async (): Promise<string[]> =>
  (await select<{ object_name: string }>('SELECT object_name FROM audit ORDER BY id')).map(
    ({ object_name }) => object_name,
  );
const logins = async (): Promise<string[]> =>
  (await select<{ login: string }>('SELECT login FROM users ORDER BY login')).map(({ login }) => login);

/** Lets another process add users, and kills it after so many. Returns those that it has said to be stored. */
async function addBeside(name: string, count: number): Promise<string[]> {
  const child = startChild('test/children/audited.ts', [database.file, name]);
  const stored: string[] = [];
  while (stored.length < count) stored.push(await child.line());
  await child.kill();
  return stored;
}

describe('the chain', () => {
  test('goes on from the last row, whichever process has written it', async () => {
    await add('a');
    const beside = await addBeside('b', 3);
    await add('c');
    await add('d');
    const rows = await audited();
    expect(await verifyAudit(SYSTEM)).toMatchObject({ fault: null, rows: rows.length });
    expect(rows).toEqual(expect.arrayContaining(['a', ...beside, 'c', 'd']));
    expect(rows.toSorted()).toEqual(await logins());
  });

  test('is whole after six processes that write at once were killed', async () => {
    const names = ['p', 'q', 'r', 's', 't', 'u'];
    const ending = new AbortController();
    const writing = (async () => {
      const mine: string[] = [];
      for (; !ending.signal.aborted; mine.push(`own-${mine.length}`)) await add(`own-${mine.length}`);
      return mine;
    })();
    const beside = await Promise.all(names.map((name, place) => addBeside(name, 6 + place * 3)));
    ending.abort();
    const stored = [...beside.flat(), ...(await writing)];
    const rows = await audited();
    expect(await verifyAudit(SYSTEM)).toMatchObject({ fault: null, rows: rows.length });
    expect(rows).toEqual(expect.arrayContaining(stored));
    expect(rows.toSorted()).toEqual(await logins());
  });

  test('is not moved by a transaction that fails, and goes on after it', async () => {
    await add('a');
    await expect(add('a')).rejects.toMatchObject({ kind: 'conflict' });
    const late = acting({ id: 7, login: 'anna' }, DOOR, () =>
      transaction(async () => {
        await insertUser({ login: 'b', role: 'user' }, 'no hash');
        // Taken over by other hands: the number of the next row is there.
        await execute(`INSERT INTO audit (id, at, login, door, call, action, object, outcome, hash)
          VALUES (2, '', '', 'cli', '', 'create', 'users', 'done', '')`);
      }),
    );
    await expect(late).rejects.toMatchObject({ message: expect.stringMatching(/audit/) as string });
    await add('c');
    expect(await audited()).toEqual(['a', 'c']);
    expect(await logins()).toEqual(['a', 'c']);
    expect((await verifyAudit(SYSTEM)).fault).toBeNull();
  });

  test('is not begun anew where its head was taken away', async () => {
    await add('a');
    await transaction(() => execute('DELETE FROM audit_head'));
    await expect(add('b')).rejects.toThrow(/audit/);
    expect(await logins()).toEqual(['a']);
    expect((await verifyAudit(SYSTEM)).fault).toEqual({ id: 1, kind: 'extra' });
  });

  test('holds texts as they are', async () => {
    const odd = `O'Brien \\'; DROP TABLE audit; -- $id \\n\n☃ 'quoted''`;
    await acting({ id: null, login: odd }, { ...DOOR, address: odd }, () =>
      transaction(async () =>
        note({ action: 'update', object: 'users', name: odd, before: { [odd]: null }, after: { odd } }),
      ),
    );
    const [row] = await select<Record<string, string>>('SELECT * FROM audit');
    expect(row).toMatchObject({ login: odd, address: odd, object_name: odd, before: JSON.stringify({ [odd]: null }) });
    expect(JSON.parse(row?.['after'] ?? '')).toEqual({ odd });
    expect((await verifyAudit(SYSTEM)).fault).toBeNull();
  });

  test('costs no statement of its own', async () => {
    await add('a');
    let calls = 0;
    const counted = async (work: () => Promise<unknown>): Promise<number> => {
      const { connection } = await transaction(async () => current()!);
      const { all, run, script } = connection;
      const counting =
        <A extends unknown[], T>(call: (...given: A) => T) =>
        (...given: A): T => {
          calls += 1;
          return call(...given);
        };
      Object.assign(connection, { all: counting(all), run: counting(run), script: counting(script) });
      calls = 0;
      await work();
      Object.assign(connection, { all, run, script });
      return calls;
    };
    const write = (sql: string): Promise<number> => executeUnaudited('demo', sql);
    const update = `UPDATE users SET telegram = 'x'`;
    const bare = await counted(() => transaction(() => write(update)));
    const noted = await counted(() =>
      transaction(async () => {
        await execute(update);
        note({ action: 'update', object: 'users', after: { telegram: 'x' } });
      }),
    );
    expect([bare, noted]).toEqual([3, 3]);
    expect((await verifyAudit(SYSTEM)).rows).toBe(2);
  });
});
