// Declarations, models and migrations agree on every table.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { select, transaction } from '../../db/index.ts';
import { deleteRow, findRow, inTransaction, insertRow, modelOf, updateRow } from '../../db/rows.ts';
import { projects } from '../../src/shared/portfolio/tables.ts';
import { referencesTo, secretColumns, TABLES } from '../../src/shared/tables.ts';
import { users } from '../../src/shared/access/tables.ts';
import { startDatabase, tableNames } from '../support/database.ts';

let database: Awaited<ReturnType<typeof startDatabase>>;

beforeAll(async () => {
  database = await startDatabase();
});
afterAll(() => database.close());

// The ledger of the migrations themselves is not declared.
const UNDECLARED = new Set(['migrations']);

interface Column {
  name: string;
  type: string;
  notnull: number;
  pk: number;
}
interface Reference {
  from: string;
  table: string;
  to: string;
  on_delete: string;
}

const stored = (kind: string): string =>
  ['id', 'integer', 'flag', 'reference'].includes(kind) ? 'INTEGER' : kind === 'bytes' ? 'BLOB' : 'TEXT';

test('every table of the migrations is declared, and every declared table is made', async () => {
  const made = (await tableNames()).filter((name) => !UNDECLARED.has(name));
  expect([...TABLES.keys()].toSorted()).toEqual(made);
});

test('the columns, types, keys and references of a declaration are those of the migrations', async () => {
  for (const { name: table, columns, key } of TABLES.values()) {
    const info = await select<Column>(`PRAGMA table_info(${table})`);
    const references = await select<Reference>(`PRAGMA foreign_key_list(${table})`);
    const inTable = info.map(({ name, type, notnull, pk }) => {
      const reference = references.find(({ from }) => from === name);
      const to = reference ? `${reference.table}.${reference.to} ${reference.on_delete}` : null;
      return { name, type, required: notnull === 1 || pk > 0, isKey: pk > 0, to };
    });
    const declared = Object.entries(columns).map(([name, { kind, nullable, references: to }]) => ({
      name,
      type: stored(kind),
      required: !nullable,
      isKey: key.includes(name),
      to: to ? `${to.table}.id ${to.onDelete}` : null,
    }));
    expect({ table, columns: declared }).toEqual({ table, columns: inTable });
  }
});

test('every model reads its table', async () => {
  for (const table of TABLES.values()) {
    const rows = await transaction(async () => (await modelOf(table)).findAll(await inTransaction()));
    expect(rows).toEqual([]);
  }
});

test('secrets and references are found in the declarations', () => {
  expect(secretColumns()).toEqual([
    { table: 'servers', column: 'ssh_password' },
    { table: 'cloudflare_accounts', column: 'api_key' },
    { table: 'registrars', column: 'password' },
  ]);
  expect(referencesTo('servers')).toEqual([{ table: 'domains', column: 'server_id' }]);
  expect(referencesTo('installation')).toEqual([]);
});

test('a row is inserted, read, updated and deleted in the running transaction', async () => {
  const now = new Date().toISOString();
  const failing = transaction(async () => {
    const id = await insertRow(users, { login: 'a', password: '', role: 'user', active: true, created_at: now });
    expect(await findRow(users, id)).toMatchObject({ login: 'a', active: 1, telegram: null });
    const project = await insertRow(projects, { user_id: id, name: 'One', created_at: now, last_reserve: 'off' });
    await updateRow(projects, project, { name: 'Two' });
    expect(await findRow(projects, project)).toMatchObject({ name: 'Two', last_reserve: 'off' });
    await deleteRow(projects, project);
    expect(await findRow(projects, project)).toBeUndefined();
    throw new Error('on purpose');
  });
  await expect(failing).rejects.toThrow('on purpose');
  expect(await select('SELECT 1 FROM users')).toEqual([]);
});

test('a row that breaks a constraint has the code of the database, and a write outside a transaction is refused', async () => {
  const user = { login: 'b', password: '', role: 'user' as const, active: true, created_at: '' };
  await expect(insertRow(users, user)).rejects.toThrow('outside a transaction');
  await transaction(() => insertRow(users, user));
  await expect(transaction(() => insertRow(users, user))).rejects.toMatchObject({ code: 'SQLITE_CONSTRAINT' });
});

test('queries by domain name, project, domain and session use an index', async () => {
  const plan = async (sql: string) => (await select<{ detail: string }>(`EXPLAIN QUERY PLAN ${sql}`))[0]?.detail;
  expect(await plan(`SELECT 1 FROM domains WHERE domain_name = 'a' AND deleted_at IS NULL`)).toMatch(/USING.*INDEX/);
  expect(await plan(`SELECT 1 FROM domains WHERE project_id = 1 AND deleted_at IS NULL`)).toMatch(/USING.*INDEX/);
  expect(await plan('SELECT 1 FROM checks WHERE domain_id = 1 ORDER BY id DESC')).toMatch(/USING.*INDEX/);
  expect(await plan('SELECT 1 FROM sessions WHERE sid_hash = 1')).toMatch(/USING.*INDEX/);
});
