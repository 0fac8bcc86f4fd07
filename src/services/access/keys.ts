import { existsSync } from 'node:fs';
import { transaction } from '../../../db/index.ts';
import { hasTable } from '../../../db/tables.ts';
import type { Config } from '../../lib/config.ts';
import { databaseAddress, shownAddress } from '../../lib/database-address.ts';
import { deriveKey, loadKey, readKey } from '../../lib/key.ts';
import { isSealed, seal, useSecretKey } from '../../lib/secret.ts';
import { AppError } from '../../shared/errors.ts';
import { eraseFreePages, findInstalled, insertInstalled, listNotSealed, setSecret, type SecretText } from './rows.ts';

type Files = Pick<Config, 'databaseFile' | 'databaseUrl' | 'keyFile'>;

/** Returns the value by which a database recognizes its key; the key can't be derived from it. */
const checkOf = (key: Buffer): string => deriveKey(key, 'key check').toString('base64url');

/** Returns the key check of the open, migrated database; null where no key has been used with it yet. */
const notedCheck = (): Promise<string | null> => findInstalled('key_check');

/** As `notedCheck`, for a database of an older version that may lack the table. */
const notedCheckIfAny = async (): Promise<string | null> => ((await hasTable('installation')) ? notedCheck() : null);

/**
 * Returns the key in the file of a database whose key check is `noted`; makes one where that is null. Throws AppError
 * `not_configured` where the file is missing or holds another key. Nothing is asked of the open database.
 */
export function requireKey(noted: string | null, files: Files): Buffer {
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

/** Whether the key in a file is that of the open database; null where no key has been used with it: it takes any. */
export async function isItsKey(keyFile: string): Promise<boolean | null> {
  const noted = await notedCheckIfAny();
  return noted === null ? null : existsSync(keyFile) && noted === checkOf(readKey(keyFile));
}

/** Whether the open database can be used with the key in a file. */
export const acceptsKey = async (keyFile: string): Promise<boolean> => (await isItsKey(keyFile)) ?? true;

/** Throws `not_configured` where the key file is missing or another than the open database was made with. Writes nothing. */
export async function checkKeys(files: Files): Promise<void> {
  const noted = await notedCheckIfAny();
  if (noted !== null) requireKey(noted, files);
}

/**
 * Loads the installation's key, uses it for secrets from now on, and returns it. Call it on the open, migrated
 * database. Creates a key only where none has been used with the database; else throws AppError `not_configured` for a
 * missing or different one. Seals secrets that an older version left in plain text.
 */
export async function openKeys(files: Files): Promise<Buffer> {
  const noted = await notedCheck();
  const key = requireKey(noted, files);
  if (noted === null) requireKey(await noteKey(key), files);
  useSecretKey(deriveKey(key, 'secrets'));
  await sealPlainTexts();
  return key;
}

/** Stores the key check unless another process was first; returns the stored one. */
async function noteKey(key: Buffer): Promise<string | null> {
  await transaction(() => insertInstalled('key_check', checkOf(key)));
  return notedCheck();
}

const findPlainTexts = async (): Promise<SecretText[]> => (await listNotSealed()).filter(({ text }) => !isSealed(text));

async function sealPlainTexts(): Promise<void> {
  if ((await findPlainTexts()).length === 0) return;
  await transaction(async () => {
    for (const { text, ...cell } of await findPlainTexts()) {
      await setSecret(cell, seal(`${cell.table}.${cell.column}:${cell.id}`, text));
    }
  });
  await eraseFreePages();
}
