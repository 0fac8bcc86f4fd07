// Declarations, models and migrations agree on every table.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { select, transaction } from '../../db/index.ts';
import { inOrderOfReferences } from '../../db/copy.ts';
import { tableNames } from '../../db/tables.ts';
import { troubleOf } from '../../src/lib/database-trouble.ts';
import { deleteRow, findRow, inTransaction, insertRow, modelOf, updateRow } from '../../db/rows.ts';
import { projects } from '../../src/shared/portfolio/tables.ts';
import { referencesTo, secretColumns, TABLES } from '../../src/shared/tables.ts';
import { users } from '../../src/shared/access/tables.ts';
import { startDatabase, type TestDatabase } from '../support/database.ts';
import { planOf, storedColumns, storedType } from '../support/schema.ts';

let database: TestDatabase;

beforeAll(async () => {
  database = await startDatabase();
});
afterAll(() => database.close());

// The ledger of the migrations themselves is not declared.
const UNDECLARED = new Set(['migrations']);

test('every table of the migrations is declared, and every declared table is made', async () => {
  const made = (await tableNames()).filter((name) => !UNDECLARED.has(name));
  expect([...TABLES.keys()].toSorted()).toEqual(made);
});

test('the columns, types, keys and references of a declaration are those of the migrations', async () => {
  for (const { name: table, columns, key } of TABLES.values()) {
    const inTable = await storedColumns(table);
    const declared = Object.entries(columns).map(([name, { kind, nullable, references: to }]) => ({
      name,
      type: storedType(kind),
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
    { table: 'totp_secrets', column: 'secret' },
    { table: 'servers', column: 'ssh_password' },
    { table: 'cloudflare_accounts', column: 'api_key' },
    { table: 'xmlriver_accounts', column: 'key' },
    { table: 'arsenkin_accounts', column: 'token' },
    { table: 'registrars', column: 'password' },
    { table: 'notice_webhooks', column: 'secret' },
    { table: 'schedules', column: 'heartbeat' },
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

test('a row that breaks a constraint is recognized as such, and a write outside a transaction is refused', async () => {
  const user = { login: 'b', password: '', role: 'user' as const, active: true, created_at: '' };
  await expect(insertRow(users, user)).rejects.toThrow('outside a transaction');
  await transaction(() => insertRow(users, user));
  const error: unknown = await transaction(() => insertRow(users, user)).catch((thrown: unknown) => thrown);
  expect(troubleOf(error)).toBe('constraint');
});

const USES_INDEX = /USING.*INDEX|Index.* Scan/;

test('queries by domain name, project, domain and session use an index', async () => {
  expect(await planOf(`SELECT 1 FROM domains WHERE domain_name = 'a' AND deleted_at IS NULL`)).toMatch(USES_INDEX);
  expect(await planOf(`SELECT 1 FROM domains WHERE project_id = 1 AND deleted_at IS NULL`)).toMatch(USES_INDEX);
  expect(await planOf('SELECT 1 FROM checks WHERE domain_id = 1 ORDER BY id DESC')).toMatch(USES_INDEX);
  expect(await planOf(`SELECT 1 FROM sessions WHERE sid_hash = '1'`)).toMatch(USES_INDEX);
  const work = `SELECT 1 FROM operation_items i JOIN operations o ON o.id = i.operation_id
    WHERE i.lock_name = 'a.ru' AND i.lock_kind IN (SELECT value FROM json_each('["dns"]')) AND o.created_at >= ''`;
  expect(await planOf(work)).toContain('operation_items_name');
});

test('every table says how its writes are audited, by columns that it has', () => {
  const declared = [...TABLES.values()].map(({ name, columns, writes }) => {
    if ('machine' in writes) return { name, unknown: [], reason: writes.machine.length > 0 };
    const named = [...writes.leaves, ...(writes.name === null ? [] : [writes.name])];
    return { name, unknown: named.filter((column) => !(column in columns)), reason: true };
  });
  expect(declared.filter(({ unknown, reason }) => unknown.length > 0 || !reason)).toEqual([]);
  const audited = [...TABLES.values()].flatMap(({ name, writes }) => ('machine' in writes ? [] : [name]));
  expect(audited.toSorted()).toEqual([
    'api_tokens',
    'arsenkin_accounts',
    'auto_buy',
    'budget_caps',
    'budget_settings',
    'cloudflare_accounts',
    'cloudflare_group_accounts',
    'cloudflare_groups',
    'domains',
    'expiry_feeds',
    'imports',
    'keywords',
    'notice_preferences',
    'notice_webhooks',
    'position_settings',
    'projects',
    'purchases',
    'registrars',
    'schedules',
    'servers',
    'sites',
    'telegram_links',
    'templates',
    'users',
    'xmlriver_accounts',
  ]);
});

test('tables stand behind those that they refer to', () => {
  const names = inOrderOfReferences([...TABLES.values()]).map(({ name }) => name);
  const early = [...TABLES.values()].flatMap(({ name, columns }) =>
    Object.values(columns).flatMap(({ references: to }) =>
      to && to.table !== name && names.indexOf(to.table) > names.indexOf(name) ? [`${name} before ${to.table}`] : [],
    ),
  );
  expect(early).toEqual([]);
});
