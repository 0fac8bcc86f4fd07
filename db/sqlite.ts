import type { Bind, Connection } from './connection.ts';
import { sqliteDriver } from './driver.ts';

interface RawConnection {
  all: (sql: string, bind: Bind, done: (error: Error | null, rows: object[]) => void) => void;
  run: (sql: string, bind: Bind, done: (this: { changes: number }, error: Error | null) => void) => void;
  exec: (sql: string, done: (error: Error | null) => void) => void;
  serialize: (work?: () => void) => void;
  close: (done: (error: Error | null) => void) => void;
}
interface Driver {
  Database: new (path: string, mode: number, done: (error: Error | null) => void) => RawConnection;
  OPEN_READWRITE: number;
  OPEN_CREATE: number;
}

const named = (bind: Bind): Bind => {
  const values: Bind = {};
  for (const name of Object.keys(bind)) values[`$${name}`] = bind[name];
  return values;
};

/** Wraps a driver's error, whose stack does not lead to the statement's caller. Keeps its message and SQLite's `code`. */
const failed = (cause: Error & { code?: string }, sql?: string): Error =>
  Object.assign(new Error(cause.message, { cause }), { code: cause.code, sql });

/** Sequelize formats a stack in each call of `serialize`, whether the statement fails or not: that takes a tenth of a small write. */
function withoutStack(work: () => void): void {
  const { stackTraceLimit } = Error;
  Error.stackTraceLimit = 0;
  try {
    work();
  } finally {
    Error.stackTraceLimit = stackTraceLimit;
  }
}

/**
 * Opens a SQLite file with foreign keys on. With `mustExist` a missing file is an error; else it is created. Errors have
 * SQLite's `code`.
 */
export async function openSqlite(path: string, { mustExist = false } = {}): Promise<Connection> {
  const { Database, OPEN_READWRITE, OPEN_CREATE } = sqliteDriver() as Driver;
  const mode = mustExist ? OPEN_READWRITE : OPEN_READWRITE | OPEN_CREATE;
  const raw = await new Promise<RawConnection>((resolve, reject) => {
    const opened: RawConnection = new Database(path, mode, (error) =>
      error ? reject(failed(error)) : resolve(opened),
    );
  });
  raw.serialize();
  const serialize = raw.serialize.bind(raw);
  raw.serialize = (work) => withoutStack(() => serialize(work));
  const connection: Connection = {
    all: async (sql, bind = {}) => {
      try {
        return await new Promise<object[]>((resolve, reject) => {
          raw.all(sql, named(bind), (error, rows) => (error ? reject(error) : resolve(rows)));
        });
      } catch (error) {
        throw failed(error as Error, sql);
      }
    },
    run: async (sql, bind = {}) => {
      try {
        return await new Promise<number>((resolve, reject) => {
          raw.run(sql, named(bind), function done(error) {
            if (error) reject(error);
            else resolve(this.changes);
          });
        });
      } catch (error) {
        throw failed(error as Error, sql);
      }
    },
    script: (sql) =>
      new Promise((resolve, reject) => raw.exec(sql, (error) => (error ? reject(failed(error, sql)) : resolve(null)))),
    close: () => new Promise((resolve, reject) => raw.close((error) => (error ? reject(failed(error)) : resolve()))),
    raw,
  };
  await connection.run('PRAGMA foreign_keys = ON');
  return connection;
}
