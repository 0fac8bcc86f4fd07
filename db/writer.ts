import { statSync } from 'node:fs';
import { Transaction, type Sequelize } from 'sequelize';
import { AppError } from '../src/shared/errors.ts';

interface Connection {
  close: (done?: (error: Error | null) => void) => void;
}

/** Sequelize's transaction as a handle for queries: it is begun and ended here, so its connection outlives it. */
type Handle = Transaction & { connection: Connection; finished?: 'commit' | 'rollback' };

/** One transaction that runs. Exactly one of `commit` and `rollback` is to be called. */
export interface Begun {
  handle: Transaction;
  commit: () => Promise<void>;
  rollback: () => Promise<void>;
}

const KEPT = 'writer';

/** The connections of a Sequelize by name; it opens one that is missing and closes all of them with itself. */
interface Connections {
  connections: Record<string, Connection | undefined>;
  getConnection: (options: { uuid: string }) => Promise<Connection>;
}

const connectionsOf = (sequelize: Sequelize): Connections =>
  (sequelize as unknown as { connectionManager: Connections }).connectionManager;

/** Which file a path names: device and inode, or null where nothing is there. */
function identity(path: string): string | null {
  const stat = statSync(path, { throwIfNoEntry: false, bigint: true });
  return stat ? `${stat.dev}:${stat.ino}` : null;
}

/**
 * The connection that a process writes through. It stays open, because to open one costs more than most transactions;
 * it is opened anew after an end that has failed. Its callers take turns.
 */
export class Writer {
  private readonly opened: string | null;

  /** The file must be there already. */
  constructor(
    private readonly sequelize: Sequelize,
    private readonly file: string,
  ) {
    this.opened = identity(file);
  }

  /** Whether the path still names the file that was opened. */
  get isInPlace(): boolean {
    return this.opened !== null && identity(this.file) === this.opened;
  }

  /** Takes the write lock. Throws SQLITE_BUSY while another process has it, `unavailable` where the file is gone. */
  async begin(): Promise<Begun> {
    // What is written to a file that was deleted or replaced is lost when its last connection closes.
    if (this.opened !== null && !this.isInPlace) throw new AppError('unavailable', 'error.database');
    const handle = new Transaction(this.sequelize, {}) as Handle;
    await this.open(handle);
    await this.run('BEGIN IMMEDIATE', handle);
    return { handle, commit: () => this.commit(handle), rollback: () => this.rollback(handle) };
  }

  /** Gives the handle the kept connection. A new one is made to sync each commit, whatever the driver was built with. */
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

  /** Statements of the transaction that are under way end first: the connection runs them in order, and takes no more. */
  private async rollback(handle: Handle): Promise<void> {
    handle.finished = 'rollback';
    // SQLite has rolled back by itself after some errors, a full disk among them; a connection in doubt is given up.
    await this.run('ROLLBACK', handle).catch(() => this.release());
  }

  /** Closes the connection; the next transaction opens it anew. Not while one runs. */
  async release(): Promise<void> {
    const { connections } = connectionsOf(this.sequelize);
    const connection = connections[KEPT];
    delete connections[KEPT];
    await new Promise<void>((resolve) => (connection ? connection.close(() => resolve()) : resolve()));
  }
}
