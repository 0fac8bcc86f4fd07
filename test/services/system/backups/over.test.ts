// A backup is written over nothing but an ordinary file, and over none of the installation itself.
import { execFileSync } from 'node:child_process';
import { syncBuiltinESMExports } from 'node:module';
import {
  existsSync,
  linkSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import fs from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { closeDatabase, openDatabase } from '../../../../db/index.ts';
import type { Config } from '../../../../src/lib/config.ts';
import { openKeys } from '../../../../src/services/access/keys.ts';
import { backupDatabase } from '../../../../src/services/system/backups/backup.ts';
import { restoreDatabase } from '../../../../src/services/system/backups/restore.ts';
import { newDatabase } from '../../../support/database.ts';
import { temporaryConfig } from '../../../support/server.ts';

const PASSPHRASE = 'a passphrase of some length';

let folder = '';
let config: Config;
const at = (name: string): string => join(folder, name);

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'seo-admin-over-'));
  mkdirSync(at('data'));
  config = temporaryConfig({}, at('data'));
  await openDatabase(await newDatabase(config.dataDir));
  await openKeys(config);
});
afterEach(async () => {
  await closeDatabase();
  rmSync(folder, { recursive: true });
});

const FOLDER = { kind: 'refused', key: 'cli.is_folder' };
const NO_FILE = { kind: 'refused', key: 'cli.no_plain_file' };
const backup = (path: string) => backupDatabase(config, path, true, PASSPHRASE);

/** Makes what no backup may replace, calls `work` with each, and removes it. */
async function withEach(name: string, work: (path: string, told: object) => Promise<void>): Promise<void> {
  const path = at(name);
  const [pipe, socket, inside] = [at('pipe'), at('socket'), at('inside')];
  execFileSync('mkfifo', [pipe]);
  mkdirSync(inside);
  const server = createServer().listen(socket);
  await new Promise((resolve) => server.once('listening', resolve));
  for (const [target, told] of [
    [inside, FOLDER],
    [pipe, NO_FILE],
    [socket, NO_FILE],
  ] as const) {
    symlinkSync(target, path);
    await work(path, { ...told, params: { path } });
    expect(lstatSync(path).isSymbolicLink()).toBe(true);
    rmSync(path);
  }
  execFileSync('mkfifo', [path]);
  await work(path, { ...NO_FILE, params: { path } });
  expect(lstatSync(path).isFIFO()).toBe(true);
  rmSync(path);
  mkdirSync(path);
  await work(path, { ...FOLDER, params: { path } });
  server.close();
}

test.each(['', '.sha256', '.json', '.key.sealed', '.key'])(
  'no folder, pipe, socket or link to one is replaced by copy%s',
  (suffix) =>
    withEach(`copy${suffix}`, async (_path, told) => {
      await expect(backup(at('copy'))).rejects.toMatchObject(told);
      expect(readdirSync(folder).filter((name) => name.startsWith('copy'))).toEqual([`copy${suffix}`]);
    }),
);

test('an ordinary file is replaced, and so is a link to one or to nothing, but not the file it leads to', async () => {
  writeFileSync(at('plain'), 'former');
  symlinkSync(at('plain'), at('link'));
  symlinkSync(at('gone'), at('dead'));
  const isBackup = (name: string): boolean => readFileSync(at(name), 'latin1').startsWith('SQLite format 3');
  for (const name of ['link', 'dead']) await backup(at(name));
  expect([isBackup('link'), isBackup('dead'), existsSync(at('gone'))]).toEqual([true, true, false]);
  expect(readFileSync(at('plain'), 'utf8')).toBe('former');
  await backup(at('plain'));
  expect(isBackup('plain')).toBe(true);
});

test('no file of the installation is replaced or made by a backup, whether it is there or not, by its name or over links', async () => {
  config = {
    ...config,
    metricsTokenFile: at('data/metrics'),
    backupCopies: { s3: { url: 'https://s3.example/b', region: 'r', secretFile: at('data/s3') } },
  };
  symlinkSync(at('data'), at('there'));
  symlinkSync(at('data/seo-admin.sqlite-wal'), at('log'));
  linkSync(config.databaseFile, at('hard'));
  const files = readdirSync(config.dataDir);
  const own = [
    ...['-wal', '-shm', '-journal'].map((suffix) => `seo-admin.sqlite${suffix}`),
    'seo-admin.config.json',
    'seo-admin.config',
    'metrics',
    's3',
    'blocklist',
    'blocklist/current.idx',
  ];
  const paths = [
    ...own.flatMap((name) => [at(`data/${name}`), at(`there/${name}`), at(`data/../there/${name}`)]),
    ...['there/seo-admin.sqlite', 'there/key', 'log', 'hard'].map(at),
  ];
  const told = { kind: 'invalid', key: 'cli.own_file' };
  for (const path of paths) await expect(backup(path)).rejects.toMatchObject(told);
  for (const name of ['seo-admin.sqlite', 'key']) {
    await expect(backup(at(`data/${name}`))).rejects.toMatchObject({ kind: 'invalid' });
  }
  expect(readdirSync(config.dataDir)).toEqual(files);
  expect(await backup(at('data/mine.sqlite'))).toMatchObject({ key_file: at('data/mine.sqlite.key.sealed') });
});

test('a file beside that is no part of a backup is replaced only if that was asked for', async () => {
  writeFileSync(at('portfolio.json'), '[1, 2]');
  const told = { kind: 'conflict', key: 'backup.exists', params: { file: at('portfolio.json') } };
  await expect(backupDatabase(config, at('portfolio'), false)).rejects.toMatchObject(told);
  expect(readFileSync(at('portfolio.json'), 'utf8')).toBe('[1, 2]');
  await backupDatabase(config, at('portfolio'), true);
  // The rest of a backup whose file is gone is its own.
  rmSync(at('portfolio'));
  await backupDatabase(config, at('portfolio'), false);
});

/** Replaces calls of the file system while `work` goes on. */
async function withCalls(calls: Partial<typeof fs>, work: () => Promise<unknown>): Promise<void> {
  const own = Object.fromEntries(Object.keys(calls).map((name) => [name, fs[name as keyof typeof fs]]));
  const put = (these: object): void => {
    Object.assign(fs, these);
    syncBuiltinESMExports();
  };
  put(calls);
  await work().finally(() => put(own));
}

test.each([false, true])(
  'no sum of a former file stands beside the new one, whose process may be killed (overwrite: %s)',
  async (overwrite) => {
    const backUp = () => backupDatabase(config, at('kept'), overwrite, PASSPHRASE);
    await backUp();
    if (!overwrite) rmSync(at('kept'));
    const sums: boolean[] = [];
    const looking =
      (call: typeof fs.link): typeof fs.link =>
      async (from, to) => {
        await call(from, to);
        if (to === at('kept')) sums.push(existsSync(at('kept.sha256')));
      };
    await withCalls({ link: looking(fs.link), rename: looking(fs.rename) }, backUp);
    expect(sums).toEqual([false]);
    await closeDatabase();
    expect(await restoreDatabase(config, at('kept'))).toMatchObject({ checksum: 'right' });
  },
);

test('a backup that is refused leaves what another one has made meanwhile, with its sum', async () => {
  const { access } = fs;
  const into = (phrase: string) => backupDatabase(config, at('kept'), false, phrase);
  // Between its look at the name and its copy.
  let meanwhile: Promise<unknown> | undefined;
  const late: typeof access = async (path) => {
    if (meanwhile) return access(path);
    meanwhile = into(PASSPHRASE);
    await meanwhile;
  };
  const second = () => expect(into('another passphrase than that')).rejects.toMatchObject({ key: 'backup.exists' });
  await withCalls({ access: late }, second);
  await closeDatabase();
  rmSync(config.keyFile);
  const restored = await restoreDatabase(config, at('kept'), async () => PASSPHRASE);
  expect(restored).toMatchObject({ checksum: 'right', key: 'restored' });
});

test('of two backups into one new file at once one is made, whole and with its own key, and the other one is refused', async () => {
  const phrases = [PASSPHRASE, 'another passphrase than that'];
  const ends = await Promise.allSettled(phrases.map((phrase) => backupDatabase(config, at('both'), false, phrase)));
  const made = ends.findIndex(({ status }) => status === 'fulfilled');
  expect(ends[1 - made]).toMatchObject({
    status: 'rejected',
    reason: { kind: 'conflict', key: 'backup.exists', params: { file: at('both') } },
  });
  await closeDatabase();
  rmSync(config.keyFile);
  const restored = await restoreDatabase(config, at('both'), async () => phrases[made] ?? '');
  expect(restored).toMatchObject({ checksum: 'right', key: 'restored' });
  expect(readdirSync(folder).toSorted()).toEqual(
    ['both', 'both.json', 'both.key.sealed', 'both.sha256', 'data'].toSorted(),
  );
});

test('a restore puts a database and a key in the place of ordinary files alone', async () => {
  await backup(at('copy'));
  await closeDatabase();
  const restore = (place: Config) => restoreDatabase(place, at('copy'), async () => PASSPHRASE);
  await withEach('place', async (path, told) => {
    await expect(restore({ ...config, databaseFile: path })).rejects.toMatchObject(told);
    await expect(restore({ ...config, keyFile: path })).rejects.toMatchObject(told);
  });
  expect(await restore(config)).toMatchObject({ key: 'same' });
});
