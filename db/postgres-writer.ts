import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Transaction, Writer } from './connection.ts';
import type { PostgresConnection } from './postgres.ts';
import { isBusy, troubleOf } from '../src/lib/database-trouble.ts';

/** The writers' lock: any number, that of this program among the locks of the database. */
export const LOCK = 7_365_616;

// READ COMMITTED, so that the statements after the lock see what its former holder has committed; with a snapshot of the whole
// transaction, taken while it waited, they would not.
const BEGIN = `BEGIN ISOLATION LEVEL READ COMMITTED; SELECT pg_advisory_xact_lock(${LOCK})`;

/**
 * The last commit of each writer, so that a writer that loses its connection during a COMMIT can find out whether it took
 * place. PostgreSQL's own answer, pg_xact_status, may be that of another transaction: after a crash numbers are given again.
 */
const MARKS = `CREATE TABLE IF NOT EXISTS writers (id TEXT PRIMARY KEY, commits BIGINT NOT NULL, at TIMESTAMPTZ NOT NULL)`;
const OLD_MARKS = `DELETE FROM writers WHERE at < now() - interval '30 days'`;

// A transaction that has written nothing has no number and leaves no mark.
const markOf = (id: string, commits: number): string =>
  `INSERT INTO writers (id, commits, at) SELECT '${id}', ${commits}, now() WHERE pg_current_xact_id_if_assigned() IS NOT NULL
   ON CONFLICT (id) DO UPDATE SET commits = excluded.commits, at = excluded.at`;

const LOCK_NOT_AVAILABLE = '55P03';

const ASK_PAUSE_MS = 100;
// A server that crashed is back before; then the caller gets the error, and may look.
const ASK_GIVE_UP_MS = 60_000;

/**
 * The writer of a PostgreSQL database. One advisory lock is held by each of its transactions: there is one writer over all
 * processes, as on SQLite. Connects again after the server was away.
 */
export class PostgresWriter implements Writer {
  private readonly id = randomUUID();
  private commits = 0;
  private connection: PostgresConnection | undefined;

  /** `open` throws where a connection is not durable. */
  constructor(private readonly open: () => Promise<PostgresConnection>) {}

  /** Nobody can take a server's database away from its clients. */
  readonly isInPlace = true;

  /** Takes the lock for a moment; where another process has it, the first transaction connects anew. */
  async connect(): Promise<void> {
    try {
      await this.rollback(await this.begin());
    } catch (error) {
      if ((error as { code?: string }).code !== LOCK_NOT_AVAILABLE) throw error;
    }
  }

  async begin(): Promise<Transaction> {
    const connection = await this.connected();
    try {
      await connection.script(BEGIN);
    } catch (error) {
      await connection.script('ROLLBACK').catch(() => this.release());
      throw error;
    }
    return { connection, isOver: false };
  }

  private async connected(): Promise<PostgresConnection> {
    if (this.connection?.isLost) await this.release();
    if (!this.connection) {
      this.connection = await this.open();
      // Outside the lock two processes could make the table at once, which fails for one of them.
      await this.connection.script(`${BEGIN}; ${MARKS}; ${OLD_MARKS}; COMMIT`).catch(async (error: unknown) => {
        await this.release();
        throw error;
      });
    }
    return this.connection;
  }

  async commit(transaction: Transaction, last?: string): Promise<void> {
    transaction.isOver = true;
    const connection = transaction.connection as PostgresConnection;
    const mark = this.commits + 1;
    const before = last === undefined ? '' : `SAVEPOINT last_statements; ${last}; `;
    try {
      await connection.script(`${before}${markOf(this.id, mark)}; COMMIT`);
    } catch (error) {
      const trouble = troubleOf(error);
      if (trouble === 'constraint' && last !== undefined) await connection.script('ROLLBACK TO last_statements');
      if (trouble !== 'lost' || !(await this.hasCommitted(mark))) throw error;
    }
    this.commits = mark;
  }

  /** Asks the server, once it is back, whether a commit whose answer was lost has taken place. */
  private async hasCommitted(mark: number): Promise<boolean> {
    for (const start = performance.now(); ; await sleep(ASK_PAUSE_MS)) {
      try {
        // The lock is free only when the lost connection's transaction is over.
        const { connection } = await this.begin();
        const [row] = (await connection.all('SELECT commits FROM writers WHERE id = $id', { id: this.id })) as {
          commits: number;
        }[];
        await connection.run('ROLLBACK');
        return row?.commits === mark;
      } catch (error) {
        if (!isBusy(error) || performance.now() - start > ASK_GIVE_UP_MS) throw error;
      }
    }
  }

  async rollback(transaction: Transaction): Promise<void> {
    transaction.isOver = true;
    await transaction.connection.run('ROLLBACK').catch(() => this.release());
  }

  async release(): Promise<void> {
    const { connection } = this;
    this.connection = undefined;
    await connection?.close();
  }
}
