import { statSync } from 'node:fs';
import { troubleOf } from '../src/lib/database-trouble.ts';
import { AppError } from '../src/shared/errors.ts';
import type { Connection, Transaction, Writer } from './connection.ts';
import { openSqlite } from './sqlite.ts';

// Without a limit the log of a large transaction would keep its length for as long as a server runs.
const LOG_BYTES = 16 * 1024 * 1024;

/** Identity of the file at a path: device and inode, or null if there is none. */
function identity(path: string): string | null {
  const stat = statSync(path, { throwIfNoEntry: false, bigint: true });
  return stat ? `${stat.dev}:${stat.ino}` : null;
}

/** The writer of a SQLite file. Its connection stays open, because opening one costs more than most transactions; after a failed ROLLBACK it is opened anew. */
export class SqliteWriter implements Writer {
  private readonly opened: string | null;
  private connection: Connection | undefined;

  /** The file must exist. `assertSettings` throws where a connection is not durable. */
  constructor(
    private readonly file: string,
    private readonly assertSettings: (connection: Connection) => Promise<void>,
  ) {
    this.opened = identity(file);
  }

  /** Whether the path still leads to the file that was opened. */
  get isInPlace(): boolean {
    return this.opened !== null && identity(this.file) === this.opened;
  }

  /** Opens the connection, and takes the write lock for a moment where it is free: a file that takes no writes is found at once. */
  async connect(): Promise<void> {
    const connection = await this.ready();
    const [row] = (await connection.all('PRAGMA busy_timeout')) as { timeout: number }[];
    try {
      await connection.all('PRAGMA busy_timeout = 0');
      await connection.script('BEGIN IMMEDIATE; ROLLBACK');
    } catch (error) {
      if (troubleOf(error) !== 'busy') throw error;
    } finally {
      await connection.all(`PRAGMA busy_timeout = ${row?.timeout ?? 0}`);
    }
  }

  /** Begins a transaction with the write lock. Throws SQLITE_BUSY while another process has it, `unavailable` if the file is gone. */
  async begin(): Promise<Transaction> {
    const connection = await this.ready();
    await connection.script('BEGIN IMMEDIATE');
    return { connection, isOver: false };
  }

  /** Returns the connection, which it opens if needed. Throws `unavailable` if the file is gone. */
  private async ready(): Promise<Connection> {
    // Writes to a deleted or replaced file would be lost when its last connection closes.
    if (this.opened !== null && !this.isInPlace) throw new AppError('unavailable', 'error.database');
    return (this.connection ??= await this.open());
  }

  /** Opens a connection that syncs each commit, whatever the driver's default, and shortens the log when it begins anew. */
  private async open(): Promise<Connection> {
    const connection = await openSqlite(this.file, { mustExist: this.opened !== null });
    try {
      await connection.run('PRAGMA synchronous = FULL');
      await connection.all(`PRAGMA journal_size_limit = ${LOG_BYTES}`);
      await this.assertSettings(connection);
    } catch (error) {
      await connection.close().catch(() => undefined);
      throw error;
    }
    return connection;
  }

  async commit(transaction: Transaction, last?: string): Promise<void> {
    transaction.isOver = true;
    await transaction.connection.script(last === undefined ? 'COMMIT' : `${last}; COMMIT`);
  }

  async rollback(transaction: Transaction): Promise<void> {
    transaction.isOver = true;
    // After some errors, such as a full disk, SQLite has already rolled back: then ROLLBACK fails, and the connection is dropped.
    await transaction.connection.run('ROLLBACK').catch(() => this.release());
  }

  async release(): Promise<void> {
    const connection = this.connection;
    this.connection = undefined;
    await connection?.close().catch(() => undefined);
  }
}
