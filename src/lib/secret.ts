import { createCipheriv, createDecipheriv, createHmac, randomBytes } from 'node:crypto';
import { AppError } from '../shared/errors.ts';

const CIPHER = 'aes-256-gcm';
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
const SEALED = /^v1\.([\w-]{16})\.([\w-]{22,})$/;

/** The cell of a secret: `table.column:id`. A secret sealed for one cell can't be read in another. */
export type Place = `${string}.${string}:${number}`;

let secretKey: Buffer | null = null;

/** Sets the key (32 bytes) with which this process seals and unseals. */
export function useSecretKey(key: Buffer | null): void {
  secretKey = key;
}

function keyInUse(): Buffer {
  if (!secretKey) throw new Error('no key for secrets is in use');
  return secretKey;
}

/** Returns a digest of a text by which it is found again, and which tells it to nobody without the key (HMAC-SHA-256, 22 characters). */
export const digestOf = (text: string): string =>
  createHmac('sha256', keyInUse()).update(text).digest('base64url').slice(0, 22);

/** Whether a text has the form of a sealed secret. */
export const isSealed = (text: string): boolean => SEALED.test(text);

/** Encrypts a secret for its cell (AES-256-GCM, the cell as associated data): `v1.<nonce>.<ciphertext and tag>`, base64url. */
export function seal(place: Place, text: string): string {
  const nonce = randomBytes(NONCE_BYTES);
  const cipher = createCipheriv(CIPHER, keyInUse(), nonce, { authTagLength: TAG_BYTES }).setAAD(Buffer.from(place));
  const sealed = Buffer.concat([cipher.update(text, 'utf8'), cipher.final(), cipher.getAuthTag()]);
  return `v1.${nonce.toString('base64url')}.${sealed.toString('base64url')}`;
}

/** Decrypts the secret of a cell. Throws AppError `not_configured` if it was sealed for another cell or by another key, or is damaged. */
export function unseal(place: Place, sealed: string): string {
  const key = keyInUse();
  const [, nonce = '', body = ''] = SEALED.exec(sealed) ?? [];
  const bytes = Buffer.from(body, 'base64url');
  const end = bytes.length - TAG_BYTES;
  try {
    const decipher = createDecipheriv(CIPHER, key, Buffer.from(nonce, 'base64url'), { authTagLength: TAG_BYTES })
      .setAAD(Buffer.from(place))
      .setAuthTag(bytes.subarray(end));
    return Buffer.concat([decipher.update(bytes.subarray(0, end)), decipher.final()]).toString('utf8');
  } catch (error) {
    throw new AppError('not_configured', 'secret.unreadable', { place }, { code: 'secret_unreadable', cause: error });
  }
}
