// A list on a file system that is filled: the disk is named, not the source, and the former list stays.
import { readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeEach, describe, expect, test } from 'vitest';
import { acceptBlocklist, blocklistStatus, updateBlocklist } from '../../../../src/services/checks/blocklist.ts';
import { mountSmallDisk } from '../../../support/small-disk.ts';
import { file, names, serve, useLists } from './lists.ts';

const disk = mountSmallDisk(16);
const dir = join(disk.dir, 'blocklist');
const FULL = { kind: 'unavailable', key: 'error.storage_full', code: 'storage_full' };
const LARGE = names(60_000, 'other');

afterAll(() => disk.remove());
useLists();
beforeEach(async () => {
  disk.free();
  await updateBlocklist(dir, { file: file(names(500)), source: 'first', accept: true });
});

/** Fills the disk but for some bytes: the list does not fit, and with room for the lock its reading is begun. */
function fillBut(bytes: number): void {
  const room = join(disk.dir, 'room');
  if (bytes > 0) writeFileSync(room, Buffer.alloc(bytes));
  disk.fill();
  rmSync(room, { force: true });
}

const listed = async (): Promise<number | undefined> => (await blocklistStatus(dir)).entries?.exact;

// Room for nothing, and for the lock: then the reading of the list has begun.
const ROOM = [0, 64 * 1024];
const CASES = [true, false].flatMap((apart) => ROOM.map((room) => ({ apart, room })));

describe.skipIf(!disk.isMounted)('a full disk (needs root to mount a tmpfs)', () => {
  test.each(CASES)('is told of a file that is read, apart: $apart, $room bytes free', async ({ apart, room }) => {
    const path = file(LARGE);
    const before = readdirSync(dir).toSorted();
    fillBut(room);
    await expect(updateBlocklist(dir, { file: path, accept: true, apart })).rejects.toMatchObject(FULL);
    expect(await listed()).toBe(500);
    expect(readdirSync(dir).toSorted()).toEqual(before);
    disk.free();
    await updateBlocklist(dir, { file: path, accept: true, apart });
    expect(await listed()).toBe(60_000);
  });

  test.each(ROOM)('is told of a list that is fetched, and is no failure of its source: %i bytes free', async (room) => {
    const url = await serve((_request, response) => response.end(LARGE));
    fillBut(room);
    await expect(updateBlocklist(dir, { url, accept: true })).rejects.toMatchObject(FULL);
    expect(await listed()).toBe(500);
    disk.free();
    await updateBlocklist(dir, { url, accept: true });
    expect(await listed()).toBe(60_000);
  });

  test('is told of a decision about a list, which still waits afterwards', async () => {
    await expect(updateBlocklist(dir, { file: file(LARGE) })).rejects.toMatchObject({ kind: 'refused' });
    fillBut(0);
    await expect(acceptBlocklist(dir)).rejects.toMatchObject(FULL);
    expect((await blocklistStatus(dir)).doubt).not.toBeNull();
    expect(await listed()).toBe(500);
    disk.free();
    await acceptBlocklist(dir);
    expect(await listed()).toBe(60_000);
  });
});
