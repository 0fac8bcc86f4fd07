import { Client, DatabaseError, types, type ClientConfig } from 'pg';
import type { Bind, Connection } from './connection.ts';
import { toPostgres } from './postgres-statement.ts';
import { troubleOf } from '../src/lib/database-trouble.ts';

const CONNECT_MS = 5_000;
const KEEP_ALIVE_MS = 10_000;

/** A connection to a PostgreSQL server. Once it is lost, every statement fails. */
export interface PostgresConnection extends Connection {
  readonly isLost: boolean;
  raw: Client;
  /** Runs statements without binds in one round trip, and returns the rows of each. */
  script: (sql: string) => Promise<object[][]>;
}

function toNumber(text: string): number {
  const value = Number(text);
  if (Number.isInteger(value) && !Number.isSafeInteger(value)) throw new Error(`${text} is not exact as a number`);
  return value;
}

// By the numbers of PostgreSQL's types: bool, int8, numeric, json, jsonb. Comparisons are 1 and 0, and JSON is text, as on SQLite.
const PARSERS: Record<number, (text: string) => unknown> = {
  16: (text) => (text === 't' ? 1 : 0),
  20: toNumber,
  1700: toNumber,
  114: (text) => text,
  3802: (text) => text,
};

const parsers: ClientConfig['types'] = {
  getTypeParser: (oid: number, format?: 'text' | 'binary') =>
    (format !== 'binary' && PARSERS[oid]) || types.getTypeParser(oid, format),
};

const bindable = (value: unknown): unknown => (typeof value === 'boolean' ? Number(value) : value);

// Errors of the driver and of its socket have no code of PostgreSQL: the connection was refused, or was lost.
const REFUSED = '08001';
const LOST = '08006';
/** Our code, in PostgreSQL's class of refused logins, for an address without a password at a server that asks for one. */
export const NO_PASSWORD = '28N01';

// The driver throws a plain error where the server asks for a password and the address has none.
const lacksPassword = (error: unknown): boolean =>
  error instanceof Error && !(error instanceof DatabaseError) && /client password must be/.test(error.message);

/** Wraps an error, whose stack does not lead to the statement's caller. Its code is PostgreSQL's. */
function failed(cause: Error, otherwise: string | undefined, sql?: string): Error & { code?: string } {
  const code = cause instanceof DatabaseError ? cause.code : otherwise;
  // A host with several addresses, none of which answers, has an error of its own each.
  const message = cause instanceof AggregateError ? cause.errors.map(String).join('; ') : cause.message;
  return Object.assign(new Error(code ? `${code}: ${message}` : message, { cause }), { code, sql });
}

/** Makes a client; an option of the address may name a file of certificates that can't be read. */
function clientOf(address: string): Client {
  try {
    return new Client({
      connectionString: address,
      types: parsers,
      connectionTimeoutMillis: CONNECT_MS,
      keepAlive: true,
      keepAliveInitialDelayMillis: KEEP_ALIVE_MS,
      application_name: 'seo-admin',
      client_encoding: 'UTF8',
      // Statements that are not waited for one by one go out at once, and are answered in their order: one round trip for all of them.
      pipeline: true,
    });
  } catch (error) {
    throw failed(error as Error, REFUSED);
  }
}

const connect = async (address: string): Promise<Client> => {
  const client = clientOf(address);
  // Without a listener, a connection that is lost while it is idle would end the process.
  client.on('error', () => undefined);
  try {
    await client.connect();
  } catch (error) {
    await client.end().catch(() => undefined);
    throw failed(error as Error, lacksPassword(error) ? NO_PASSWORD : REFUSED);
  }
  return client;
};

/**
 * Opens a connection by a `postgres:` address; `settings` are of its session. Errors have PostgreSQL's `code`: 08001 where
 * nobody answers, 08006 where the connection was lost.
 */
export async function openPostgres(address: string, settings: Record<string, string>): Promise<PostgresConnection> {
  const client = await connect(address);
  let isLost = false;
  const lose = (): void => void (isLost = true);
  client.on('error', lose).on('end', lose);
  const explained = (error: unknown, sql: string): Error => {
    const wrapped = failed(error as Error, isLost ? LOST : undefined, sql);
    if (troubleOf(wrapped) === 'lost') lose();
    return wrapped;
  };
  const query = async (sql: string, bind: Bind) => {
    const { text, names } = toPostgres(sql, bind);
    try {
      const values = names.map((name) => bindable(bind[name]));
      return await client.query<object>(text, values);
    } catch (error) {
      throw explained(error, sql);
    }
  };
  const connection: PostgresConnection = {
    all: async (sql, bind = {}) => (await query(sql, bind)).rows,
    run: async (sql, bind = {}) => (await query(sql, bind)).rowCount ?? 0,
    script: async (sql) => {
      try {
        const results = (await client.query<object>(sql)) as unknown as { rows: object[] } | { rows: object[] }[];
        return (Array.isArray(results) ? results : [results]).map(({ rows }) => rows);
      } catch (error) {
        throw explained(error, sql);
      }
    },
    close: () => client.end().catch(() => undefined),
    raw: client,
    get isLost() {
      return isLost;
    },
  };
  const set = Object.entries(settings).map(([name, value]) => `SET ${name} = ${value}`);
  await connection.script(set.join('; '));
  return connection;
}
