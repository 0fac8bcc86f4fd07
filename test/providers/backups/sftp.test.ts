// A folder on a server as a place for copies: what is fetched is whole, or it fails.
import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startSsh, type Ssh } from '../../../src/demo/ssh.ts';
import { childWords } from '../../support/child.ts';

const COPY = Buffer.alloc(30_000, 'copy');

let folder: string;
let ssh: Ssh;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'seo-admin-sftp-'));
  ssh = await startSsh({ root: join(folder, 'server'), logins: [{ user: 'backup', password: 'secret' }] });
  mkdirSync(join(folder, 'server', 'in'), { recursive: true });
  writeFileSync(join(folder, 'server', 'in', 'copy'), COPY);
});
afterAll(async () => {
  await ssh.close();
  rmSync(folder, { recursive: true, force: true });
});

/** Fetches the copy in a process whose files may have so many blocks of 512 or 1024 bytes, and returns how that ended. */
async function fetchWithin(blocks: number, path: string): Promise<string> {
  const words = [...childWords('test/children/fetch-copy.ts'), String(ssh.port), ssh.hostKey(), 'copy', path];
  const run = ['-c', `ulimit -f ${blocks}; exec "$0" "$@"`, process.execPath, ...words];
  return (await promisify(execFile)('sh', run)).stdout.trim();
}

test('a copy is fetched whole', async () => {
  const path = join(folder, 'whole');
  expect(await fetchWithin(100_000, path)).toBe('fetched');
  expect(readFileSync(path).equals(COPY)).toBe(true);
});

test('a copy of which the disk takes a part alone is not told as fetched', async () => {
  expect(await fetchWithin(20, join(folder, 'part'))).toBe('EFBIG');
});
