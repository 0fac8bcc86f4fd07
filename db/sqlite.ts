import type { Bind, Connection } from './connection.ts';
import { sqliteDriver } from './driver.ts';

type Failed = (error: Error | null) => void;
interface RawStatement {
  all: (bind: Bind, done: (error: Error | null, rows: object[]) => void) => void;
  finalize: () => void;
}
interface RawConnection {
  /** Calls back once no statement is under way; the next one waits for what is begun in the callback. */
  wait: (done: Failed) => void;
  all: (sql: string, bind: Bind, done: (error: Error | null, rows: object[]) => void) => void;
  run: (sql: string, bind: Bind, done: (this: { changes: number }, error: Error | null) => void) => void;
  exec: (sql: string, done: (error: Error | null) => void) => void;
  serialize: (work?: () => void) => void;
  close: (done: (error: Error | null) => void) => void;
}
interface Driver {
  Database: new (path: string, mode: number, done: (error: Error | null) => void) => RawConnection;
  Statement: new (connection: RawConnection, sql: string, done: Failed) => RawStatement;
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

// SQLite plans a statement for longer than most reads take. A longer text is one of a kind.
const MAX_PREPARED = 64;
const MAX_TEXT = 16_384;
const isReading = (sql: string): boolean => sql.length <= MAX_TEXT && /^\s*(?:SELECT|WITH)\b/i.test(sql);
// Without any value sqlite3 would leave a kept statement those of its last call, which may be another caller's.
const isBound = (sql: string, bind: Bind): boolean => Object.keys(bind).length > 0 || !sql.includes('$');

/** The prepared reading statements of a connection: those that were used last. */
class Prepared {
  private readonly kept = new Map<string, RawStatement>();

  constructor(
    private readonly raw: RawConnection,
    private readonly driver: Driver,
  ) {}

  all(sql: string, bind: Bind): Promise<object[]> {
    return new Promise((resolve, reject) => {
      const done = (error: Error | null, rows: object[]): void => (error ? reject(error) : resolve(rows));
      // A statement of its own would overtake those that the connection has in its queue.
      this.raw.wait((error) => (error ? reject(error) : this.take(sql, reject).all(bind, done)));
    });
  }

  /** Finalizes all statements; while one is left, the connection can't be closed. */
  end(): void {
    for (const statement of this.kept.values()) statement.finalize();
    this.kept.clear();
  }

  private take(sql: string, reject: (error: Error) => void): RawStatement {
    const { Statement } = this.driver;
    const known = this.kept.get(sql);
    this.kept.delete(sql);
    const statement =
      known ??
      new Statement(this.raw, sql, (error) => {
        if (!error) return;
        this.kept.delete(sql);
        reject(error);
      });
    this.kept.set(sql, statement);
    const [oldest] = this.kept;
    if (this.kept.size > MAX_PREPARED && oldest) {
      this.kept.delete(oldest[0]);
      oldest[1].finalize();
    }
    return statement;
  }
}

/**
 * Opens a SQLite file with foreign keys on. With `mustExist` a missing file is an error; else it is created. Errors have
 * SQLite's `code`.
 */
export async function openSqlite(path: string, { mustExist = false } = {}): Promise<Connection> {
  const driver = sqliteDriver() as Driver;
  const { Database, OPEN_READWRITE, OPEN_CREATE } = driver;
  const mode = mustExist ? OPEN_READWRITE : OPEN_READWRITE | OPEN_CREATE;
  const raw = await new Promise<RawConnection>((resolve, reject) => {
    const opened: RawConnection = new Database(path, mode, (error) =>
      error ? reject(failed(error)) : resolve(opened),
    );
  });
  raw.serialize();
  const serialize = raw.serialize.bind(raw);
  raw.serialize = (work) => withoutStack(() => serialize(work));
  const prepared = new Prepared(raw, driver);
  const connection: Connection = {
    all: async (sql, bind = {}) => {
      try {
        if (isReading(sql) && isBound(sql, bind)) return await prepared.all(sql, named(bind));
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
    close: () =>
      new Promise((resolve, reject) => {
        const closed = (error: Error | null): void => (error ? reject(failed(error)) : resolve());
        raw.wait((error) => {
          prepared.end();
          if (error) closed(error);
          else raw.close(closed);
        });
      }),
    raw,
  };
  await connection.run('PRAGMA foreign_keys = ON');
  return connection;
}
