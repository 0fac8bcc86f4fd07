import { existsSync, mkdtempSync, readdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { sweepDrafts, sweepMarkedDrafts, withDraft } from '../../src/lib/disk.ts';
import { pidSpace } from '../../src/lib/lock-file.ts';

// A number that no process of this machine has.
const NOBODY = 999_999_999;

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'seo-admin-drafts-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

const left = (): string[] => readdirSync(folder).toSorted();

function write(name: string, silentSeconds: number): void {
  writeFileSync(join(folder, name), 'half');
  const then = new Date(Date.now() - silentSeconds * 1_000);
  utimesSync(join(folder, name), then, then);
}

test('a draft of another container stays while it is touched, whatever number its process has, and goes after three minutes of silence', async () => {
  const [dead, alive] = [`a.${NOBODY}-00000000-12345678.part`, `b.${process.pid}-00000000-12345678.part`];
  for (const draft of [dead, alive]) write(draft, 170);
  await sweepDrafts(folder);
  expect(left()).toEqual([dead, alive]);
  for (const draft of [dead, alive]) write(draft, 190);
  await sweepDrafts(folder);
  expect(left()).toEqual([]);
});

test('files beside a draft stay and go with it', async () => {
  const draft = `a.1-00000000-12345678.part`;
  const names = [draft, `${draft}-wal`, `${draft}.json`, `${draft}.key`];
  for (const name of names) write(name, 190);
  write(`${draft}-wal`, 0);
  await sweepDrafts(folder);
  expect(left()).toEqual(names.toSorted());
  write(`${draft}-wal`, 190);
  await sweepDrafts(folder);
  expect(left()).toEqual([]);
});

test('a draft whose process of this machine is dead goes at once, and one that a predecessor of the same number has left', async () => {
  write(`a.${NOBODY}-${pidSpace()}-12345678.part`, 0);
  write(`b.${process.pid}-${pidSpace()}-12345678.part`, 0);
  write(`c.${process.ppid}-${pidSpace()}-12345678.part`, 7_200);
  await sweepDrafts(folder);
  expect(left()).toEqual([`c.${process.ppid}-${pidSpace()}-12345678.part`]);
});

test('a draft of a former version, which did not touch it, goes after an hour', async () => {
  write(`a.${NOBODY}.part`, 3_500);
  write(`b.${NOBODY}.part`, 3_700);
  await sweepDrafts(folder);
  expect(left()).toEqual([`a.${NOBODY}.part`]);
});

test('where a file is named its drafts alone are swept', async () => {
  write(`a.${NOBODY}-${pidSpace()}-12345678.part`, 0);
  write(`a.key.${NOBODY}-${pidSpace()}-12345678.part`, 0);
  await sweepDrafts(folder, 'a');
  expect(left()).toEqual([`a.key.${NOBODY}-${pidSpace()}-12345678.part`]);
});

test('in a folder that is not ours the drafts of every file go, and what may be the file of somebody else stays', async () => {
  write(`a.${NOBODY}-${pidSpace()}-12345678.part`, 0);
  write(`a.${NOBODY}-${pidSpace()}-12345678.part-journal`, 0);
  write(`b.key.sealed.${NOBODY}-${pidSpace()}-12345678.part`, 0);
  write(`film.${NOBODY}.part`, 7_200);
  await sweepMarkedDrafts(folder);
  expect(left()).toEqual([`film.${NOBODY}.part`]);
});

test('this process keeps its own drafts, two of one file at once, and removes them with what lies beside when their work has ended or failed', async () => {
  await withDraft(join(folder, 'a'), (one) =>
    withDraft(join(folder, 'a'), async (other) => {
      expect(one).not.toBe(other);
      for (const draft of [one, other])
        for (const suffix of ['', '-wal', '.key']) write(basename(draft) + suffix, 7_200);
      await sweepDrafts(folder);
      expect(left()).toHaveLength(6);
    }),
  );
  expect(left()).toEqual([]);
  const failing = withDraft(join(folder, 'a'), async (draft) => {
    writeFileSync(draft, 'half');
    throw new Error('no room');
  });
  await expect(failing).rejects.toThrow('no room');
  expect(existsSync(folder) && left()).toEqual([]);
});
