type Callback = (this: unknown, error: Error | null, rows?: unknown) => void;
type Bound = unknown[] | Record<string, unknown>;

interface NodeStatement {
  columns?(): unknown[];
  all(...parameters: unknown[]): unknown[];
  run(...parameters: unknown[]): { lastInsertRowid: number | bigint; changes: number | bigint };
}
interface NodeDatabase {
  prepare(sql: string): NodeStatement;
  exec(sql: string): void;
  close(): void;
}
/** The part of `node:sqlite` that the adapter needs. */
export type DatabaseSyncClass = new (path: string) => NodeDatabase;

// Sequelize checks the name of this class; it carries `lastID` and `changes`.
class Statement {
  lastID = 0;
  changes = 0;
}

// Node 22 cannot bind booleans.
const bindable = (value: unknown): unknown => (typeof value === 'boolean' ? Number(value) : value);

const spread = (bound: Bound): unknown[] =>
  Array.isArray(bound)
    ? bound.map(bindable)
    : [Object.fromEntries(Object.entries(bound).map(([name, value]) => [name, bindable(value)]))];

/** A connection with the methods of the sqlite3 package that `sqlite.ts` and Sequelize use. */
class Connection {
  private readonly database: NodeDatabase | undefined;

  constructor(
    readonly filename: string,
    DatabaseSync: DatabaseSyncClass,
    private readonly beforeClose: () => Promise<void>,
    done: (error: Error | null) => void,
  ) {
    let failure: Error | null = null;
    try {
      this.database = new DatabaseSync(filename);
      this.database.exec('PRAGMA busy_timeout = 1000');
    } catch (error) {
      failure = withCode(error as Error & { errcode?: number });
    }
    setImmediate(() => done(failure));
  }

  serialize(work?: () => void): void {
    work?.();
  }

  wait(done: (error: Error | null) => void): void {
    done(null);
  }

  prepare(sql: string): NodeStatement {
    return this.open().prepare(sql);
  }

  run(sql: string, bound: Bound | Callback = [], done?: Callback): this {
    const [values, callback] = typeof bound === 'function' ? [[], bound] : [bound, done];
    const statement = new Statement();
    perform(callback, statement, () => {
      const result = this.open()
        .prepare(sql)
        .run(...spread(values));
      statement.lastID = Number(result.lastInsertRowid);
      statement.changes = Number(result.changes);
    });
    return this;
  }

  all(sql: string, bound: Bound | Callback = [], done?: Callback): this {
    const [values, callback] = typeof bound === 'function' ? [[], bound] : [bound, done];
    perform(callback, new Statement(), () =>
      this.open()
        .prepare(sql)
        .all(...spread(values)),
    );
    return this;
  }

  exec(sql: string, done: Callback): this {
    perform(done, new Statement(), () => this.open().exec(sql));
    return this;
  }

  close(done?: (error: Error | null) => void): void {
    const close = async (): Promise<void> => {
      await this.beforeClose();
      this.database?.close();
      done?.(null);
    };
    void close();
  }

  private open(): NodeDatabase {
    if (!this.database) throw new Error('The database is not open');
    return this.database;
  }
}

// The first read on Node 22 after another process has changed a table has the columns of before, or fails where there are fewer.
const countsEarly = process.versions.node.startsWith('22.');

function readAll(statement: NodeStatement, bound: Bound): unknown[] {
  if (countsEarly) {
    const count = statement.columns?.().length;
    try {
      const rows = statement.all(...spread(bound));
      if (statement.columns?.().length === count) return rows;
    } catch (error) {
      if (statement.columns?.().length === count) throw error;
    }
  }
  return statement.all(...spread(bound));
}

/** A reading statement that is prepared for several calls. An error of its text comes with each of them. */
class Prepared {
  private statement: NodeStatement | undefined;

  constructor(
    private readonly connection: Connection,
    private readonly sql: string,
  ) {}

  all(bound: Bound, done: Callback): this {
    perform(done, new Statement(), () => {
      this.statement ??= this.connection.prepare(this.sql);
      return readAll(this.statement, bound);
    });
    return this;
  }

  // It is finalized with its connection, or as garbage.
  finalize(): void {
    this.statement = undefined;
  }
}

/** Does work at once and calls back later, with the statement as `this`, as the sqlite3 package does. */
function perform(done: Callback | undefined, statement: Statement, work: () => unknown): void {
  let rows: unknown;
  let failure: Error | null = null;
  try {
    rows = work();
  } catch (error) {
    failure = withCode(error as Error & { errcode?: number });
  }
  setImmediate(() => done?.call(statement, failure, rows));
}

/**
 * Adapts a `DatabaseSync` as in `node:sqlite` to the part of the sqlite3 package that `sqlite.ts` and Sequelize use. Synchronous: a long query
 * blocks the process. `beforeClose` runs before a connection is closed.
 */
export function adaptSyncSqlite(DatabaseSync: DatabaseSyncClass, beforeClose = async (): Promise<void> => {}): object {
  class Database extends Connection {
    constructor(path: string, _mode: number, done: (error: Error | null) => void) {
      super(path, DatabaseSync, beforeClose, done);
    }
  }
  return { Database, Statement: Prepared, OPEN_READWRITE: 2, OPEN_CREATE: 4 };
}

// SQLite's primary result codes, with the names by which Sequelize and the writer tell errors apart.
const CODES: Record<number, string> = {
  1: 'SQLITE_ERROR',
  5: 'SQLITE_BUSY',
  8: 'SQLITE_READONLY',
  10: 'SQLITE_IOERR',
  11: 'SQLITE_CORRUPT',
  13: 'SQLITE_FULL',
  14: 'SQLITE_CANTOPEN',
  19: 'SQLITE_CONSTRAINT',
  26: 'SQLITE_NOTADB',
};

// The messages of these errors. `@photostructure/sqlite` gives the number of an error by `run` and `exec`, but not by `all`.
const MESSAGES: [RegExp, string][] = [
  [/^database is locked/, 'SQLITE_BUSY'],
  [/^attempt to write a readonly database/, 'SQLITE_READONLY'],
  [/^disk I\/O error/, 'SQLITE_IOERR'],
  [/^database disk image is malformed/, 'SQLITE_CORRUPT'],
  [/^database or disk is full/, 'SQLITE_FULL'],
  [/^unable to open database file/, 'SQLITE_CANTOPEN'],
  [/^(?:\w+(?: \w+)? )?constraint failed/, 'SQLITE_CONSTRAINT'],
  [/^file is not a database/, 'SQLITE_NOTADB'],
];

function withCode(error: Error & { errcode?: number }): Error {
  const code = CODES[(error.errcode ?? 0) & 0xff] ?? MESSAGES.find(([message]) => message.test(error.message))?.[1];
  return code ? Object.assign(error, { code, message: `${code}: ${error.message}` }) : error;
}
