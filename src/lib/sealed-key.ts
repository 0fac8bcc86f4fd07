import { createCipheriv, createDecipheriv, randomBytes, scrypt } from 'node:crypto';
import { withoutMark } from '../shared/accounts/secrets.ts';

// 128 MB and some 300 ms for every guess.
let cost = 17;
const R = 8;
const P = 1;
/** The highest cost that is read from a file: 1 GB. */
export const MOST_LOG_N = 20;
const NAME = 'seo-admin-key-1';
/** The cost of a passphrase by which something is sealed now, as the binary logarithm of scrypt's N. */
export const passphraseCost = (): number => cost;

/** Sets the cost of what is sealed from now on. For tests only, whose files keep no secret. */
export const setPassphraseCost = (logN: number): void => {
  cost = logN;
};

/** The bytes of an AES-GCM tag. */
export const TAG_BYTES = 16;

/** Returns what a passphrase may have been at sealing: its words, and those behind a byte order mark, which former versions took for a part of it. */
export const readingsOf = (passphrase: string): string[] => {
  const words = withoutMark(passphrase);
  return [words, `\uFEFF${words}`];
};

/** Derives a key of 32 bytes from a passphrase (scrypt). */
export const deriveKey = (passphrase: string, salt: Buffer, logN: number): Promise<Buffer> =>
  new Promise((resolve, reject) => {
    const costs = { N: 2 ** logN, r: R, p: P, maxmem: 2 ** logN * R * 256 };
    scrypt(passphrase.normalize('NFC'), salt, 32, costs, (error, key) => (error ? reject(error) : resolve(key)));
  });

/** Seals a key's text with a passphrase (scrypt, AES-256-GCM) into one line: `seo-admin-key-1 17 <salt> <nonce> <sealed>`. */
export async function sealKey(text: string, passphrase: string): Promise<string> {
  const [salt, nonce] = [randomBytes(16), randomBytes(12)];
  const header = `${NAME} ${cost} ${salt.toString('base64url')} ${nonce.toString('base64url')}`;
  const key = await deriveKey(withoutMark(passphrase), salt, cost);
  const cipher = createCipheriv('aes-256-gcm', key, nonce, { authTagLength: TAG_BYTES }).setAAD(Buffer.from(header));
  const sealed = Buffer.concat([cipher.update(text, 'utf8'), cipher.final(), cipher.getAuthTag()]);
  return `${header} ${sealed.toString('base64url')}\n`;
}

/** Returns the text that `sealKey` has sealed. Null for a wrong passphrase or a damaged line. */
export async function openSealedKey(line: string, passphrase: string): Promise<string | null> {
  const [name, written = '', salt = '', nonce = '', body = ''] = line.trim().split(' ');
  const logN = Number(written);
  const bytes = Buffer.from(body, 'base64url');
  if (name !== NAME || !Number.isInteger(logN) || logN < 1 || logN > MOST_LOG_N || bytes.length <= TAG_BYTES)
    return null;
  for (const reading of readingsOf(passphrase)) {
    const key = await deriveKey(reading, Buffer.from(salt, 'base64url'), logN);
    try {
      const iv = Buffer.from(nonce, 'base64url');
      const decipher = createDecipheriv('aes-256-gcm', key, iv, { authTagLength: TAG_BYTES })
        .setAAD(Buffer.from([name, written, salt, nonce].join(' ')))
        .setAuthTag(bytes.subarray(-TAG_BYTES));
      return Buffer.concat([decipher.update(bytes.subarray(0, -TAG_BYTES)), decipher.final()]).toString('utf8');
    } catch {
      // The other reading may open it.
    }
  }
  return null;
}
