// A migrated database that others start as copies of.
import { randomUUID } from 'node:crypto';
import { Client } from 'pg';
import { isPostgres } from '../../../src/lib/database-address.ts';

/** The name of the database that is copied. */
export const TEMPLATE = 'migrated';

/** Works on the server that an address is of, in the database that every server has. */
async function administer(address: string, work: (client: Client) => Promise<unknown>): Promise<void> {
  const url = new URL(address);
  url.pathname = '/postgres';
  const client = new Client({ connectionString: url.href });
  await client.connect();
  try {
    await work(client);
  } finally {
    await client.end();
  }
}

const withDatabase = (address: string, name: string): string => {
  const url = new URL(address);
  url.pathname = `/${name}`;
  return url.href;
};

/** Creates an empty database on a server and returns its address. */
export async function emptyDatabase(server: string): Promise<string> {
  const name = `test_${randomUUID().replaceAll('-', '')}`;
  await administer(server, (client) => client.query(`CREATE DATABASE ${name}`));
  return withDatabase(server, name);
}

/** Copies the migrated database and returns the address of the copy. */
export async function copyOfTemplate(server: string): Promise<string> {
  const name = `test_${randomUUID().replaceAll('-', '')}`;
  await administer(server, async (client) => {
    const { rows } = await client.query<{ version: number }>(
      `SELECT current_setting('server_version_num')::integer AS version`,
    );
    // Since version 15 pages are copied through the log unless told otherwise, which takes several times as long.
    const strategy = rows[0]!.version < 150_000 ? '' : ' STRATEGY FILE_COPY';
    await client.query(`CREATE DATABASE ${name} TEMPLATE ${TEMPLATE}${strategy}`);
  });
  return withDatabase(server, name);
}

/** Drops a PostgreSQL database, with the connections to it; does nothing for a SQLite file. */
export async function dropDatabase(address: string): Promise<void> {
  if (!isPostgres(address)) return;
  const name = new URL(address).pathname.slice(1);
  await administer(address, (client) => client.query(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`));
}
