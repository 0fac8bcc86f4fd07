import { linkSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { ensureDataDir, loadKey } from '../../src/lib/key.ts';

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'seo-admin-key-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

test('a new key is not written over the draft of a process of the same number in another container, which has just linked it', () => {
  const [draft, linked] = [join(folder, `key.${process.pid}`), join(folder, 'linked')];
  writeFileSync(draft, 'the key of the other one');
  linkSync(draft, linked);
  loadKey(join(folder, 'key'));
  expect(readFileSync(linked, 'utf8')).toBe('the key of the other one');
});

test('a key that is there already is taken, and no draft stays', () => {
  const made = loadKey(join(folder, 'key'));
  expect(loadKey(join(folder, 'key'))).toEqual(made);
  expect(readdirSync(folder)).toEqual(['key']);
});

test('a folder in place of the key file is refused with its path', () => {
  expect(() => loadKey(folder)).toThrow(
    expect.objectContaining({ key: 'config.key_folder', params: { path: folder } }),
  );
});

test('a data directory is made with what is above it; one that can’t be made is an error, below /proc too', () => {
  const path = join(folder, 'a', 'b');
  ensureDataDir(path);
  ensureDataDir(path);
  expect(readdirSync(join(folder, 'a'))).toEqual(['b']);
  writeFileSync(join(folder, 'file'), '');
  expect(() => ensureDataDir(join(folder, 'file'))).toThrow(expect.objectContaining({ code: 'EEXIST' }));
  expect(() => ensureDataDir('/proc/none/of/these')).toThrow(expect.objectContaining({ code: 'ENOENT' }));
});
