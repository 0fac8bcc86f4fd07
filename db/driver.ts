import { createRequire } from 'node:module';
import { AppError } from '../src/shared/errors.ts';

type Callback = (this: unknown, error: Error | null, rows?: unknown) => void;
type Bound = unknown[] | Record<string, unknown>;

interface NodeStatement {
  all(...parameters: unknown[]): unknown[];
  run(...parameters: unknown[]): { lastInsertRowid: number | bigint; changes: number | bigint };
}
interface NodeDatabase {
  prepare(sql: string): NodeStatement;
  exec(sql: string): void;
  close(): void;
}

// The driver's name for the object that carries `lastID` and `changes`: Sequelize asks for it.
class Statement {
  lastID = 0;
  changes = 0;
}

const spread = (bound: Bound): unknown[] =>
  (Array.isArray(bound) ? bound : [bound]).map((value) => (typeof value === 'boolean' ? Number(value) : value));

/**
 * The part of the sqlite3 package that Sequelize uses, on Node's own SQLite: for machines where the native package
 * could not be built (npm 12 runs no install scripts). Synchronous, so a long query holds the process up.
 */
function nodeSqlite(DatabaseSync: new (path: string) => NodeDatabase): object {
  class Database {
    readonly filename: string;
    private readonly database: NodeDatabase | undefined;

    constructor(path: string, _mode: number, done: (error: Error | null) => void) {
      this.filename = path;
      let failure: Error | null = null;
      try {
        this.database = new DatabaseSync(path);
        this.database.exec('PRAGMA busy_timeout = 1000');
      } catch (error) {
        failure = error as Error;
      }
      setImmediate(() => done(failure));
    }

    serialize(work: () => void): void {
      work();
    }

    run(sql: string, bound: Bound | Callback = [], done?: Callback): this {
      const [values, callback] = typeof bound === 'function' ? [[], bound] : [bound, done];
      const statement = new Statement();
      this.perform(callback, statement, () => {
        const result = this.open()
          .prepare(sql)
          .run(...spread(values));
        statement.lastID = Number(result.lastInsertRowid);
        statement.changes = Number(result.changes);
      });
      return this;
    }

    all(sql: string, bound: Bound, done: Callback): this {
      this.perform(done, new Statement(), () =>
        this.open()
          .prepare(sql)
          .all(...spread(bound)),
      );
      return this;
    }

    exec(sql: string, done: Callback): this {
      this.perform(done, new Statement(), () => this.open().exec(sql));
      return this;
    }

    close(done?: (error: Error | null) => void): void {
      this.database?.close();
      if (done) setImmediate(() => done(null));
    }

    private open(): NodeDatabase {
      if (!this.database) throw new Error('The database is not open');
      return this.database;
    }

    private perform(done: Callback | undefined, statement: Statement, work: () => unknown): void {
      let rows: unknown;
      let failure: Error | null = null;
      try {
        rows = work();
      } catch (error) {
        failure = withCode(error as Error & { errcode?: number });
      }
      setImmediate(() => done?.call(statement, failure, rows));
    }
  }
  return { Database, OPEN_READWRITE: 2, OPEN_CREATE: 4 };
}

// SQLite's primary result codes under the names by which Sequelize and the writer tell errors apart.
const CODES: Record<number, string> = {
  5: 'SQLITE_BUSY',
  8: 'SQLITE_READONLY',
  10: 'SQLITE_IOERR',
  11: 'SQLITE_CORRUPT',
  13: 'SQLITE_FULL',
  14: 'SQLITE_CANTOPEN',
  19: 'SQLITE_CONSTRAINT',
};

function withCode(error: Error & { errcode?: number }): Error {
  const code = CODES[(error.errcode ?? 0) & 0xff];
  return code ? Object.assign(error, { code, message: `${code}: ${error.message}` }) : error;
}

/**
 * The SQLite driver as Sequelize's `dialectModule`: the sqlite3 package, or Node's own SQLite where that could not be
 * built. Throws with the command to run where neither is there.
 */
export function sqliteDriver(): object {
  const require = createRequire(import.meta.url);
  try {
    return require('sqlite3') as object;
  } catch (cause) {
    try {
      const { DatabaseSync } = require('node:sqlite') as { DatabaseSync: new (path: string) => NodeDatabase };
      return nodeSqlite(DatabaseSync);
    } catch {
      throw new AppError('not_configured', 'database.no_driver', {}, { cause });
    }
  }
}
