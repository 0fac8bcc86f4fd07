// A file sealed with a passphrase as a whole: what lies in a folder of somebody else tells nothing.
import { createCipheriv, createDecipheriv, createHash, randomBytes } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { open, stat, writeFile } from 'node:fs/promises';
import { deriveKey, MOST_LOG_N, passphraseCost, readingsOf, TAG_BYTES } from '../../../lib/sealed-key.ts';
import { withoutMark } from '../../../shared/accounts/secrets.ts';

const NAME = 'seo-admin-backup-1';
const LONGEST_HEADER = 200;
const LONGEST_PREFACE = 16 * 2 ** 20;
const CHUNK = 2 ** 20;
// AES-GCM takes no more under one nonce.
const MOST_BYTES = 2 ** 36 - 2 ** 20;

/** The sealed file: its size, and its sums in hexadecimal. */
export interface Written {
  bytes: number;
  sha256: string;
  md5: string;
}

/**
 * Seals a file into a new one (scrypt, AES-256-GCM), by pieces, together with a `preface`, any JSON, and syncs it. Layout: the line
 * `seo-admin-backup-1 17 <salt> <nonce>`, then sealed: four bytes with the preface's length, the preface, the file; then the tag.
 */
export async function sealFile(from: string, to: string, preface: unknown, passphrase: string): Promise<Written> {
  const { size } = await stat(from);
  if (size > MOST_BYTES) throw new Error(`${from} is too large to be sealed`);
  const [salt, nonce] = [randomBytes(16), randomBytes(12)];
  const cost = passphraseCost();
  const header = Buffer.from(`${NAME} ${cost} ${salt.toString('base64url')} ${nonce.toString('base64url')}\n`);
  const key = await deriveKey(withoutMark(passphrase), salt, cost);
  const cipher = createCipheriv('aes-256-gcm', key, nonce, { authTagLength: TAG_BYTES }).setAAD(header);
  const said = Buffer.from(JSON.stringify(preface));
  const length = Buffer.alloc(4);
  length.writeUInt32BE(said.length);
  const [sha256, md5] = [createHash('sha256'), createHash('md5')];
  let bytes = 0;
  async function* sealed(): AsyncGenerator<Buffer> {
    yield header;
    yield cipher.update(Buffer.concat([length, said]));
    for await (const chunk of createReadStream(from, { highWaterMark: CHUNK })) yield cipher.update(chunk as Buffer);
    yield cipher.final();
    yield cipher.getAuthTag();
  }
  async function* counted(): AsyncGenerator<Buffer> {
    for await (const part of sealed()) {
      bytes += part.length;
      sha256.update(part);
      md5.update(part);
      yield part;
    }
  }
  const file = await open(to, 'w', 0o600);
  try {
    await writeFile(file, counted());
    await file.sync();
  } finally {
    await file.close();
  }
  return { bytes, sha256: sha256.digest('hex'), md5: md5.digest('hex') };
}

interface Header {
  aad: Buffer;
  logN: number;
  salt: Buffer;
  nonce: Buffer;
}

async function readHeader(path: string): Promise<{ header: Header | null; tag: Buffer; size: number }> {
  const file = await open(path, 'r');
  try {
    const { size } = await file.stat();
    const start = Buffer.alloc(Math.min(LONGEST_HEADER, size));
    await file.read(start, 0, start.length, 0);
    const aad = start.subarray(0, start.indexOf(10) + 1);
    const [name, cost, salt = '', nonce = ''] = aad.toString('latin1').trim().split(' ');
    const logN = Number(cost);
    const tag = Buffer.alloc(TAG_BYTES);
    if (name !== NAME || !Number.isInteger(logN) || logN < 1 || logN > MOST_LOG_N || size < aad.length + TAG_BYTES) {
      return { header: null, tag, size };
    }
    await file.read(tag, 0, TAG_BYTES, size - TAG_BYTES);
    const [saltBytes, nonceBytes] = [Buffer.from(salt, 'base64url'), Buffer.from(nonce, 'base64url')];
    return { header: { aad, logN, salt: saltBytes, nonce: nonceBytes }, tag, size };
  } finally {
    await file.close();
  }
}

/** Whether a file begins as one that `sealFile` has made. */
export const isSealedFile = async (path: string): Promise<boolean> => (await readHeader(path)).header !== null;

/** Passes a stream on without its preface, which is handed over as soon as it is whole. Throws where there is none. */
async function* withoutPreface(stream: AsyncIterable<Buffer>, take: (text: string) => void): AsyncGenerator<Buffer> {
  let head: Buffer | null = Buffer.alloc(0);
  for await (const part of stream) {
    if (!head) {
      yield part;
      continue;
    }
    head = Buffer.concat([head, part]);
    if (head.length < 4) continue;
    const end = 4 + head.readUInt32BE(0);
    if (end > LONGEST_PREFACE) throw new Error('no preface');
    if (head.length < end) continue;
    take(head.subarray(4, end).toString('utf8'));
    yield head.subarray(end);
    head = null;
  }
  if (head) throw new Error('no preface');
}

/**
 * Opens a sealed file into `to` and returns its preface. Null for a wrong passphrase, or a damaged file: what then lies at `to` is
 * nothing that may be used. The caller removes it.
 */
export async function unsealFile(from: string, to: string, passphrase: string): Promise<{ preface: unknown } | null> {
  for (const reading of readingsOf(passphrase)) {
    const opened = await unsealBy(from, to, reading);
    if (opened) return opened;
  }
  return null;
}

async function unsealBy(from: string, to: string, passphrase: string): Promise<{ preface: unknown } | null> {
  const { header, tag, size } = await readHeader(from);
  if (!header) return null;
  const key = await deriveKey(passphrase, header.salt, header.logN);
  const file = await open(to, 'w', 0o600);
  let preface = '';
  let isWhole = false;
  try {
    const decipher = createDecipheriv('aes-256-gcm', key, header.nonce, { authTagLength: TAG_BYTES })
      .setAAD(header.aad)
      .setAuthTag(tag);
    async function* opened(): AsyncGenerator<Buffer> {
      const range = { start: header!.aad.length, end: size - TAG_BYTES - 1, highWaterMark: CHUNK };
      for await (const chunk of createReadStream(from, range)) yield decipher.update(chunk as Buffer);
      yield decipher.final();
      isWhole = true;
    }
    await writeFile(
      file,
      withoutPreface(opened(), (text) => (preface = text)),
    );
    await file.sync();
    return { preface: JSON.parse(preface) as unknown };
  } catch (error) {
    // An error of the disk is no wrong passphrase.
    if (isWhole || (error as NodeJS.ErrnoException).errno !== undefined) throw error;
    return null;
  } finally {
    await file.close();
  }
}
