/**
 * A table is declared once, as `table(name, columns, …)`. The model, the type of its rows, the list of secret columns, what
 * refers to it, how its writes are audited, and the comparison with the migrations derive from that.
 */

/**
 * How the values of a column are stored. `flag` is 1 or 0, `time` ISO 8601 text in UTC, `json` text, `secret` text sealed
 * with the installation's key, `hash` text that can't be turned back.
 */
export type Kind = 'id' | 'text' | 'integer' | 'flag' | 'time' | 'json' | 'secret' | 'hash' | 'bytes' | 'reference';

/** The action on a row when the row that it refers to is deleted. */
export type OnDelete = 'CASCADE' | 'SET NULL' | 'RESTRICT';

/** A column; `Value` is the type of its values in a row. */
export interface Column<Value> {
  kind: Kind;
  nullable: boolean;
  references?: { table: string; onDelete: OnDelete };
  /** Never set: it carries the type. */
  value?: Value;
}

type Columns = Record<string, Column<unknown>>;

/**
 * How writes are audited: `name` is the column by which people know a row, `leaves` are columns that the audit does not tell.
 * `machine`: they are not, and why.
 */
export type Writes = { name: string | null; leaves: readonly string[] } | { machine: string };

/** Declares that the decisions of people about a table's rows are audited. */
export const audited = (name: string | null, leaves: readonly string[] = []): Writes => ({ name, leaves });

/** A table's rows are kept by the program itself, and not audited for this reason. */
export const machine = (reason: string): Writes => ({ machine: reason });

/** A table: its columns by name in their order, and the columns of its primary key. */
export interface Table<C extends Columns = Columns, Name extends string = string> {
  name: Name;
  columns: C;
  key: readonly string[];
  writes: Writes;
}

/** A row of a table, as `select` returns it. */
export type Row<T extends Table> = {
  -readonly [Name in keyof T['columns']]: T['columns'][Name] extends Column<infer Value> ? Value : never;
};

const column = <Value>(kind: Kind): Column<Value> => ({ kind, nullable: false });

/** The primary key. Ids are never reused, so that an old link does not open a newer row. */
export const id = () => column<number>('id');
export const text = <Value extends string = string>() => column<Value>('text');
export const integer = () => column<number>('integer');
export const flag = () => column<number>('flag');
export const time = () => column<string>('time');
export const json = () => column<string>('json');
export const secret = () => column<string>('secret');
export const hash = () => column<string>('hash');
export const bytes = () => column<Uint8Array>('bytes');

/** A reference to the id of another table's row. */
export const reference = (to: string, onDelete: OnDelete): Column<number> => ({
  ...column<number>('reference'),
  references: { table: to, onDelete },
});

/** A column that may be null. */
export const optional = <Value>(of: Column<Value>): Column<Value | null> => ({ ...of, nullable: true });

/** Declares a table. Its key is `id` if no other is given. */
export const table = <C extends Columns, const Name extends string>(
  name: Name,
  writes: Writes,
  columns: C,
  { key = ['id'] }: { key?: readonly (keyof C & string)[] } = {},
): Table<C, Name> => ({ name, writes, columns, key });
