// Effects of the migrations 0051, 0052 and 0053 on attached names, and on domains of their names, that were there before.
import { afterEach, beforeEach, expect, test } from 'vitest';
import { closeDatabase, execute, executeUnaudited, openDatabase, select, transaction } from '../../../db/index.ts';
import { migrate } from '../../../db/migrate.ts';
import { migrations } from '../../../db/migrations/index.ts';
import { reachIn } from '../../../src/services/access/ownership.ts';
import { emptyPlace, startDatabase, type TestDatabase } from '../../support/database.ts';
import { dropDatabase } from '../../support/postgres/template.ts';

let database: TestDatabase;
let place: string;

beforeEach(async () => {
  database = await startDatabase();
  place = await emptyPlace(database.folder);
  await closeDatabase();
  await openDatabase(place);
});
afterEach(async () => {
  await closeDatabase();
  await dropDatabase(place);
  await database.close();
});

const ann = { id: 1, login: 'ann', role: 'user' } as const;
const bob = { id: 2, login: 'bob', role: 'user' } as const;

/** A row of before: its user, name, first day and perhaps last day and claim. */
type Former = [user: number, name: string, from: string, to?: string | null, claim?: number];

const write = (sql: string, bind: Record<string, unknown> = {}): Promise<unknown> =>
  transaction(() => executeUnaudited('migration', sql, bind));

/** Adds domains and attached names, each of those with its main domain and day. */
async function fill(domains: Former[], attached: [string, string, string][] = []): Promise<void> {
  for (const row of domains) {
    await write(
      `INSERT INTO domains (user_id, domain_name, unicode_name, file_path, type, transfer_type, transfer_dns, status,
         created_at, updated_at, deleted_at, name_claim)
       SELECT CAST(value ->> 0 AS INTEGER), value ->> 1, value ->> 1, '/', 'main', 'auto', 'off', 'available', value ->> 2, '', value ->> 3,
         CAST(value ->> 4 AS INTEGER) FROM json_each($rows)`,
      { rows: JSON.stringify([row]) },
    );
  }
  await write(
    `INSERT INTO attachments (domain_name, forward_to, created_at)
     SELECT value ->> 0, value ->> 1, value ->> 2 FROM json_each($rows)`,
    { rows: JSON.stringify(attached) },
  );
}

/** Makes a database by the migrations before one, does something to it, and upgrades it. */
async function upgradeBy(migration: string, work: () => Promise<void>): Promise<void> {
  const later = migrations.splice(migrations.findIndex(({ name }) => name === migration));
  try {
    await migrate();
    await write(
      `INSERT INTO users (login, password, role, active, created_at)
       SELECT value ->> 'login', '', 'user', 1, '' FROM json_each($rows) ORDER BY value ->> 'login'`,
      { rows: JSON.stringify([ann, bob]) },
    );
    await work();
  } finally {
    migrations.push(...later);
  }
  await migrate();
}

const upgrade = (domains: Former[], attached: [string, string, string][]): Promise<void> =>
  upgradeBy('0051-claims-of-attachments', () => fill(domains, attached));

/** Whether each of the two has the whole zone `old.com`. Free, it is of both. */
const held = async () => [(await reachIn(ann, 'old.com')).isWhole, (await reachIn(bob, 'old.com')).isWhole];
const ANNS = [true, false];
const BOBS = [false, true];
const FREE = [true, true];

const setDeleted = (name: string, deleted_at: string | null) =>
  write('UPDATE domains SET deleted_at = $deleted_at WHERE domain_name = $name', { name, deleted_at });

test('a main domain that was deleted before has its names again once it is restored', async () => {
  await upgrade([[1, 'main.com', '2026-01-01', '2026-02-01']], [['old.com', 'main.com', '2026-01-15']]);
  expect(await held()).toEqual(FREE);
  await setDeleted('main.com', null);
  expect(await held()).toEqual(ANNS);
});

test('who has added a former main domain gets none of its names', async () => {
  const names: Former[] = [
    [1, 'main.com', '2026-01-01', '2026-02-01'],
    [2, 'main.com', '2026-03-01'],
  ];
  await upgrade(names, [['old.com', 'main.com', '2026-01-15']]);
  expect(await held()).toEqual(FREE);
  await transaction(() => execute(`DELETE FROM domains WHERE user_id = 2`));
  await setDeleted('main.com', null);
  expect(await held()).toEqual(ANNS);
});

test('who has added it gets what was attached after that', async () => {
  const names: Former[] = [
    [1, 'main.com', '2026-01-01', '2026-02-01'],
    [2, 'main.com', '2026-03-01'],
  ];
  await upgrade(names, [['old.com', 'main.com', '2026-03-15']]);
  expect(await held()).toEqual(BOBS);
});

test('a main domain that its user has added anew has its names from then on', async () => {
  const names: Former[] = [
    [1, 'main.com', '2026-01-01', '2026-02-01'],
    [1, 'main.com', '2026-03-01'],
    [2, 'x.old.com', '2026-04-01'],
  ];
  await upgrade(names, [['old.com', 'main.com', '2026-01-15']]);
  expect(await held()).toEqual(ANNS);
  await setDeleted('main.com', '2026-05-01');
  expect(await held()).toEqual(BOBS);
});

test('a restored main domain comes after the user who took the attached name meanwhile', async () => {
  const names: Former[] = [
    [1, 'main.com', '2026-01-01', null, 4],
    [2, 'old.com', '2026-03-01'],
    [1, 'other.com', '2026-03-02'],
  ];
  await upgrade(names, [['old.com', 'main.com', '2026-01-15']]);
  expect(await held()).toEqual(BOBS);
  expect(await select('SELECT main_id, main_claim, name_claim FROM attachments')).toEqual([
    { main_id: 1, main_claim: 4, name_claim: 4 },
  ]);
});

test('a domain that its user has made of an attached name has that place without the main domain', async () => {
  const names: Former[] = [
    [1, 'main.com', '2026-01-01'],
    [2, 'x.old.com', '2026-02-01'],
    [1, 'old.com', '2026-03-01'],
  ];
  await upgrade(names, [['old.com', 'main.com', '2026-01-15']]);
  expect(await held()).toEqual(ANNS);
  await setDeleted('main.com', '2026-05-01');
  expect(await held()).toEqual(ANNS);
});

// The claim that SQLite gave such a row: that of the attached name, and the row's own from an earlier return.
test.each([
  ['the attached name had', 1],
  ['it had itself', 2],
])('a restored row that had got the place that %s comes after who came meanwhile', async (_, times) => {
  await upgradeBy('0053-claims-set-right', async () => {
    await fill([[1, 'x.old.com', '2026-01-01']], [['old.com', 'x.old.com', '2026-01-02']]);
    const [attached] = await select<{ name_claim: number }>('SELECT name_claim FROM attachments');
    let former = attached!.name_claim;
    for (let n = 0; n < times; n++) {
      await setDeleted('x.old.com', 'now');
      if (n === times - 1) await fill([[2, 'old.com', '2026-02-01']]);
      await write('UPDATE domains SET attached_claim = NULL');
      if (n > 0)
        former = (await select<{ name_claim: number }>('SELECT name_claim FROM domains WHERE id = 1'))[0]!.name_claim;
      await setDeleted('x.old.com', null);
    }
    await write('UPDATE domains SET attached_claim = $former WHERE id = 1', { former });
    expect(await held()).toEqual([false, false]);
  });
  expect(await held()).toEqual(BOBS);
});

test('a row that has taken the place of a name attached to another domain keeps it', async () => {
  await upgradeBy('0053-claims-set-right', async () => {
    await fill([[1, 'main.com', '2026-01-01']], [['old.com', 'main.com', '2026-01-02']]);
    await fill([
      [1, 'typo.com', '2026-01-03'],
      [2, 'x.old.com', '2026-01-04'],
    ]);
    await write("UPDATE domains SET domain_name = 'w.old.com' WHERE domain_name = 'typo.com'");
    await fill([], [['old.com', 'w.old.com', '2026-01-05']]);
    await write("DELETE FROM attachments WHERE forward_to = 'main.com'");
    expect(await held()).toEqual([false, false]);
  });
  const [row] = await select("SELECT attached_claim FROM domains WHERE domain_name = 'w.old.com'");
  expect(row).toEqual({ attached_claim: 2 });
});

test('a main domain that is renamed to a name attached to it takes that place', async () => {
  await upgrade([[1, 'main.com', '2026-01-01']], [['old.com', 'main.com', '2026-01-15']]);
  await fill([[2, 'x.old.com', '2026-02-01']]);
  await write("UPDATE domains SET domain_name = 'old.com' WHERE domain_name = 'main.com'");
  expect(await held()).toEqual(ANNS);
});

test('a domain to which a move has given the folder of another user’s leaves it, and no other does', async () => {
  const names = [
    'victims.com',
    'main.com',
    'wrong.com',
    'below.com',
    'shares.com',
    'deployed.com',
    'by-hand.com',
    'gone.com',
  ];
  const places: [string, string][] = [
    ['victims.com', '/www/site'],
    ['gone.com', '/www/gone'],
    ['main.com', '/www/main'],
    ['wrong.com', '/www/site/'],
    ['below.com', '/www/site/sub'],
    ['shares.com', '/www/main'],
    ['deployed.com', '/www/gone'],
    ['by-hand.com', '/www/gone'],
  ];
  const idOf = (name: string): number => names.indexOf(name) + 1;
  await upgradeBy('0053-claims-set-right', async () => {
    await fill(names.map((name) => [name === 'victims.com' || name === 'gone.com' ? 2 : 1, name, '2026-01-01']));
    await write(
      "INSERT INTO servers (name, ssh_host, ssh_user, ssh_password, created_at) VALUES ('s', '192.0.2.1', 'root', '', '')",
    );
    await write("INSERT INTO templates (name, created_at, updated_at, file_name) VALUES ('t', '', '', '')");
    for (const [name, path] of places)
      await write('UPDATE domains SET server_id = 1, file_path = $path WHERE id = $id', { id: idOf(name), path });
    for (const name of ['victims.com', 'deployed.com'])
      await write(
        "INSERT INTO sites (domain_id, template_id, release, html_name, html, updated_at) VALUES ($id, 1, 'x', '', '', '')",
        {
          id: idOf(name),
        },
      );
    await setDeleted('gone.com', '2026-03-01');
    for (const name of ['wrong.com', 'below.com', 'shares.com', 'deployed.com'])
      await write(
        `INSERT INTO transfer_history (main_domain_id, transfer_domain_id, main_domain_name, transfer_domain_name, action, created_at)
         VALUES ($main, $id, 'main.com', $name, 'explicit', '2026-02-01')`,
        { main: idOf('main.com'), id: idOf(name), name },
      );
  });
  const left = await select<{ domain_name: string }>(
    'SELECT domain_name FROM domains WHERE server_id IS NULL ORDER BY id',
  );
  expect(left.map(({ domain_name }) => domain_name)).toEqual(['wrong.com', 'below.com']);
});
