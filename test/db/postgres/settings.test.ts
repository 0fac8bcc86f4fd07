import { Client } from 'pg';
import { afterEach, expect, test } from 'vitest';
import { closeDatabase, openDatabase, select, transaction } from '../../../db/index.ts';
import { copyOfTemplate, dropDatabase } from '../../support/postgres/template.ts';

const server = process.env['TEST_POSTGRES'] ?? '';
let address = '';

afterEach(async () => {
  await closeDatabase();
  await dropDatabase(address);
});

const settings = async (): Promise<object[]> =>
  select(`SELECT current_setting('synchronous_commit') AS sync, current_setting('transaction_isolation') AS isolation`);

test('commits wait for the disk whatever the database is set to, and statements see what was committed before them', async () => {
  address = await copyOfTemplate(server);
  const name = new URL(address).pathname.slice(1);
  await openDatabase(address);
  await transaction(async () => {
    await select(`ALTER DATABASE ${name} SET synchronous_commit = off`);
    await select(`ALTER DATABASE ${name} SET default_transaction_isolation = 'repeatable read'`);
  });
  await closeDatabase();
  await openDatabase(address);
  expect(await transaction(settings)).toEqual([{ sync: 'on', isolation: 'read committed' }]);
});

test('a server that does not answer and a database that does not exist are named without the password', async () => {
  const away = new URL('postgres://ann:swordfish@127.0.0.1:9/portfolio');
  await expect(openDatabase(away.href)).rejects.toMatchObject({
    kind: 'unavailable',
    key: 'database.unreachable',
    params: { address: 'postgres://127.0.0.1:9/portfolio', reason: expect.not.stringContaining('swordfish') },
  });
  const missing = new URL(server);
  [missing.pathname, missing.password] = ['/nowhere', 'swordfish'];
  await expect(openDatabase(missing.href)).rejects.toMatchObject({
    kind: 'not_configured',
    key: 'database.refused',
    params: { address: expect.not.stringContaining('swordfish'), reason: expect.stringContaining('nowhere') },
  });
});

test('a standby is one that may be written to later, and no connection to it stays open', async () => {
  address = await copyOfTemplate(server);
  const client = new Client({ connectionString: address });
  await client.connect();
  // As a standby answers the first statement that would write.
  await client.query(`CREATE FUNCTION refused() RETURNS event_trigger LANGUAGE plpgsql
    AS $$ BEGIN RAISE EXCEPTION 'read-only' USING ERRCODE = 'read_only_sql_transaction'; END $$`);
  await client.query('CREATE EVENT TRIGGER refused ON ddl_command_start EXECUTE FUNCTION refused()');
  await expect(openDatabase(address, { severalReaders: true })).rejects.toMatchObject({
    kind: 'unavailable',
    key: 'database.unusable',
    params: { reason: '25006: read-only' },
  });
  const others = 'SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()';
  await expect.poll(async () => (await client.query(others)).rowCount).toBe(0);
  await client.end();
});

test('a write fails where an error of a statement was ignored, instead of being rolled back in silence', async () => {
  address = await copyOfTemplate(server);
  await openDatabase(address);
  const ignoring = transaction(async () => {
    await select('SELECT nothing FROM nowhere').catch(() => undefined);
  });
  await expect(ignoring).rejects.toThrow('25P02');
});
