// Helpers for tests: index files of small lists, and look-ups in them.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect } from 'vitest';
import { buildIndex, type IndexBody } from '../../src/providers/blocklist/index-build.ts';
import { openIndex, type IndexFile } from '../../src/providers/blocklist/index-lookup.ts';
import { createIndex } from '../../src/providers/blocklist/index-write.ts';
import { parseList } from '../../src/providers/blocklist/parse.ts';

/** The folder of the test file that has called `useFolder`. */
export let dir = '';
let files = 0;

/** Makes a folder before the tests of a file, and removes it after them. */
export function useFolder(): void {
  beforeAll(() => {
    dir = mkdtempSync(join(tmpdir(), 'blocklist-index-'));
  });
  afterAll(() => rmSync(dir, { recursive: true }));
}

const FACTS = {
  source: 'test',
  format: 'csv',
  unusable: 0,
  fetched_at: '2026-11-20T10:00:00.000Z',
  updated_at: null,
  etag: null,
  last_modified: null,
} as const;

/** Converts an entry (`name`, `*.name` or `url:name`) to a row of a dump. */
const row = (entry: string): string =>
  entry.startsWith('url:') ? `1.1.1.1;${entry.slice(4)};http://x/;o;n;d` : `1.1.1.1;${entry};;o;n;d`;

type Change = (body: IndexBody, names: Uint8Array) => void;

/** Writes an index file of the entries and returns its path; `change` may change its tables before. */
export async function compile(entries: string[], change: Change = () => {}): Promise<string> {
  const list = join(dir, `list-${++files}`);
  const index = join(dir, `index-${files}`);
  writeFileSync(list, ['Updated: 2026-11-20 00:00:00 +0000', ...entries.map(row), ''].join('\n'));
  const found = await parseList(list, () => {});
  const body = buildIndex(found);
  change(body, found.names);
  const file = await createIndex(index, found.names);
  await file.finish(body, FACTS);
  await file.close();
  return index;
}

/** Opens an index file; throws where it is missing or damaged. */
export function open(path: string): IndexFile {
  const index = openIndex(path);
  if (index === null || index === 'damaged') throw new Error('no index');
  return index;
}

/** Returns the verdicts; expects that look-ups on disk and in memory agree. */
export async function check(path: string, hosts: string[]) {
  const index = open(path);
  const onDisk: unknown[] = [];
  for (let i = 0; i < hosts.length; i += 1000) onDisk.push(...((await index.check(hosts.slice(i, i + 1000))) ?? []));
  const enough = hosts.length > 0 ? [...hosts, ...Array.from({ length: 2001 }, () => 'x.example')] : [];
  const inMemory = (await index.check(enough))?.slice(0, hosts.length);
  index.close();
  expect(inMemory).toEqual(onDisk);
  return onDisk;
}
