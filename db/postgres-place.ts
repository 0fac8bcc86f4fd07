import { setTimeout as sleep } from 'node:timers/promises';
import { shownAddress } from '../src/lib/database-address.ts';
import { AppError } from '../src/shared/errors.ts';
import type { Connection, Place } from './connection.ts';
import { LOCK, PostgresWriter } from './postgres-writer.ts';
import { NO_PASSWORD, openPostgres, type PostgresConnection } from './postgres.ts';
import { troubleOf } from '../src/lib/database-trouble.ts';

const OLDEST = 14;
// One try for the lock, as on SQLite: the writer notes a longer wait, and tries again.
const LOCK_TIMEOUT_MS = 1_000;
// A process that hangs within a transaction, or is cut off, loses the lock, before the others give up. Nothing outside is called within one.
const IDLE_IN_TRANSACTION_MS = 12_000;
const READ_GIVE_UP_MS = 5_000;
// too_many_connections: of the server, of the database, or of the role.
const TOO_MANY = '53300';
// read_only_sql_transaction.
const READ_ONLY = '25006';

const SETTINGS = { synchronous_commit: 'on', standard_conforming_strings: 'on' };
const READING = { ...SETTINGS, default_transaction_read_only: 'on' };
const WRITING = {
  ...SETTINGS,
  default_transaction_read_only: 'off',
  lock_timeout: String(LOCK_TIMEOUT_MS),
  idle_in_transaction_session_timeout: String(IDLE_IN_TRANSACTION_MS),
};

const WANTED: Record<string, string> = { server_encoding: 'UTF8', ...SETTINGS };

async function assertSettings(connection: Connection): Promise<void> {
  const names = ['server_version_num', ...Object.keys(WANTED)];
  const columns = names.map((name) => `current_setting('${name}') AS ${name}`).join();
  const [row = {}] = (await connection.all(`SELECT ${columns}`)) as Record<string, string>[];
  const version = Math.floor(Number(row['server_version_num']) / 10_000);
  if (version < OLDEST) throw new AppError('not_configured', 'database.old_postgres', { version, oldest: OLDEST });
  for (const [name, value] of Object.entries(WANTED)) {
    const actual = row[name];
    if (actual !== value) {
      throw new AppError('not_configured', 'database.setting', { name, value: String(actual) });
    }
  }
}

/** Turns a failure to connect for the first time into an answer that says where and why, without login and password. */
function explained(address: string, error: unknown): unknown {
  const trouble = troubleOf(error);
  const { code, message } = error as Error & { code?: string };
  const params = { address: shownAddress(address), reason: message };
  if (code === NO_PASSWORD) return new AppError('not_configured', 'database.no_password', params, { cause: error });
  if (trouble === 'unopened') return new AppError('not_configured', 'database.refused', params, { cause: error });
  if (code === '08001') return new AppError('unavailable', 'database.unreachable', params, { cause: error });
  return error;
}

/** As `explained`, for what follows the first connection: too few rights, a standby, no room for the other connections. */
function unusable(address: string, error: unknown): unknown {
  const cause = error instanceof AppError ? error.cause : error;
  const params = { address: shownAddress(address), reason: (cause as Error | undefined)?.message ?? '' };
  if ((cause as { code?: string } | undefined)?.code === TOO_MANY)
    return new AppError('unavailable', 'database.unreachable', params, { cause });
  if (cause !== error || troubleOf(error) !== 'unopened') return error;
  // A standby may be made the primary in a moment: whoever starts the program is to try again.
  const kind = (error as { code?: string }).code === READ_ONLY ? 'unavailable' : 'not_configured';
  return new AppError(kind, 'database.unusable', params, { cause });
}

/** A connection for reads that is opened again after it was lost; a read that failed with it is made again. */
async function lasting(open: () => Promise<PostgresConnection>): Promise<Connection> {
  let opened = await open();
  let opening: Promise<PostgresConnection> | undefined;
  const alive = async (): Promise<PostgresConnection> => {
    if (!opened.isLost) return opened;
    opening ??= open().finally(() => (opening = undefined));
    return (opened = await opening);
  };
  const again = async <T>(read: (connection: PostgresConnection) => Promise<T>): Promise<T> => {
    for (const start = performance.now(); ;) {
      try {
        return await read(await alive());
      } catch (error) {
        if (troubleOf(error) !== 'lost' || performance.now() - start > READ_GIVE_UP_MS) throw error;
        await sleep(100);
      }
    }
  };
  return {
    all: (sql, bind) => again((connection) => connection.all(sql, bind)),
    run: (sql, bind) => again((connection) => connection.run(sql, bind)),
    script: (sql) => again((connection) => connection.script(sql)),
    close: () => opened.close(),
    get raw() {
      return opened.raw;
    },
  };
}

// Others than ourselves, whose names a role that is no administrator sees as far as they are its own.
const OTHERS = `SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND application_name = current_setting('application_name')
  AND pid <> pg_backend_pid() LIMIT 1`;

/**
 * Opens a connection whose reads see one moment and that keeps all writers out until it is closed. Returns null where another
 * process of this program is connected.
 */
export async function openForCopy(address: string): Promise<PostgresConnection | null> {
  const settings = { ...READING, lock_timeout: String(LOCK_TIMEOUT_MS) };
  const connection = await openPostgres(address, settings).catch((error: unknown) => {
    throw explained(address, error);
  });
  try {
    const others = await connection.all(OTHERS);
    // The lock comes before the snapshot: what its former holder has committed has to be in it.
    if (others.length === 0) {
      await connection.script(`SELECT pg_advisory_lock(${LOCK})`);
      await connection.script('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY; SELECT 1');
      return connection;
    }
  } catch (error) {
    await connection.close();
    if (troubleOf(error) !== 'busy') throw error;
    return null;
  }
  await connection.close();
  return null;
}

const WHICH = 'SELECT pg_postmaster_start_time()::text AS started, current_database() AS name';

/** Whether an address, by whatever name of its host, is that of the database of a connection. Throws as the opening of a place does. */
export async function isSamePostgres(connection: Pick<Connection, 'all'>, address: string): Promise<boolean> {
  const other = await openPostgres(address, READING).catch((error: unknown) => {
    throw explained(address, error);
  });
  try {
    const [one, two] = [await connection.all(WHICH), await other.all(WHICH)];
    return JSON.stringify(one) === JSON.stringify(two);
  } finally {
    await other.close();
  }
}

/** Opens a connection for transactions. Throws `not_configured` unless it has the settings on which durability depends. */
async function openForWriting(address: string): Promise<PostgresConnection> {
  const connection = await openPostgres(address, WRITING);
  try {
    await assertSettings(connection);
    return connection;
  } catch (error) {
    await connection.close();
    throw error;
  }
}

/** Returns the place of a PostgreSQL database, which must exist. */
export const postgresPlace = (address: string): Place => {
  const connectForReading = (): Promise<Connection> => lasting(() => openPostgres(address, READING));
  return {
    dialect: 'postgres',
    // The first one is not tried again: whoever starts the program waits for an answer.
    connect: () =>
      connectForReading().catch((error: unknown) => {
        throw explained(address, error);
      }),
    prepare: async () => undefined,
    connectForReading,
    // The transactions that a new statement sees: equal values mean equal rows. It costs no write, as a counter would.
    version: async (connection) => {
      const [row] = (await connection.all(
        'SELECT pg_backend_pid() AS process, pg_current_snapshot()::text AS seen',
      )) as { process: number; seen: string }[];
      // After a crash, numbers of transactions that were not stored are given again: then the connection is another one.
      return `${row?.process}/${row?.seen}`;
    },
    assertSettings,
    explain: async (error) => unusable(address, error),
    writer: () => new PostgresWriter(() => openForWriting(address)),
  };
};
