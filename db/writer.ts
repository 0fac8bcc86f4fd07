import { statSync } from 'node:fs';
import { Transaction, type Sequelize } from 'sequelize';
import { AppError } from '../src/shared/errors.ts';

interface Connection {
  close: (done?: (error: Error | null) => void) => void;
}

/** Sequelize's transaction as a handle for queries: it is begun and ended here, so that its connection outlives it. */
type Handle = Transaction & { connection: Connection; finished?: 'commit' | 'rollback' };

/** A running transaction. Call exactly one of `commit` and `rollback`. */
export interface Begun {
  handle: Transaction;
  commit: () => Promise<void>;
  rollback: () => Promise<void>;
}

const KEPT = 'writer';

/** Sequelize's connections by name: it opens a missing one, and closes all of them with itself. */
interface Connections {
  connections: Record<string, Connection | undefined>;
  getConnection: (options: { uuid: string }) => Promise<Connection>;
}

const connectionsOf = (sequelize: Sequelize): Connections =>
  (sequelize as unknown as { connectionManager: Connections }).connectionManager;

/** Identity of the file at a path: device and inode, or null if there is none. */
function identity(path: string): string | null {
  const stat = statSync(path, { throwIfNoEntry: false, bigint: true });
  return stat ? `${stat.dev}:${stat.ino}` : null;
}

/**
 * The one connection for writes of a process. It stays open, because opening one costs more than most transactions; after a
 * failed ROLLBACK it is opened anew. Callers must take turns.
 */
export class Writer {
  private readonly opened: string | null;

  /** The file must exist. */
  constructor(
    private readonly sequelize: Sequelize,
    private readonly file: string,
  ) {
    this.opened = identity(file);
  }

  /** Whether the path still leads to the file that was opened. */
  get isInPlace(): boolean {
    return this.opened !== null && identity(this.file) === this.opened;
  }

  /** Begins a transaction with the write lock. Throws SQLITE_BUSY while another process has it, `unavailable` if the file is gone. */
  async begin(): Promise<Begun> {
    // Writes to a deleted or replaced file would be lost when its last connection closes.
    if (this.opened !== null && !this.isInPlace) throw new AppError('unavailable', 'error.database');
    const handle = new Transaction(this.sequelize, {}) as Handle;
    await this.open(handle);
    await this.run('BEGIN IMMEDIATE', handle);
    return { handle, commit: () => this.commit(handle), rollback: () => this.rollback(handle) };
  }

  /** Sets the handle's connection to the kept one. A new connection is set to sync each commit, whatever the driver's default. */
  private async open(handle: Handle): Promise<void> {
    const manager = connectionsOf(this.sequelize);
    const isNew = manager.connections[KEPT] === undefined;
    handle.connection = await manager.getConnection({ uuid: KEPT });
    if (!isNew) return;
    try {
      await this.run('PRAGMA synchronous = FULL', handle);
    } catch (error) {
      await this.release();
      throw error;
    }
  }

  private async run(sql: string, transaction: Handle): Promise<void> {
    await this.sequelize.query(sql, { transaction, completesTransaction: true } as object);
  }

  private async commit(handle: Handle): Promise<void> {
    handle.finished = 'commit';
    try {
      await this.run('COMMIT', handle);
    } catch (error) {
      await this.rollback(handle);
      throw error;
    }
  }

  /** Rolls back after the statements that are under way: the connection runs them in order, and takes no more. */
  private async rollback(handle: Handle): Promise<void> {
    handle.finished = 'rollback';
    // After some errors, such as a full disk, SQLite has already rolled back: then ROLLBACK fails, and the connection is dropped.
    await this.run('ROLLBACK', handle).catch(() => this.release());
  }

  /** Closes the connection; the next transaction opens it anew. Must not be called during a transaction. */
  async release(): Promise<void> {
    const { connections } = connectionsOf(this.sequelize);
    const connection = connections[KEPT];
    delete connections[KEPT];
    await new Promise<void>((resolve) => (connection ? connection.close(() => resolve()) : resolve()));
  }
}
