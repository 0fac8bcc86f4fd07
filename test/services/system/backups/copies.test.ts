// Copies of backups in a folder, on a server and in a storage: sealed, whole or not there, told when they fail.
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { closeDatabase, openDatabase, select, transaction } from '../../../../db/index.ts';
import { startSsh, type Ssh } from '../../../../src/demo/ssh.ts';
import { config } from '../../../../src/lib/config.ts';
import { createLog } from '../../../../src/lib/log.ts';
import { setInstalled } from '../../../../src/services/access/rows.ts';
import { SYSTEM } from '../../../../src/services/access/scope.ts';
import { startJob } from '../../../../src/services/system/schedule-runs.ts';
import { examineBackups } from '../../../../src/services/system/backups/findings.ts';
import { openKeys } from '../../../../src/services/access/keys.ts';
import { drill } from '../../../../src/services/system/backups/drill.ts';
import { runBackup } from '../../../../src/services/system/backups/job.ts';
import { restoreDatabase } from '../../../../src/services/system/backups/restore.ts';
import { readTrial } from '../../../../src/services/system/backups/state.ts';
import { addUser, startDatabase, type TestDatabase } from '../../../support/database.ts';
import { S3_LOGIN, startS3, type S3 } from './s3.ts';
import { temporaryConfig } from '../../../support/server.ts';

const PASSPHRASE = 'a passphrase of some length';
const PASSWORD = 'пароль сервера';

let database: TestDatabase;
let ssh: Ssh;
let s3: S3;
// Too long to be found by chance in what is sealed.
const LOGIN = 'operator-of-the-copied-database';
const at = (...names: string[]): string => join(database.folder, ...names);

/** Copies to some of the places, each with its secret in a file. */
const copyTo = (kinds: readonly ('folder' | 'sftp' | 's3')[], settings: Parameters<typeof temporaryConfig>[0] = {}) => {
  const sftp = { url: `sftp://backup@127.0.0.1:${ssh.port}/in/backups`, hostKey: ssh.hostKey(), secretFile: at('ssh') };
  const all = {
    folder: at('disk'),
    sftp,
    s3: { url: s3.url, region: S3_LOGIN.region, secretFile: at('s3') },
  };
  const backupCopies = Object.fromEntries(kinds.map((kind) => [kind, all[kind]]));
  const keep = { backupPassphrase: PASSPHRASE, databaseFile: database.file, backupCopies };
  temporaryConfig({ ...keep, ...settings }, database.folder);
};

beforeEach(async () => {
  database = await startDatabase();
  s3 = await startS3();
  ssh = await startSsh({ root: at('server'), logins: [{ user: 'backup', password: PASSWORD }] });
  mkdirSync(at('disk'));
  writeFileSync(at('ssh'), `${PASSWORD}\n`, { mode: 0o600 });
  writeFileSync(at('s3'), `${S3_LOGIN.keyId} ${S3_LOGIN.secret}\n`, { mode: 0o600 });
  copyTo(['folder', 'sftp', 's3']);
  await openKeys(config());
  await addUser(LOGIN);
});
afterEach(async () => {
  await ssh.close();
  await s3.close();
  await database.close();
});

const onServer = (): string => at('server', 'in', 'backups');
const stored = (): string[][] => [
  readdirSync(at('disk')),
  readdirSync(onServer()),
  [...s3.objects.keys()].map((key) => key.replace('seo admin/', '')),
];

test('a backup is copied everywhere, sealed, and from each copy everything comes back on another machine', async () => {
  expect((await runBackup()).result).toBe('ok');
  const [name = ''] = stored()[0] ?? [];
  expect(name).toMatch(/^seo-admin-[\da-f]{8}-\d{4}-\d\d-\d\dT\d\d-\d\d-\d\d\.sqlite\.sealed$/);
  expect(stored()).toEqual([[name], [name], [name]]);
  const copy = readFileSync(at('disk', name));
  expect(readFileSync(join(onServer(), name)).equals(copy)).toBe(true);
  expect([...s3.objects.values()].at(0)?.content.equals(copy)).toBe(true);
  expect(copy.includes('SQLite format') || copy.includes(LOGIN)).toBe(false);
  expect(statSync(join(onServer(), name)).mode & 0o777).toBe(0o600);
  for (const kind of ['folder', 'sftp', 's3'] as const) {
    expect(await readTrial(`copy ${kind}`)).toMatchObject({ failed: null, file: name });
  }
  expect(await drill(at('disk', name), PASSPHRASE)).toMatchObject({ key: 'opened', compared: true });
  await expect(drill(at('disk', name), 'another passphrase')).rejects.toMatchObject({ key: 'backup.unsealed_wrong' });
  await expect(drill(at('disk', name))).rejects.toMatchObject({ key: 'backup.sealed' });
  await closeDatabase();
  const there = mkdtempSync(at('other-'));
  const files = { databaseFile: join(there, 'db.sqlite'), keyFile: join(there, 'key') };
  const restored = await restoreDatabase(files, at('disk', name), async () => PASSPHRASE);
  expect(restored).toMatchObject({ checksum: 'right', key: 'restored', pending: [] });
  expect(readdirSync(there).filter((file) => file.includes('.part'))).toEqual([]);
  await openDatabase(files.databaseFile);
  await openKeys(files);
  expect(await select('SELECT login FROM users')).toEqual([{ login: LOGIN }]);
});

test('outdated copies of this installation go, those of another one stay, over several pages of a list', async () => {
  await runBackup();
  const [name = ''] = stored()[0] ?? [];
  const prefix = name.slice(0, 19);
  const old = (n: number): string => `${prefix}2020-01-0${n}T02-00-00.sqlite.sealed`;
  const others = ['seo-admin-00000000-2020-01-01T02-00-00.sqlite.sealed', 'mine.txt'];
  for (const file of [...[1, 2, 3].map(old), ...others]) {
    writeFileSync(at('disk', file), '');
    writeFileSync(join(onServer(), file), '');
    s3.objects.set(`seo admin/${file}`, { content: Buffer.from(''), sha256: '' });
  }
  copyTo(['folder', 'sftp', 's3'], { backupKeep: { hours: 1, weeks: 1 } });
  const { setSchedule } = await import('../../../../src/services/system/schedules.ts');
  const { SYSTEM } = await import('../../../../src/services/access/scope.ts');
  await setSchedule(SYSTEM, 'backup', { keep: 2 });
  await runBackup();
  for (const names of stored()) {
    expect(names).toEqual(expect.arrayContaining([...others, old(3)]));
    expect(names).toHaveLength(4);
  }
});

test('the weekly drill fetches each copy back and proves it; one that is damaged or gone there is told, and the others are proved', async () => {
  const drilled = async (): Promise<object | undefined> =>
    (await startJob(SYSTEM, 'drill', createLog('silent'))).ended.then((end) => end ?? undefined);
  await runBackup();
  const [name = ''] = stored()[0] ?? [];
  const places = { places: 'folder, sftp, s3' };
  expect(await drilled()).toMatchObject({
    result: 'ok',
    message: { also: [{ key: 'backup.copies_proved', params: places }] },
  });
  for (const kind of ['folder', 'sftp', 's3']) {
    expect(await readTrial(`drill ${kind}`)).toMatchObject({ failed: null, file: name });
  }
  expect(await examineBackups()).toEqual(
    expect.arrayContaining([
      expect.objectContaining({ check: 'copy_s3', status: 'ok' }),
      expect.objectContaining({ check: 'drill', status: 'ok' }),
    ]),
  );
  // The copy was good when it was sent.
  const copy = readFileSync(join(onServer(), name));
  copy.writeUInt8(copy.readUInt8(5_000) ^ 1, 5_000);
  writeFileSync(join(onServer(), name), copy);
  s3.objects.clear();
  expect(await drilled()).toMatchObject({ result: 'failed' });
  expect(await readTrial('drill folder')).toMatchObject({ failed: null });
  expect(await readTrial('drill sftp')).toMatchObject({ failed: { key: 'backup.unsealed_wrong' }, file: name });
  expect(await readTrial('drill s3')).toMatchObject({ failed: { key: 'backup.copy_gone' } });
  const found = await examineBackups();
  expect(found.filter(({ status }) => status === 'fail').map(({ check }) => check)).toEqual(['copy_s3', 'copy_sftp']);
  expect(await select(`SELECT 1 FROM events WHERE kind = 'job_failed'`)).toHaveLength(1);
  expect(readdirSync(at('backups')).filter((file) => file.includes('.part'))).toEqual([]);
});

test('doctor warns of what was never made, of what is late, and of copies that are nowhere', async () => {
  copyTo([]);
  const found = async (): Promise<string[]> =>
    (await examineBackups()).filter(({ status }) => status !== 'ok').map(({ check, said }) => `${check} ${said.key}`);
  expect(await found()).toEqual(['backup doctor.backup_never', 'copies backups.no_copies']);
  copyTo(['folder']);
  await runBackup();
  expect(await found()).toEqual(['drill doctor.drill_never']);
  const ago = (days: number): string => new Date(Date.now() - days * 86_400_000).toISOString();
  await transaction(async () => {
    await setInstalled('backup_copy folder', JSON.stringify({ at: ago(3), failed: null, good_at: ago(3), file: 'x' }));
    await setInstalled('backup_drill', JSON.stringify({ at: ago(20), failed: null, good_at: ago(20), file: 'x' }));
  });
  expect(await found()).toEqual(['copy_folder doctor.copy_late', 'drill doctor.drill_late']);
});

describe('a copy that fails', () => {
  test.each<[string, () => void, object]>([
    ['is cut', () => s3.faults.push('cut'), { key: 'backup.copy_failed' }],
    ['is stored otherwise', () => s3.faults.push('other'), { key: 'backup.copy_failed' }],
    ['is refused', () => s3.faults.push('refuse'), { key: 'backup.copy_failed' }],
    ['meets a storage in trouble', () => s3.faults.push('away'), { key: 'backup.copy_failed' }],
    ['has a wrong secret', () => writeFileSync(at('s3'), 'AKIDEXAMPLE wrong'), { key: 'backup.copy_failed' }],
    ['has a secret that others read', () => writeFileSync(at('s3'), 'x y', { mode: 0o644 }), {}],
  ])('because it %s is told and keeps no other one waiting', async (title, fault, told) => {
    if (title.endsWith('others read')) rmSync(at('s3'));
    fault();
    const error = await runBackup().catch((thrown: unknown) => thrown);
    expect(error).toMatchObject(told);
    expect(String(error)).not.toContain(S3_LOGIN.secret);
    expect(await readTrial('copy s3')).toMatchObject({ good_at: null });
    expect((await readTrial('copy s3'))?.failed).not.toBeNull();
    expect((await readTrial('copy folder'))?.failed).toBeNull();
    expect((await readTrial('copy sftp'))?.failed).toBeNull();
    // The backup itself was made.
    expect(readdirSync(at('backups')).filter((name) => name.endsWith('.sqlite'))).toHaveLength(1);
    expect(readdirSync(at('backups')).filter((name) => name.includes('.part'))).toEqual([]);
  });

  test('on the server leaves nothing that counts as a copy, and another host gets no password', async () => {
    copyTo(['sftp']);
    ssh.faults.push({ kind: 'cut-before', operation: 'write', after: 3 });
    await expect(runBackup()).rejects.toMatchObject({ key: 'backup.copy_failed', params: { target: 'sftp' } });
    expect(readdirSync(onServer()).filter((name) => !name.startsWith('.'))).toEqual([]);
    await runBackup();
    expect(readdirSync(onServer()).filter((name) => !name.startsWith('.'))).toHaveLength(1);
    ssh.log.length = 0;
    const known = ssh.hostKey();
    await ssh.changeHostKey();
    const url = `sftp://backup@127.0.0.1:${ssh.port}/in/backups`;
    copyTo([], { backupCopies: { sftp: { url, hostKey: known, secretFile: at('ssh') } } });
    await expect(runBackup()).rejects.toMatchObject({ key: 'backup.copy_failed' });
    expect(ssh.log).toEqual([]);
  });

  test('is one without a passphrase, a folder that is not there, or a host key that is not known', async () => {
    copyTo(['folder'], { backupPassphrase: undefined as never });
    await expect(runBackup()).rejects.toMatchObject({ key: 'backup.copy_unsealed' });
    rmSync(at('disk'), { recursive: true });
    copyTo(['folder']);
    await expect(runBackup()).rejects.toMatchObject({ key: 'backup.copy_failed' });
    copyTo([], { backupCopies: { sftp: { url: `sftp://backup@127.0.0.1:${ssh.port}/x`, secretFile: at('ssh') } } });
    await expect(runBackup()).rejects.toMatchObject({ key: 'backup.copy_unset' });
    expect(ssh.log).toEqual([]);
  });
});
