import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { pidSpace, withLockFile } from '../../src/lib/lock-file.ts';
import { startChild } from '../support/child.ts';

let folder = '';
let path = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'seo-admin-lock-'));
  path = join(folder, '.lock');
});
afterEach(() => rmSync(folder, { recursive: true }));

const work = async (): Promise<string> => 'done';
const aged = (seconds: number): void => utimesSync(path, new Date(), new Date(Date.now() - seconds * 1_000));

test('the lock of a container, where every process has the same number, holds in another one', async () => {
  writeFileSync(path, `${process.pid} another-container`);
  expect(await withLockFile(path, work)).toBeUndefined();
  aged(120);
  expect(await withLockFile(path, work)).toBeUndefined();
  expect(readFileSync(path, 'utf8')).toBe(`${process.pid} another-container`);
});

test('a lock of another container that nobody has touched for three minutes is taken over', async () => {
  writeFileSync(path, '1 another-container');
  aged(200);
  expect(await withLockFile(path, work)).toBe('done');
  expect(existsSync(path)).toBe(false);
});

test('a lock that a process of the same number has left here, and one of a former version, hold nobody up', async () => {
  writeFileSync(path, String(process.pid));
  expect(await withLockFile(path, work)).toBe('done');
  await withLockFile(path, async () => {
    expect(readFileSync(path, 'utf8')).toMatch(new RegExp(`^${process.pid} \\S+$`));
    expect(await withLockFile(path, work)).toBeUndefined();
  });
});

test('a lock that its process has left is taken over by one of several that find it at once', async () => {
  const turns = 12;
  const children = Array.from({ length: 3 }, () => startChild('test/children/lock.ts', [folder, String(turns)]));
  const lines = (): Promise<string[]> => Promise.all(children.map((child) => child.line()));
  try {
    await lines();
    for (let turn = 0; turn < turns; turn += 1) {
      writeFileSync(join(folder, String(turn)), '999999999');
      writeFileSync(join(folder, `go-${turn}`), '');
      expect((await lines()).toSorted()).toEqual(['got', 'held', 'held']);
      writeFileSync(join(folder, `end-${turn}`), '');
    }
  } finally {
    await Promise.all(children.map((child) => child.kill()));
  }
});

test.skipIf(!existsSync('/proc/self/stat'))(
  'a lock of a process that has ended, and whose parent has not asked for it, holds nobody up',
  async () => {
    // The shell becomes a program that never asks for the end of the other one, which waits for that.
    const parent = spawn('sh', [
      '-c',
      "sh -c 'until grep -q sleep /proc/$PPID/comm; do :; done' & echo $!; exec sleep 60",
    ]);
    const [line] = (await once(parent.stdout, 'data')) as [Buffer];
    const pid = Number(line.toString());
    await expect.poll(() => readFileSync(`/proc/${pid}/stat`, 'latin1')).toMatch(/\) Z /);
    writeFileSync(path, `${pid} ${pidSpace()}`);
    expect(await withLockFile(path, work)).toBe('done');
    parent.kill();
  },
);
