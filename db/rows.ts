import type { DataTypes, Model, ModelAttributes, ModelStatic, Sequelize, Transaction } from 'sequelize';
import type { Column, Kind, Row, Table } from '../src/shared/table.ts';
import type { Dialect } from './connection.ts';
import { isAudited, noteDelete, noteInsert, noteUpdate } from './audit.ts';
import { current, dialect, select } from './index.ts';
import { sqliteDriver } from './driver.ts';

/** The columns to write; a number may be given as a boolean, because flags are 1 and 0. */
export type Values<T extends Table> = {
  [Name in keyof Row<T>]?: number extends Row<T>[Name] ? Row<T>[Name] | boolean : Row<T>[Name];
};

interface Models {
  sequelize: Sequelize;
  DataTypes: typeof DataTypes;
  Transaction: new (sequelize: Sequelize, options: object) => Transaction;
}

const models = new Map<Dialect, Promise<Models>>();

const driverOf = async (dialect: Dialect): Promise<object> =>
  dialect === 'sqlite' ? sqliteDriver() : (await import('pg')).default;

async function loadFor(dialect: Dialect): Promise<Models> {
  const [{ default: library }, dialectModule] = await Promise.all([import('sequelize'), driverOf(dialect)]);
  return {
    sequelize: new library.Sequelize({
      dialect,
      dialectModule,
      logging: false,
      define: { timestamps: false, freezeTableName: true, underscored: true },
    }),
    DataTypes: library.DataTypes,
    Transaction: library.Transaction as unknown as Models['Transaction'],
  };
}

/** Loads Sequelize at the first call: it costs 200 ms and 26 MB, and most commands and checks need only raw statements. */
function load(): Promise<Models> {
  const open = dialect();
  const loaded = models.get(open) ?? loadFor(open);
  models.set(open, loaded);
  return loaded;
}

const TYPES: Record<Kind, 'INTEGER' | 'TEXT' | 'BLOB'> = {
  id: 'INTEGER',
  text: 'TEXT',
  integer: 'INTEGER',
  flag: 'INTEGER',
  time: 'TEXT',
  json: 'TEXT',
  secret: 'TEXT',
  hash: 'TEXT',
  bytes: 'BLOB',
  reference: 'INTEGER',
};

function attributesOf({ columns, key }: Table, types: typeof DataTypes): ModelAttributes {
  const attribute = (name: string, { kind, nullable }: Column<unknown>) => ({
    type: types[TYPES[kind]],
    allowNull: nullable,
    primaryKey: key.includes(name),
    autoIncrement: kind === 'id',
  });
  return Object.fromEntries(Object.entries(columns).map(([name, column]) => [name, attribute(name, column)]));
}

/** Returns the Sequelize model of a table. It has no connection of its own: give each call `inTransaction()`. */
export async function modelOf(table: Table): Promise<ModelStatic<Model>> {
  const { sequelize, DataTypes } = await load();
  if (!sequelize.isDefined(table.name)) sequelize.define(table.name, attributesOf(table, DataTypes));
  return sequelize.model(table.name);
}

/** Returns the running transaction for a model's call. Throws outside of one. */
export async function inTransaction(): Promise<{ transaction: Transaction }> {
  const active = current();
  if (!active) throw new Error('A model is used outside a transaction');
  const { sequelize, Transaction } = await load();
  return { transaction: Object.assign(new Transaction(sequelize, {}), { connection: active.connection.raw }) };
}

// The shape of a row is the services' business, and nothing hooks into a model: Sequelize's own looks cost more than the write.
const PLAIN = { validate: false, hooks: false };

/** Calls a model and throws the driver's error instead of Sequelize's, as raw statements do. */
async function call<T>(
  table: Table,
  work: (model: ModelStatic<Model>, options: Awaited<ReturnType<typeof inTransaction>> & typeof PLAIN) => Promise<T>,
): Promise<T> {
  const options = { ...(await inTransaction()), ...PLAIN };
  try {
    return await work(await modelOf(table), options);
  } catch (error) {
    throw (error as { original?: Error }).original ?? error;
  }
}

/** Flags are stored as 1 and 0. */
const stored = (values: object): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(values).map(([name, value]: [string, unknown]) => [
      name,
      typeof value === 'boolean' ? Number(value) : value,
    ]),
  );

/**
 * Inserts a row and returns its id; columns that are absent get the table's defaults. Audited as its table declares. Throws
 * outside `transaction`.
 */
export async function insertRow<T extends Table>(table: T, values: Values<T>): Promise<number> {
  const cells = stored(values);
  const id = await call(
    table,
    async (model, options) => (await model.create(cells, { ...options, returning: ['id'] })).get('id') as number,
  );
  noteInsert(table, id, cells);
  return id;
}

/** Returns a row by its id; undefined: there is none. */
export async function findRow<T extends Table>(table: T, id: number): Promise<Row<T> | undefined> {
  const [row] = await select<Row<T>>(`SELECT * FROM ${table.name} WHERE id = $id`, { id });
  return row;
}

/**
 * Sets columns of a row; the others stay. Does nothing where the row is gone. Audited as its table declares. Throws outside
 * `transaction`.
 */
export async function updateRow<T extends Table>(table: T, id: number, values: Values<T>): Promise<void> {
  const cells = stored(values);
  const before = isAudited(table) ? await findRow(table, id) : undefined;
  await call(table, async (model, options) => void (await model.update(cells, { where: { id }, ...options })));
  if (before) noteUpdate(table, id, before, cells);
}

/**
 * Deletes a row. Audited as its table declares. Throws outside `transaction`, and SQLITE_CONSTRAINT where another row refers
 * to it.
 */
export async function deleteRow(table: Table, id: number): Promise<void> {
  const before = isAudited(table) ? await findRow(table, id) : undefined;
  await call(table, async (model, options) => void (await model.destroy({ where: { id }, ...options })));
  if (before) noteDelete(table, id, before);
}
