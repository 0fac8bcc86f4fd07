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

test('a write fails where an error of a statement was ignored, instead of being rolled back in silence', async () => {
  address = await copyOfTemplate(server);
  await openDatabase(address);
  const ignoring = transaction(async () => {
    await select('SELECT nothing FROM nowhere').catch(() => undefined);
  });
  await expect(ignoring).rejects.toThrow('25P02');
});
