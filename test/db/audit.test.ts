import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { acting, actAlways, actingAs, type Door } from '../../db/acting.ts';
import { note } from '../../db/audit.ts';
import { execute, executeUnaudited, select, transaction } from '../../db/index.ts';
import { deleteRow, insertRow, updateRow } from '../../db/rows.ts';
import { servers } from '../../src/shared/accounts/tables.ts';
import type { AuditRow } from '../../src/shared/audit/tables.ts';
import { users } from '../../src/shared/access/tables.ts';
import { projects } from '../../src/shared/portfolio/tables.ts';
import { startDatabase, type TestDatabase } from '../support/database.ts';

const ANNA = { id: 7, login: 'anna' };
const BOB = { id: 8, login: 'bob' };
const DOOR: Door = { name: 'api', call: 'POST /api/projects', address: '192.0.2.1' };

let database: TestDatabase;
beforeEach(async () => {
  database = await startDatabase();
});
afterEach(() => database.close());

const now = '2026-01-01T00:00:00.000Z';
const user = (login: string) => ({ login, password: 'a hash', role: 'user' as const, active: true, created_at: now });
const server = { name: 'srv', ssh_host: 'h', ssh_user: 'root', ssh_password: 'sealed secret', created_at: now };

const asAnna = <T>(work: () => Promise<T>): Promise<T> => acting(ANNA, DOOR, () => transaction(work));
const audited = (): Promise<AuditRow[]> => select('SELECT * FROM audit ORDER BY id');
const told = async () =>
  (await audited()).map(({ action, object, object_id, object_name, before, after }) => ({
    action,
    object: `${object} ${object_id} ${object_name}`,
    before: before && (JSON.parse(before) as unknown),
    after: after && (JSON.parse(after) as unknown),
  }));

describe('a row that is written', () => {
  test('is audited with who acts, the door, and the columns that changed', async () => {
    const id = await asAnna(() => insertRow(users, user('carl')));
    await asAnna(() => updateRow(users, id, { telegram: 'carl_t', role: 'user' }));
    await asAnna(() => deleteRow(users, id));
    expect(await told()).toEqual([
      {
        action: 'create',
        object: `users ${id} carl`,
        before: null,
        after: { login: 'carl', password: 'changed', role: 'user', active: 1 },
      },
      { action: 'update', object: `users ${id} carl`, before: { telegram: null }, after: { telegram: 'carl_t' } },
      {
        action: 'delete',
        object: `users ${id} carl`,
        before: { login: 'carl', role: 'user', active: 1, telegram: 'carl_t' },
        after: null,
      },
    ]);
    expect((await audited())[0]).toMatchObject({
      id: 1,
      user_id: 7,
      login: 'anna',
      door: 'api',
      call: 'POST /api/projects',
      address: '192.0.2.1',
      operation_id: null,
      outcome: 'done',
    });
  });

  test('is audited in one row where a transaction writes it twice', async () => {
    const id = await asAnna(async () => {
      const made = await insertRow(servers, { ...server, ssh_password: '' });
      await updateRow(servers, made, { ssh_password: 'sealed secret', ssh_user: 'deploy' });
      return made;
    });
    await asAnna(async () => {
      await updateRow(servers, id, { ssh_user: 'one' });
      await updateRow(servers, id, { ssh_user: 'two', name: 'new' });
    });
    expect(await told()).toEqual([
      {
        action: 'create',
        object: `servers ${id} srv`,
        before: null,
        after: { name: 'srv', ssh_host: 'h', ssh_user: 'deploy', ssh_password: 'changed' },
      },
      {
        action: 'update',
        object: `servers ${id} srv`,
        before: { ssh_user: 'deploy', name: 'srv' },
        after: { ssh_user: 'two', name: 'new' },
      },
    ]);
  });

  test('is not audited where nothing that is told changes', async () => {
    const id = await asAnna(() => insertRow(servers, server));
    await asAnna(() => updateRow(servers, id, { name: 'srv', checked_at: now, check_error: '{}' }));
    expect(await audited()).toHaveLength(1);
  });

  test('is deleted and restored where that is what its time says', async () => {
    const owner = await asAnna(() => insertRow(users, user('carl')));
    const id = await asAnna(() =>
      insertRow(projects, { user_id: owner, name: 'P', created_at: now, last_reserve: 'off' }),
    );
    await asAnna(() => updateRow(projects, id, { deleted_at: now }));
    await asAnna(() => updateRow(projects, id, { deleted_at: null }));
    expect((await told()).map(({ action }) => action)).toEqual(['create', 'create', 'delete', 'restore']);
  });

  test('shows no secret, and no hash of one', async () => {
    const id = await asAnna(() => insertRow(servers, server));
    await asAnna(() => updateRow(servers, id, { ssh_password: 'another secret' }));
    await asAnna(() => insertRow(users, user('carl')));
    await asAnna(() => deleteRow(servers, id));
    expect(JSON.stringify(await audited())).not.toMatch(/secret|a hash/);
  });
});

test('a transaction that fails leaves nothing in the audit, and no gap', async () => {
  const failing = asAnna(async () => {
    await insertRow(users, user('carl'));
    throw new Error('on purpose');
  });
  await expect(failing).rejects.toThrow('on purpose');
  await asAnna(() => insertRow(users, user('dora')));
  expect((await audited()).map(({ id, object_name }) => [id, object_name])).toEqual([[1, 'dora']]);
});

test('those who write at once are told apart', async () => {
  const names = Array.from({ length: 40 }, (_, index) => `user${index}`);
  await Promise.all(
    names.map((login, index) =>
      acting({ id: index, login }, DOOR, () => transaction(() => insertRow(users, user(login)))),
    ),
  );
  const rows = await audited();
  expect(rows.map(({ login }) => login).toSorted()).toEqual(names.toSorted());
  expect(rows.filter(({ login, object_name }) => login !== object_name)).toEqual([]);
});

test('a part of the work is done in the name of another', async () => {
  await asAnna(async () => {
    await actingAs(BOB, () => insertRow(users, user('carl')));
    await insertRow(users, user('dora'));
  });
  expect((await audited()).map(({ login, door }) => [login, door])).toEqual([
    ['bob', 'api'],
    ['anna', 'api'],
  ]);
});

describe('a statement on an audited table', () => {
  const rename = () => execute(`UPDATE users SET telegram = 'x'`);

  test('does not commit without a note', async () => {
    const id = await asAnna(() => insertRow(users, user('carl')));
    await expect(asAnna(rename)).rejects.toThrow('a write to users is not audited');
    expect(await select('SELECT 1 FROM users WHERE telegram IS NOT NULL')).toEqual([]);
    await asAnna(async () => {
      await rename();
      note({ action: 'update', object: 'users', ids: [id], after: { telegram: 'x' } });
    });
    expect((await audited()).at(-1)).toMatchObject({ object_id: null, object_ids: `[${id}]` });
  });

  test('needs none where it changes nothing, or is declared to be nobody’s decision', async () => {
    await asAnna(rename);
    await asAnna(() => insertRow(users, user('carl')));
    await asAnna(() => executeUnaudited('seal', `UPDATE users SET telegram = 'y'`));
    expect(await audited()).toHaveLength(1);
  });

  test('is seen where it returns rows', async () => {
    const insert = () =>
      select(
        `INSERT INTO users (login, password, role, active, created_at) VALUES ('e', '', 'user', 1, '') RETURNING id`,
      );
    await expect(asAnna(insert)).rejects.toThrow('not audited');
  });
});

test('a write is refused where nobody has said who acts', async () => {
  const back = actAlways();
  try {
    await expect(transaction(() => insertRow(users, user('carl')))).rejects.toThrow('outside acting()');
    await expect(transaction(() => execute(`DELETE FROM users`))).resolves.toBe(0);
    await acting(ANNA, DOOR, () => transaction(() => insertRow(users, user('carl'))));
    await expect(transaction(() => execute('DELETE FROM users'))).rejects.toThrow('not audited');
  } finally {
    back();
  }
  expect(await select('SELECT login FROM users')).toEqual([{ login: 'carl' }]);
});

describe('the audit', () => {
  test('can’t be changed or shortened', async () => {
    await asAnna(() => insertRow(users, user('carl')));
    for (const sql of [`UPDATE audit SET login = 'x'`, 'DELETE FROM audit', `UPDATE audit SET id = 9 WHERE id = 1`]) {
      await expect(transaction(() => execute(sql))).rejects.toThrow('never changed');
    }
    expect((await audited()).map(({ login }) => login)).toEqual(['anna']);
  });

  test('takes texts that a database can’t, without them', async () => {
    const odd = 'a\0b\ud800c';
    await acting({ id: 1, login: odd }, { ...DOOR, address: odd }, () =>
      transaction(async () => note({ action: 'update', object: 'users', name: odd, after: { odd, [odd]: [odd] } })),
    );
    const [row] = await audited();
    expect([row?.login, row?.object_name]).toEqual(['ab\ufffdc', 'ab\ufffdc']);
  });

  test('cuts long texts', async () => {
    await asAnna(async () => note({ action: 'update', object: 'users', after: { text: 'x'.repeat(100_000) } }));
    expect((await audited())[0]?.after?.length).toBeLessThan(1_100);
  });

  test('needs a transaction', () => {
    expect(() => note({ action: 'update', object: 'users' })).toThrow('outside a transaction');
  });
});
