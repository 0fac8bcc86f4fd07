// Large files go to a storage in parts: what breaks costs a part, what fails leaves nothing, and what is stored is what was sent.
import { createHash, randomBytes } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { openS3 } from '../../../src/providers/backups/s3.ts';
import { partBytesOf, USUAL_PARTS } from '../../../src/providers/backups/s3-parts.ts';
import { S3_LOGIN, S3_PART, startS3, type S3, type S3Fault } from '../../services/system/backups/s3.ts';

const NAME = 'seo-admin-0a1b2c3d-2026-11-25T02-41-00.sqlite.sealed';
const KEY = `seo admin/${NAME}`;
const CONTENT = randomBytes(S3_PART * 3 + 1_000);

let s3: S3;
let folder: string;
let path: string;

beforeEach(async () => {
  s3 = await startS3();
  folder = mkdtempSync(join(tmpdir(), 'seo-admin-s3-'));
  path = join(folder, 'sealed');
  writeFileSync(path, CONTENT);
});
afterEach(async () => {
  await s3.close();
  rmSync(folder, { recursive: true });
});

const sum = (name: string): string => createHash(name).update(CONTENT).digest('hex');
const open = () => openS3({ url: s3.url, ...S3_LOGIN }, { partBytes: S3_PART, pauseMs: 1 });
const put = () => open().put(NAME, { path, bytes: CONTENT.length, sha256: sum('sha256'), md5: sum('md5') });
const calls = (method: string): string[] => s3.requests.filter((one) => one.startsWith(`${method} `));

test('a large file goes in parts and comes back the same', async () => {
  await put();
  expect(s3.objects.get(KEY)).toMatchObject({ parts: 4, sha256: sum('sha256') });
  expect(calls('PUT')).toHaveLength(4);
  await open().get(NAME, `${path}.back`);
  expect(readFileSync(`${path}.back`).equals(CONTENT)).toBe(true);
});

test.each<[string, S3Fault[], number]>([
  ['a line that breaks twice', ['cut', 'cut'], 6],
  ['a storage that is away for a moment', ['away'], 5],
  ['a lost answer to the end', ['lost-end'], 4],
  ['an error at the end with status 200', ['late-error'], 4],
])('%s costs that part alone', async (_title, faults, parts) => {
  s3.faults.push(...faults);
  await put();
  expect(calls('PUT')).toHaveLength(parts);
  expect(s3.objects.get(KEY)?.content.equals(CONTENT)).toBe(true);
  expect(s3.uploads.size).toBe(0);
});

test.each<[string, S3Fault[], string]>([
  ['a refusal', ['refuse'], 'credentials'],
  ['a part that never arrives', Array<S3Fault>(5).fill('away'), 'unavailable'],
])('%s ends the upload, and its parts are taken back', async (_title, faults, kind) => {
  s3.objects.set(KEY, { content: Buffer.from('before'), sha256: '' });
  s3.faults.push(...faults);
  const error = await put().catch((thrown: unknown) => thrown);
  expect(error).toMatchObject({ kind });
  expect(String(error)).not.toContain(S3_LOGIN.secret);
  expect(s3.uploads.size).toBe(0);
  expect(s3.objects.get(KEY)?.content.toString()).toBe('before');
});

test('a whole that is not what was sent is no copy: it is removed, and told', async () => {
  s3.faults.push('other');
  await expect(put()).rejects.toMatchObject({ kind: 'malformed' });
  expect([s3.objects.size, s3.uploads.size]).toEqual([0, 0]);
});

test('uploads that dead processes of this installation have left are taken back, others stay', async () => {
  const old = { sha256: '', at: new Date(Date.now() - 48 * 3_600_000).toISOString(), parts: new Map() };
  s3.uploads.set('own', { ...old, key: KEY });
  s3.uploads.set('running', { ...old, key: KEY, at: new Date().toISOString() });
  s3.uploads.set('of another', { ...old, key: 'seo admin/seo-admin-ffffffff-x.sealed' });
  await put();
  expect([...s3.uploads.keys()]).toEqual(['running', 'of another']);
});

test('parts are 16 MB, and larger where there would be more than a storage takes', () => {
  expect(partBytesOf(2 ** 30, USUAL_PARTS)).toBe(16 * 2 ** 20);
  for (const bytes of [2 ** 38, 2 ** 40, 5 * 2 ** 40 - 1]) {
    const part = partBytesOf(bytes, USUAL_PARTS);
    expect(Math.ceil(bytes / part)).toBeLessThanOrEqual(10_000);
    expect(part).toBeLessThanOrEqual(5 * 2 ** 30);
  }
});
