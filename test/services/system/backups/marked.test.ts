// A byte order mark before a passphrase, which no reader types: editors of Windows begin a file with it.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { sealFile, unsealFile } from '../../../../src/services/system/backups/sealed-file.ts';

const WORDS = 'long passphrase here';
const MARKED = `\uFEFF${WORDS}`;
// Sealed by a version that took the mark for a part of the passphrase.
const FORMER =
  'c2VvLWFkbWluLWJhY2t1cC0xIDEwIGZCOWVKT05sbE1mZEd2MFZLMUpHREEgNTdWMkVlalBFWW4yUU9HdQpfMnR0ghfb7N2f9U8WaPmgoZLt7Ab6lopcEQOhmL5X3zvdyDzh';

let folder = '';
const at = (name: string): string => join(folder, name);
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'seo-admin-marked-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

test('a file sealed with the mark, now or by a former version, is opened by the words alone, and with the mark', async () => {
  writeFileSync(at('plain'), 'the backup');
  writeFileSync(at('former'), Buffer.from(FORMER, 'base64'));
  await sealFile(at('plain'), at('words'), { a: 1 }, WORDS);
  await sealFile(at('plain'), at('marked'), { a: 1 }, MARKED);
  for (const name of ['former', 'words', 'marked']) {
    for (const passphrase of [WORDS, MARKED]) {
      expect(await unsealFile(at(name), at('opened'), passphrase)).toEqual({ preface: { a: 1 } });
      expect(readFileSync(at('opened'), 'utf8')).toBe('the backup');
    }
    expect(await unsealFile(at(name), at('opened'), 'another passphrase')).toBeNull();
  }
});
