// Models and migrations agree on every table.
import type { ModelAttributeColumnOptions } from 'sequelize';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { select, sequelizeOpen } from '../../db/index.ts';
import * as models from '../../db/models.ts';
import { startDatabase, tableNames } from '../support/database.ts';

let database: Awaited<ReturnType<typeof startDatabase>>;

beforeAll(async () => {
  database = await startDatabase();
});
afterAll(() => database.close());

// The ledger of the migrations themselves has no model.
const WITHOUT_MODEL = new Set(['migrations']);
const defined = () => Object.values(sequelizeOpen().models);

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

test('every table has its model, and every model its table', async () => {
  const tables = (await tableNames()).filter((name) => !WITHOUT_MODEL.has(name));
  expect(
    defined()
      .map((model) => model.tableName)
      .toSorted(),
  ).toEqual(tables);
  const exported = Object.keys(models).filter((name) => name !== 'defineModels');
  expect(exported.toSorted()).toEqual(Object.keys(sequelizeOpen().models).toSorted());
});

test('columns, types, NOT NULL and references agree', async () => {
  for (const model of defined()) {
    const table = model.tableName;
    const columns = await select<Column>(`PRAGMA table_info(${table})`);
    const references = await select<Reference>(`PRAGMA foreign_key_list(${table})`);
    const inTable = columns.map(({ name, type, notnull, pk }) => {
      const reference = references.find(({ from }) => from === name);
      const to = reference ? `${reference.table}.${reference.to} ${reference.on_delete}` : null;
      return { name, type, required: notnull === 1 || pk === 1, to };
    });
    const inModel = Object.entries(model.getAttributes() as Record<string, ModelAttributeColumnOptions>).map(
      ([name, { type, allowNull, primaryKey, references, onDelete }]) => {
        const { model: other, key } = (references ?? {}) as { model?: string; key?: string };
        return {
          name,
          // Booleans are stored as 1 or 0.
          type: String(type).replace('TINYINT(1)', 'INTEGER'),
          required: allowNull === false || primaryKey === true,
          to: other ? `${other}.${key} ${onDelete}` : null,
        };
      },
    );
    expect({ table, columns: inModel }).toEqual({ table, columns: inTable });
  }
});

test('every model can be read and its rows are whole', async () => {
  for (const model of defined()) expect(await model.findAll()).toEqual([]);
});

test('queries by domain name, project, domain and session use an index', async () => {
  const plan = async (sql: string) => (await select<{ detail: string }>(`EXPLAIN QUERY PLAN ${sql}`))[0]?.detail;
  expect(await plan(`SELECT 1 FROM domains WHERE domain_name = 'a' AND deleted_at IS NULL`)).toMatch(/USING.*INDEX/);
  expect(await plan(`SELECT 1 FROM domains WHERE project_id = 1 AND deleted_at IS NULL`)).toMatch(/USING.*INDEX/);
  expect(await plan('SELECT 1 FROM checks WHERE domain_id = 1 ORDER BY id DESC')).toMatch(/USING.*INDEX/);
  expect(await plan('SELECT 1 FROM sessions WHERE sid_hash = 1')).toMatch(/USING.*INDEX/);
});
