/** The values of a statement's `$name`, by name: exactly those that it has. */
export type Bind = Record<string, unknown>;

/**
 * A connection to a database. Its statements run one after the other, in the order of the calls; those that are begun together cost one round
 * trip to a server.
 */
export interface Connection {
  /** Returns the rows of a statement. */
  all: (sql: string, bind?: Bind) => Promise<object[]>;
  /** Runs one statement and returns the number of rows that it changed. */
  run: (sql: string, bind?: Bind) => Promise<number>;
  /** Runs statements without binds, by one call of the driver, until one fails. */
  script: (sql: string) => Promise<unknown>;
  close: () => Promise<void>;
  /** The driver's connection. */
  raw: object;
}

/** A running transaction: the connection for its statements. */
export interface Transaction {
  connection: Connection;
  /** Whether it was committed or rolled back: no statement may follow. */
  isOver: boolean;
}

/** The one connection for writes of a process. Callers must take turns. */
export interface Writer {
  /** Whether the database is still the one that was opened. */
  readonly isInPlace: boolean;
  /**
   * Opens the connection, with the settings on which durability depends, and throws what keeps this process from writing. A lock that
   * another process has does not: who only reads must not wait for it.
   */
  connect: () => Promise<void>;
  /** Begins a transaction with the write lock. Throws an error that `isBusy` while another process has it. */
  begin: () => Promise<Transaction>;
  /**
   * Commits right after `last`. Throws with the transaction still open; where the first statement of `last` breaks a constraint,
   * it is as before that statement and can be committed.
   */
  commit: (transaction: Transaction, last?: string) => Promise<void>;
  /** Rolls back after the statements that are under way: the connection takes no more. */
  rollback: (transaction: Transaction) => Promise<void>;
  /** Closes the connection; the next transaction opens it anew. Must not be called during a transaction. */
  release: () => Promise<void>;
}

/** The databases that can hold the tables. */
export type Dialect = 'sqlite' | 'postgres';

/** A place for the tables: a SQLite file, or a database of a PostgreSQL server. */
export interface Place {
  readonly dialect: Dialect;
  /** Opens the first connection of a process, for reads beside the writer. */
  connect: () => Promise<Connection>;
  /** Makes the settings of the first connection. Throws an error that `isBusy` while another process is in the way. */
  prepare: (connection: Connection) => Promise<void>;
  /** Opens a connection that cannot write. */
  connectForReading: () => Promise<Connection>;
  /** Returns a value that changes with every commit of any process. */
  version: (connection: Connection) => Promise<string>;
  /** Throws `not_configured` unless the connection has the settings on which durability depends. */
  assertSettings: (connection: Connection) => Promise<void>;
  /** Returns a clearer error for a failure to open it, where there is one. */
  explain: (error: unknown) => Promise<unknown>;
  /** Makes the writer. Connects at its first transaction. */
  writer: () => Writer;
}
