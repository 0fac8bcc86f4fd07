import { existsSync, readdirSync, readFileSync, renameSync, statSync, writeFileSync } from 'node:fs';
import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { closeDatabase, execute, openDatabase, select, transaction } from '../../../db/index.ts';
import { migrate } from '../../../db/migrate.ts';
import type { Config } from '../../../src/lib/config.ts';
import { databaseAddress, shownAddress } from '../../../src/lib/database-address.ts';
import { isSealed, unseal } from '../../../src/lib/secret.ts';
import { checkKeys, openKeys } from '../../../src/services/access/keys.ts';
import { dump } from '../../support/database.ts';
import { newInstallation, removeInstallation } from '../../support/server.ts';

let folder = '';
let files: Config;

beforeEach(async () => {
  files = await newInstallation();
  folder = files.dataDir;
  await openDatabase(databaseAddress(files));
  await migrate();
});
afterEach(async () => {
  await closeDatabase();
  await removeInstallation(files);
});

test('the first start generates a key, and later ones reuse it', async () => {
  await checkKeys(files);
  const key = await openKeys(files);
  expect(statSync(files.keyFile).mode & 0o777).toBe(0o600);
  expect(await openKeys(files)).toEqual(key);
  await checkKeys(files);
  // On PostgreSQL there is no file.
  const bytes = existsSync(files.databaseFile) ? readFileSync(files.databaseFile) : Buffer.from(await dump([]));
  expect(bytes.includes(key)).toBe(false);
});

test('a missing key is reported and never generated again', async () => {
  const key = await openKeys(files);
  renameSync(files.keyFile, join(folder, 'away'));
  const refusal = {
    kind: 'not_configured',
    key: 'config.key_missing',
    message: expect.stringContaining(files.keyFile),
  };
  await expect(openKeys(files)).rejects.toMatchObject(refusal);
  await expect(checkKeys(files)).rejects.toMatchObject(refusal);
  expect(readdirSync(folder)).not.toContain('key');
  renameSync(join(folder, 'away'), files.keyFile);
  expect(await openKeys(files)).toEqual(key);
});

test('a wrong key is refused with the paths of key and database', async () => {
  await openKeys(files);
  writeFileSync(files.keyFile, randomBytes(32).toString('base64'), { mode: 0o600 });
  const refusal = {
    kind: 'not_configured',
    key: 'config.key_wrong',
    params: { path: files.keyFile, database: shownAddress(databaseAddress(files)) },
  };
  await expect(openKeys(files)).rejects.toMatchObject(refusal);
  await expect(checkKeys(files)).rejects.toMatchObject(refusal);
});

test('secrets that an older version stored in plain text are sealed once, and leave no trace', async () => {
  const plain = `plain-${randomBytes(12).toString('hex')}`;
  await transaction(async () => {
    for (const id of [1, 2]) {
      await execute(
        `INSERT INTO servers (id, name, ssh_host, ssh_user, ssh_password, created_at) VALUES ($id, 'S', '', '', $plain, '')`,
        { id, plain: `${plain}-${id}` },
      );
    }
    await execute(
      `INSERT INTO registrars (type, name, login, password, created_at) VALUES ('reg.ru', 'R', '', 'v1.short.plain', '')`,
    );
  });
  await openKeys(files);
  const read = () => select<{ id: number; ssh_password: string }>('SELECT id, ssh_password FROM servers ORDER BY id');
  const rows = await read();
  expect(rows.map(({ id, ssh_password }) => unseal(`servers.ssh_password:${id}`, ssh_password))).toEqual([
    `${plain}-1`,
    `${plain}-2`,
  ]);
  const [registrar] = await select<{ password: string }>('SELECT password FROM registrars');
  expect(isSealed(registrar?.password ?? '')).toBe(true);
  await openKeys(files);
  expect(await read()).toEqual(rows);
  for (const name of readdirSync(folder)) expect(readFileSync(join(folder, name)).includes(plain)).toBe(false);
});
