// Databases of a PostgreSQL server beside the configured one: a backup is restored into a new one, which is dropped or put in its place.
import { randomBytes } from 'node:crypto';
import { AppError } from '../src/shared/errors.ts';
import { readContents, type Contents } from './beside.ts';
import { openPostgres, type PostgresConnection } from './postgres.ts';

const PREFIX = 'seo_admin_beside_';
// A restore is connected; between the making and that, some seconds go by.
const LEFT_MS = 600_000;
// Every server has one of these, and a database can't be renamed by who is connected to it.
const ELSEWHERE = ['postgres', 'template1'];

// Beside that of the writers, which a migration takes for each transaction.
const ALONE = 7_365_617;
// With a number for the name of the database: it is held in another one.
const RESTORING = 7_365_618;
const IN_USE = '55006';
const NO_RIGHT = '42501';

const MOST_NAME_BYTES = 63;

const nameIn = (address: string): string => decodeURIComponent(new URL(address).pathname.slice(1));

/** Returns the address of another database of the same server. */
export function addressBeside(address: string, name: string): string {
  const url = new URL(address);
  url.pathname = `/${encodeURIComponent(name)}`;
  return url.href;
}

async function connected<T>(address: string, work: (connection: PostgresConnection) => Promise<T>): Promise<T> {
  const connection = await openPostgres(address, { idle_in_transaction_session_timeout: '0' });
  try {
    return await work(connection);
  } finally {
    await connection.close();
  }
}

/** Returns the address of a database from which the one of an address can be renamed. */
const elsewhere = (address: string): string =>
  addressBeside(address, ELSEWHERE.find((one) => one !== nameIn(address)) ?? 'template1');

const quoted = (name: string): string => `"${name.replaceAll('"', '""')}"`;
const literal = (text: string): string => `'${text.replaceAll("'", "''")}'`;

const locked = <T>(address: string, lock: string, work: () => Promise<T>): Promise<T | undefined> =>
  connected(address, async (connection) => {
    const [[row]] = (await connection.script(`SELECT pg_try_advisory_lock(${lock})::integer AS got`)) as [
      { got: number }[],
    ];
    return row?.got === 1 ? work() : undefined;
  });

/**
 * Runs `work` while no other process does so with the database of the address, on whatever machine; undefined: one does. The lock of a process that
 * dies ends with its connection.
 */
export const aloneWith = <T>(address: string, work: () => Promise<T>): Promise<T | undefined> =>
  locked(address, String(ALONE), work);

/** As `aloneWith`, for a restore, while which nobody may be connected to the database. */
export const restoringWith = <T>(address: string, work: () => Promise<T>): Promise<T | undefined> =>
  locked(elsewhere(address), `${RESTORING}, hashtext(${literal(nameIn(address))})`, work);

/** Calls `work` with the name of an exported snapshot, and what the database holds in it. A dump by that snapshot holds the same. */
export const withSnapshot = <T>(
  address: string,
  work: (snapshot: string, contents: Contents) => Promise<T>,
): Promise<T> =>
  connected(address, async (connection) => {
    await connection.script('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY');
    const [[row]] = (await connection.script('SELECT pg_export_snapshot() AS id')) as [{ id: string }[]];
    return work(row?.id ?? '', await readContents(connection, 'postgres'));
  });

/** Returns what the database of an address holds. */
export const readServerContents = (address: string): Promise<Contents> =>
  connected(address, (connection) => readContents(connection, 'postgres'));

/** Makes an empty database like that of the address, and returns its name. Throws AppError `not_configured` where the role may not make any. */
export async function createBeside(address: string): Promise<string> {
  const name = `${PREFIX}${Date.now()}_${randomBytes(4).toString('hex')}`;
  try {
    await connected(address, async (connection) => {
      const [[like]] = (await connection.script(
        'SELECT datcollate AS "collate", datctype AS ctype FROM pg_database WHERE datname = current_database()',
      )) as [{ collate: string; ctype: string }[]];
      const locale = like ? `LC_COLLATE ${literal(like.collate)} LC_CTYPE ${literal(like.ctype)}` : '';
      await connection.script(`CREATE DATABASE ${quoted(name)} TEMPLATE template0 ENCODING 'UTF8' ${locale}`);
    });
  } catch (error) {
    if ((error as { code?: string }).code !== NO_RIGHT) throw error;
    throw new AppError('not_configured', 'backup.no_createdb', {}, { cause: error });
  }
  return name;
}

/** Drops a database that `createBeside` has made; without one nothing happens. */
export const dropBeside = (address: string, name: string): Promise<void> =>
  connected(address, async (connection) => {
    await connection.script(`DROP DATABASE IF EXISTS ${quoted(name)} WITH (FORCE)`);
  });

/** Drops what killed processes have left: databases of `createBeside`, of this role, to which nobody is connected. */
export const sweepBeside = (address: string): Promise<void> =>
  connected(address, async (connection) => {
    const [found] = (await connection.script(
      `SELECT datname AS name FROM pg_database d WHERE starts_with(datname, '${PREFIX}') AND pg_get_userbyid(datdba) = current_user
         AND NOT EXISTS (SELECT 1 FROM pg_stat_activity a WHERE a.datid = d.oid)`,
    )) as [{ name: string }[]];
    for (const { name } of found) {
      const madeAt = Number(name.slice(PREFIX.length).split('_')[0]);
      if (Date.now() - madeAt > LEFT_MS) await connection.script(`DROP DATABASE IF EXISTS ${quoted(name)}`);
    }
  });

/** Returns the name under which a database is kept, with a number where one of that moment is there already. PostgreSQL cuts longer names. */
async function freeName(connection: PostgresConnection, current: string, stamp: string): Promise<string> {
  const [found] = (await connection.script('SELECT datname AS name FROM pg_database')) as [{ name: string }[]];
  const taken = new Set(found.map(({ name }) => name));
  for (let count = 1; ; count += 1) {
    const end = `_before_${stamp}${count === 1 ? '' : `_${count}`}`;
    const beginning = Buffer.from(current).subarray(0, MOST_NAME_BYTES - end.length);
    // A letter that was cut in the middle.
    const name = beginning.toString().replace(/\uFFFD+$/, '') + end;
    if (!taken.has(name)) return name;
  }
}

/**
 * Puts a database of `createBeside` in the place of that of the address, and returns the name under which that is kept: both renames are one
 * transaction. Throws AppError `busy` while somebody is connected.
 */
export async function swapBeside(address: string, name: string, stamp: string): Promise<string> {
  const current = nameIn(address);
  try {
    return await connected(elsewhere(address), async (connection) => {
      const kept = await freeName(connection, current, stamp);
      await connection.script(
        `BEGIN; ALTER DATABASE ${quoted(current)} RENAME TO ${quoted(kept)}; ALTER DATABASE ${quoted(name)} RENAME TO ${quoted(current)}; COMMIT`,
      );
      return kept;
    });
  } catch (error) {
    if ((error as { code?: string }).code !== IN_USE) throw error;
    throw new AppError('busy', 'backup.in_use', {}, { cause: error });
  }
}
