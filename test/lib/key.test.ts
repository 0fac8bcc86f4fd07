import { linkSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { loadKey } from '../../src/lib/key.ts';

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
