import { existsSync } from 'node:fs';
import { execute, select, transaction } from '../../../db/index.ts';
import { hasTable } from '../../../db/tables.ts';
import type { Config } from '../../lib/config.ts';
import { databaseAddress, shownAddress } from '../../lib/database-address.ts';
import { deriveKey, loadKey, readKey } from '../../lib/key.ts';
import { isSealed, seal, useSecretKey } from '../../lib/secret.ts';
import { AppError } from '../../shared/errors.ts';
import { secretColumns } from '../../shared/tables.ts';

type Files = Pick<Config, 'databaseFile' | 'databaseUrl' | 'keyFile'>;

/** Returns the value by which a database recognizes its key; the key can't be derived from it. */
const checkOf = (key: Buffer): string => deriveKey(key, 'key check').toString('base64url');

/** Returns the key check of the open, migrated database; null where no key has been used with it yet. */
async function notedCheck(): Promise<string | null> {
  const [row] = await select<{ value: string }>(`SELECT value FROM installation WHERE name = 'key_check'`);
  return row?.value ?? null;
}

/** As `notedCheck`, for a database of an older version that may lack the table. */
async function notedCheckIfAny(): Promise<string | null> {
  return (await hasTable('installation')) ? notedCheck() : null;
}

function compare(noted: string | null, files: Files): Buffer {
  const { keyFile } = files;
  const params = { path: keyFile, database: shownAddress(databaseAddress(files)) };
  if (noted !== null && !existsSync(keyFile)) {
    throw new AppError('not_configured', 'config.key_missing', params, { code: 'key_missing' });
  }
  const key = loadKey(keyFile);
  if (noted !== null && noted !== checkOf(key)) {
    throw new AppError('not_configured', 'config.key_wrong', params, { code: 'key_wrong' });
  }
  return key;
}

/**
 * Whether the open database can be used with the key in a file. A database that no key has been used with accepts any.
 */
export async function acceptsKey(keyFile: string): Promise<boolean> {
  const noted = await notedCheckIfAny();
  return noted === null || (existsSync(keyFile) && noted === checkOf(readKey(keyFile)));
}

/** Throws `not_configured` where the key file is missing or another than the open database was made with. Writes nothing. */
export async function checkKeys(files: Files): Promise<void> {
  const noted = await notedCheckIfAny();
  if (noted !== null) compare(noted, files);
}

/**
 * Loads the installation's key, uses it for secrets from now on, and returns it. Call it on the open, migrated
 * database. Creates a key only where none has been used with the database; else throws AppError `not_configured` for a
 * missing or different one. Seals secrets that an older version left in plain text.
 */
export async function openKeys(files: Files): Promise<Buffer> {
  const noted = await notedCheck();
  const key = compare(noted, files);
  if (noted === null) compare(await noteKey(key), files);
  useSecretKey(deriveKey(key, 'secrets'));
  await sealPlainTexts();
  return key;
}

/** Stores the key check unless another process was first; returns the stored one. */
async function noteKey(key: Buffer): Promise<string | null> {
  await transaction(() =>
    execute(`INSERT INTO installation (name, value) VALUES ('key_check', $value) ON CONFLICT (name) DO NOTHING`, {
      value: checkOf(key),
    }),
  );
  return notedCheck();
}

interface PlainText {
  table: string;
  column: string;
  id: number;
  text: string;
}

const PLAIN_TEXTS = secretColumns()
  .map(
    ({ table, column }) =>
      `SELECT '${table}' AS "table", '${column}' AS "column", id, ${column} AS text FROM ${table}
     WHERE ${column} NOT GLOB 'v1.????????????????.*'`,
  )
  .join(' UNION ALL ');

const findPlainTexts = async (): Promise<PlainText[]> =>
  (await select<PlainText>(PLAIN_TEXTS)).filter(({ text }) => !isSealed(text));

async function sealPlainTexts(): Promise<void> {
  if ((await findPlainTexts()).length === 0) return;
  await transaction(async () => {
    for (const { table, column, id, text } of await findPlainTexts()) {
      const sealed = seal(`${table}.${column}:${id}`, text);
      await execute(`UPDATE ${table} SET ${column} = $sealed WHERE id = $id`, { sealed, id });
    }
  });
  // The plain texts would stay in the file's free pages and in its log.
  await select('VACUUM');
  await select('PRAGMA wal_checkpoint(TRUNCATE)');
}
