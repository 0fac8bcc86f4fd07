// The upload of a release, and which releases stay, on a real OpenSSH.
import {
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { once } from 'node:events';
import { connect, createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { openSftp } from '../../../../src/providers/ssh.ts';
import type { Sftp } from '../../../../src/providers/ssh/sftp.ts';
import { pruneAct, uploadAct, uploadBack } from '../../../../src/services/sites/release-upload.ts';
import { activateAct } from '../../../../src/services/sites/release-switch.ts';
import { reopening } from '../../../../src/services/accounts/server-lane.ts';
import { isRoot, startSshd, WEB_ROOT } from '../../../support/sshd.ts';
import { deploy, host, missing, nginx, onDisk, path, run, served, sftp, site, sshd, useHost } from './world.ts';

describe.skipIf(missing.length > 0)('a release on a real server', () => {
  useHost();

  test('is readable by everybody, whatever the umask of the server', async () => {
    const strict = await startSshd({ config: ['Match all', '  ForceCommand internal-sftp -u 0077'] });
    const session = await openSftp(strict.login, { hostKey: null });
    const one = site('one', 0);
    await deploy(session, strict.remote(`${WEB_ROOT}/${host}`), one);
    const modeOf = (name: string): string => (statSync(strict.local(`${WEB_ROOT}/${name}`)).mode & 0o777).toString(8);
    const folder = `.releases/${host}/${one.id}`;
    expect(['.releases', `.releases/${host}`, folder, `${folder}/css`, `${folder}/css/deep/er`].map(modeOf)).toEqual([
      '755',
      '755',
      '755',
      '755',
      '755',
    ]);
    expect(
      ['index.html', 'big.bin', 'css/deep/er/main.css', one.marker.path].map((name) => modeOf(`${folder}/${name}`)),
    ).toEqual(['644', '644', '644', '644']);
    await session.close();
    await strict.close();
  });

  test('gets the free space of the server', async () => {
    const free = await sftp.freeSpace(sshd.remote(WEB_ROOT));
    expect(free?.bytes).toBeGreaterThan(0);
    expect(free?.files).toBeGreaterThan(0);
  });

  test('is not removed while it is live', async () => {
    await deploy(sftp, path, site('one'));
    expect(await uploadBack(sftp, path, site('one').id).look()).toBeNull();
  });

  test('sends only missing and changed files; other files in its folder stay', async () => {
    const one = site('one', 50);
    await deploy(sftp, path, one);
    const folder = onDisk(`.releases/${host}/${one.id}`);
    rmSync(join(folder, 'pages/3'), { recursive: true });
    writeFileSync(join(folder, 'css/deep/er/main.css'), 'cut');
    rmSync(join(folder, 'pages/2/page-2.html'));
    mkdirSync(join(folder, 'pages/2/page-2.html'));
    writeFileSync(join(folder, 'upload.jpg'), 'of a visitor');
    writeFileSync(join(folder, '.part-0123'), 'left');
    const written: string[] = [];
    const counted: Sftp = { ...sftp, writeFile: (at, content) => (written.push(at), sftp.writeFile(at, content)) };
    const change = await run(uploadAct(counted, path, one));
    const threes = one.files.filter(({ path }) => path.startsWith('pages/3/')).length;
    expect(change?.after).toMatchObject({ files: 54, new_files: threes + 2 });
    // `new_files` does not count the marker, which says that the release is complete.
    expect(written).toHaveLength(threes + 2 + 1);
    expect(await uploadAct(sftp, path, one).look()).toBeNull();
    expect(readdirSync(folder).sort()).toEqual(
      ['big.bin', 'css', 'empty.txt', 'index.html', one.marker.path, 'pages', 'upload.jpg'].sort(),
    );
  });

  test('stays with the two others of the newest three and the former one when old releases are pruned', async () => {
    const releases = Array.from({ length: 7 }, (_, at) => site(`r${at}`));
    mkdirSync(onDisk(host));
    for (const [at, release] of releases.entries()) {
      await deploy(sftp, path, release);
      utimesSync(onDisk(`.releases/${host}/${release.id}`), at, at);
    }
    const id = (at: number): string => releases[at]!.id;
    const former = (): string => `.releases/${host}/${id(0)}`;
    expect((await run(pruneAct(sftp, path, former)))?.after).toEqual([id(0), id(5), id(4)]);
    expect(new Set(readdirSync(onDisk(`.releases/${host}`)))).toEqual(
      new Set([id(0), id(4), id(5), id(6), `before-${id(0)}`]),
    );
    expect(await pruneAct(sftp, path, former).look()).toBeNull();
    expect(await served()).toBe('<h1>r6</h1>');
  });

  test('is refused where a file, a folder with other sites or a link for the releases is in the way', async () => {
    writeFileSync(onDisk(host), 'a file');
    await run(uploadAct(sftp, path, site('one')));
    await expect(activateAct(sftp, path, site('one')).look()).rejects.toMatchObject({ key: 'site.path_taken' });
    const above = sshd.remote(WEB_ROOT);
    await expect(activateAct(sftp, above, site('one')).look()).rejects.toMatchObject({ key: 'site.path_holds_sites' });
    const outside = mkdtempSync(join(tmpdir(), 'outside-'));
    const other = `${host}.other`;
    await sftp.link(outside, sshd.remote(`${WEB_ROOT}/.releases/${other}`));
    await expect(run(uploadAct(sftp, sshd.remote(`${WEB_ROOT}/${other}`), site('one')))).rejects.toMatchObject({
      key: 'site.path_taken',
    });
    expect(readdirSync(outside)).toEqual([]);
  });

  test('replaces links among its files and does not follow them', async () => {
    const one = site('one');
    await run(uploadAct(sftp, path, one));
    const folder = onDisk(`.releases/${host}/${one.id}`);
    const outside = mkdtempSync(join(tmpdir(), 'outside-'));
    rmSync(join(folder, 'pages'), { recursive: true });
    rmSync(join(folder, 'index.html'));
    writeFileSync(join(outside, 'kept'), 'kept');
    const at = (name: string): string => `${sshd.remote(`${WEB_ROOT}/.releases/${host}/${one.id}`)}/${name}`;
    await sftp.link(join(outside, 'kept'), at('index.html'));
    await sftp.link(outside, at('pages'));
    await run(uploadAct(sftp, path, one));
    expect(lstatSync(join(folder, 'index.html')).isFile()).toBe(true);
    expect(lstatSync(join(folder, 'pages')).isDirectory()).toBe(true);
    expect(readdirSync(outside)).toEqual(['kept']);
  });

  test('is completed after a lost connection by sending only the files that had not arrived', async () => {
    const release = site('one', 1500);
    let allowed = 150_000;
    const proxy = createServer((socket) => {
      const onward = connect(sshd.port, '127.0.0.1');
      socket.on('data', (bytes) => {
        allowed -= bytes.length;
        if (allowed < 0) socket.destroy();
      });
      socket.on('error', () => onward.destroy()).on('close', () => onward.destroy());
      onward.on('error', () => socket.destroy()).on('close', () => socket.destroy());
      socket.pipe(onward).pipe(socket);
    }).listen(0, '127.0.0.1');
    await once(proxy, 'listening');
    const login = { ...sshd.login, port: (proxy.address() as AddressInfo).port };
    const lost = await reopening(() => openSftp(login, { hostKey: sshd.hostKey() }));
    await expect(run(uploadAct(lost, path, release))).rejects.toMatchObject({ kind: 'unavailable' });
    const folder = onDisk(`.releases/${host}/${release.id}`);
    const arrived = release.files.filter(({ path, content }) => {
      const at = join(folder, path);
      return existsSync(at) && statSync(at).size === content.length;
    });
    expect(arrived.length).toBeGreaterThan(50);
    expect(await nginx.get(host)).toMatchObject({ status: 404 });
    allowed = Infinity;
    const written = new Set<string>();
    const counted: Sftp = { ...lost, writeFile: (at, content) => (written.add(at), lost.writeFile(at, content)) };
    await run(uploadAct(counted, path, release));
    await run(activateAct(lost, path, release));
    const again = arrived.filter((one) =>
      written.has(`${sshd.remote(`${WEB_ROOT}/.releases/${host}/${release.id}`)}/${one.path}`),
    );
    console.log(
      `lost after ${arrived.length} of ${release.files.length} files; ${written.size} sent then, ${again.length} of them again`,
    );
    // An empty file counts as arrived once it exists.
    expect(again).toEqual([]);
    expect(await served('/pages/6/page-1497.html')).toBe('one 1497');
    await lost.close();
    proxy.close();
  });

  test.skipIf(!isRoot)('is refused without write access to the folder, and the live site stays', async () => {
    await deploy(sftp, path, site('one'));
    const stranger = await openSftp(sshd.passwordLogin(), { hostKey: sshd.hostKey() });
    await expect(run(uploadAct(stranger, path, site('two')))).rejects.toMatchObject({ kind: 'refused' });
    expect(await served()).toBe('<h1>one</h1>');
    await stranger.close();
  });
});
