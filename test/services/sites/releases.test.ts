// Releases on a real OpenSSH, served by a real nginx; and on a minimal SSH server that fails on demand and logs every requested
// path.
import {
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { once } from 'node:events';
import { connect, createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { startSsh, type Ssh } from '../../../src/demo/ssh.ts';
import { placeOf } from '../../../src/demo/ssh/tree.ts';
import type { Act } from '../../../src/operations/flow.ts';
import { openSftp } from '../../../src/providers/ssh.ts';
import type { Sftp } from '../../../src/providers/ssh/sftp.ts';
import { releaseOf, type Release } from '../../../src/services/sites/releases.ts';
import { pruneAct, uploadAct, uploadBack } from '../../../src/services/sites/release-upload.ts';
import { activateAct, activateBack } from '../../../src/services/sites/release-switch.ts';
import { reopening } from '../../../src/services/accounts/server-lane.ts';
import { findNginx, startNginx, type Nginx } from '../../support/nginx.ts';
import { findSshd, isRoot, startSshd, WEB_ROOT, type Sshd } from '../../support/sshd.ts';

const missing = [findSshd(), findNginx()].flatMap((found) => ('missing' in found ? [found.missing] : []));
if (missing.length > 0) console.log(`Skipped: releases on a real server: ${missing.join('; ')}`);

const run = async (act: Act) => {
  const change = await act.look();
  await change?.perform();
  return change;
};

const file = (path: string, content: string | Uint8Array) => ({ path, content: Buffer.from(content) });

/** A site whose every file names its version; `big` is larger than one request. */
const site = (version: string, more = 3): Release =>
  releaseOf([
    file('index.html', `<h1>${version}</h1>`),
    file('css/deep/er/main.css', `/* ${version} */`),
    file('empty.txt', ''),
    file('big.bin', Buffer.alloc(200_000, version)),
    ...Array.from({ length: more }, (_, at) => file(`pages/${at % 7}/page-${at}.html`, `${version} ${at}`)),
  ]);

const deploy = async (sftp: Sftp, path: string, release: Release) => {
  await run(uploadAct(sftp, path, release));
  return run(activateAct(sftp, path, release));
};

describe.skipIf(missing.length > 0)('a release on a real server', () => {
  let sshd: Sshd;
  let nginx: Nginx;
  let sftp: Sftp;
  let count = 0;
  let host: string;
  let path: string;
  const onDisk = (name = ''): string => sshd.local(`${WEB_ROOT}/${name}`);

  beforeAll(async () => {
    sshd = await startSshd();
    nginx = await startNginx(onDisk());
    sftp = await openSftp(sshd.login, { hostKey: null });
  });
  afterAll(async () => {
    await sftp.close();
    await nginx.close();
    await sshd.close();
  });
  beforeEach(() => {
    count += 1;
    host = `site-${count}.example`;
    path = sshd.remote(`${WEB_ROOT}/${host}`);
  });
  const served = async (at = '/') => (await nginx.get(host, at)).text;

  test('is served with its marker; deploying it again changes nothing', async () => {
    const one = site('one');
    await deploy(sftp, path, one);
    expect(await served()).toBe('<h1>one</h1>');
    expect(await served('/css/deep/er/main.css')).toBe('/* one */');
    expect(await served('/big.bin')).toHaveLength(200_000);
    expect(await nginx.get(host, `/${one.marker.path}`)).toMatchObject({ type: 'text/plain', text: `${one.id}\n` });
    expect(readlinkSync(onDisk(host))).toBe(`.releases/${host}/${one.id}`);
    expect(await uploadAct(sftp, path, one).look()).toBeNull();
    expect(await activateAct(sftp, path, one).look()).toBeNull();
    expect(readdirSync(onDisk(`.releases/${host}`))).toEqual([one.id]);
  });

  test('is switched atomically: a client that asks all the time never gets half of it', async () => {
    await deploy(sftp, path, site('v0'));
    const seen = new Map<string, number>();
    const over = new AbortController();
    const ask = async (): Promise<void> => {
      while (!over.signal.aborted) {
        const [page, style] = await Promise.all([nginx.get(host), nginx.get(host, '/pages/0/page-0.html')]);
        for (const { status, text } of [page, style]) {
          const known = status === 200 && /^(<h1>v\d+<\/h1>|v\d+ 0)$/.test(text);
          const what = known ? 'whole' : `${status} ${text}`;
          seen.set(what, (seen.get(what) ?? 0) + 1);
        }
      }
    };
    const asking = Promise.all([ask(), ask(), ask(), ask()]);
    for (let version = 1; version <= 12; version += 1) await deploy(sftp, path, site(`v${version}`));
    over.abort();
    await asking;
    console.log(`asked while switching: ${JSON.stringify(Object.fromEntries(seen))}`);
    expect([...seen.keys()]).toEqual(['whole']);
    expect(seen.get('whole')).toBeGreaterThan(50);
    expect(await served()).toBe('<h1>v12</h1>');
  });

  test('keeps the existing folder, which is live again after a rollback', async () => {
    mkdirSync(onDisk(host));
    writeFileSync(join(onDisk(host), 'index.html'), 'by hand');
    const one = site('one');
    const change = await deploy(sftp, path, one);
    expect(change).toMatchObject({
      before: `.releases/${host}/before-${one.id}`,
      after: `.releases/${host}/${one.id}`,
    });
    expect(await served()).toBe('<h1>one</h1>');
    await run(activateBack(sftp, path, change?.before, change?.after));
    expect(await served()).toBe('by hand');
    await run(uploadBack(sftp, path, one.id));
    expect(readdirSync(onDisk(`.releases/${host}`))).toEqual([`before-${one.id}`]);
  });

  test('that was cut off between the two renames is completed or rolled back by the next act', async () => {
    for (const way of ['on', 'back']) {
      rmSync(onDisk(host), { recursive: true, force: true });
      mkdirSync(onDisk(host));
      writeFileSync(join(onDisk(host), 'index.html'), `by hand ${way}`);
      const one = site(way);
      await run(uploadAct(sftp, path, one));
      const change = await activateAct(sftp, path, one).look();
      const renameBoth: Sftp['renameBoth'] = async ([from, to]) => {
        await sftp.rename(from, to);
        throw new Error('cut');
      };
      const cut: Sftp = { ...sftp, renameBoth };
      const broken = await activateAct(cut, path, one).look();
      await expect(broken?.perform()).rejects.toThrow('cut');
      expect(existsSync(onDisk(host))).toBe(false);
      if (way === 'on') await run(activateAct(sftp, path, one));
      else await run(activateBack(sftp, path, change?.before, change?.after));
      expect(await served()).toBe(way === 'on' ? '<h1>on</h1>' : 'by hand back');
    }
  });

  test('replaces a folder over a slow line without a gap that a visitor would notice', async () => {
    const LATE_MS = 200;
    const proxy = createServer((socket) => {
      const onward = connect(sshd.port, '127.0.0.1');
      for (const [one, other] of [
        [socket, onward],
        [onward, socket],
      ] as const) {
        one.on('data', (bytes) => void setTimeout(() => other.writable && other.write(bytes), LATE_MS));
        one.on('error', () => other.destroy()).on('close', () => other.destroy());
      }
    }).listen(0, '127.0.0.1');
    await once(proxy, 'listening');
    const port = (proxy.address() as AddressInfo).port;
    const slow = await openSftp({ ...sshd.login, port }, { hostKey: sshd.hostKey() });
    mkdirSync(onDisk(host));
    writeFileSync(join(onDisk(host), 'index.html'), 'by hand');
    const one = site('one', 0);
    await run(uploadAct(sftp, path, one));
    const seen: string[] = [];
    const over = new AbortController();
    const polling = (async () => {
      while (!over.signal.aborted) seen.push((await nginx.get(host)).text);
    })();
    await run(activateAct(slow, path, one));
    over.abort();
    await polling;
    const known = ['by hand', '<h1>one</h1>'];
    const neither = seen.filter((text) => !known.includes(text));
    console.log(
      `first release with ${LATE_MS} ms each way: asked ${seen.length} times, neither ${neither.length} times`,
    );
    // Two renames take microseconds at the server; at most one request falls in between.
    expect(neither.length).toBeLessThanOrEqual(1);
    expect(new Set(seen.filter((text) => known.includes(text)))).toEqual(new Set(known));
    await slow.close();
    proxy.close();
  });

  test('undoes the first rename where the second one fails: the folder stays live', async () => {
    mkdirSync(onDisk(host));
    writeFileSync(join(onDisk(host), 'index.html'), 'by hand');
    const at = (name: string): string => sshd.remote(`${WEB_ROOT}/${name}`);
    await expect(sftp.renameBoth([path, at(`${host}-kept`)], [at('not-there'), path])).rejects.toMatchObject({
      kind: 'refused',
    });
    expect(await served()).toBe('by hand');
    expect(existsSync(onDisk(`${host}-kept`))).toBe(false);
  });

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

  test('rolls back to the former release, to nothing where there was none, and not over a later switch', async () => {
    const first = await deploy(sftp, path, site('one'));
    const second = await deploy(sftp, path, site('two'));
    await run(activateBack(sftp, path, second?.before, second?.after));
    expect(await served()).toBe('<h1>one</h1>');
    const third = await deploy(sftp, path, site('three'));
    expect(await activateBack(sftp, path, first?.before, first?.after).look()).toBeNull();
    await sftp.removeTree(sshd.remote(`${WEB_ROOT}/.releases/${host}/${site('one').id}`));
    await expect(activateBack(sftp, path, third?.before, third?.after).look()).rejects.toMatchObject({
      key: 'site.former_gone',
    });
    await run(activateBack(sftp, path, null, third?.after));
    expect(await nginx.get(host)).toMatchObject({ status: 404 });
    expect(await uploadBack(sftp, path, site('three').id).look()).not.toBeNull();
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

  test('that is incomplete is never switched to', async () => {
    const [one, two] = [site('one'), site('two')];
    await deploy(sftp, path, one);
    await run(uploadAct(sftp, path, two));
    rmSync(onDisk(`.releases/${host}/${two.id}/${two.marker.path}`));
    const change = await activateAct(sftp, path, two).look();
    await expect(change?.perform()).rejects.toMatchObject({ key: 'site.incomplete' });
    expect(await served()).toBe('<h1>one</h1>');
  });
});

describe('a release on a server that fails', () => {
  let folder: string;
  let ssh: Ssh;
  let sftp: Sftp;
  const PATH = `${WEB_ROOT}/site.example`;
  const login = () => ({ host: '127.0.0.1', port: ssh.port, user: 'root', secret: 'right' });
  beforeEach(async () => {
    folder = mkdtempSync(join(tmpdir(), 'releases-'));
    ssh = await startSsh({ root: join(folder, 'tree'), logins: [{ user: 'root', password: 'right' }] });
    mkdirSync(join(ssh.root, WEB_ROOT), { recursive: true });
    sftp = await reopening(() => openSftp(login(), { hostKey: null }));
  });
  afterEach(async () => {
    await sftp.close();
    await ssh.close();
    rmSync(folder, { recursive: true });
  });
  const live = (): string => join(ssh.root, PATH);
  const page = (): string => (statSync(live()).isDirectory() ? readdirSync(live()).join() : '');

  test.each(['cut-before', 'act-then-cut'] as const)(
    'is completed by the next try after %s, sending only the files that had not arrived',
    async (kind) => {
      const release = site('one', 300);
      const total = release.files.length;
      ssh.faults.push({ kind, operation: 'write', after: 150 });
      await expect(run(uploadAct(sftp, PATH, release))).rejects.toMatchObject({ kind: 'unavailable' });
      expect(existsSync(live())).toBe(false);
      const written = () => ssh.log.filter(({ operation, outcome }) => operation === 'write' && outcome === 'done');
      const before = written();
      ssh.log.length = 0;
      const change = await run(uploadAct(sftp, PATH, release));
      const bytes = (entries: ReturnType<typeof written>) => entries.reduce((sum, { size = 0 }) => sum + size, 0);
      console.log(
        `${kind}: ${before.length} writes arrived of ${total} files, ${bytes(written())} bytes were sent again or anew`,
      );
      expect(change?.after).toMatchObject({ files: total });
      expect((change as { after: { new_files: number } }).after.new_files).toBeLessThan(total - 80);
      // Files that had arrived completely are not sent again.
      const again = new Set(written().map(({ path }) => path));
      expect(
        before.filter(({ path, size }) => again.has(path) && size !== 32 * 1024 && !path.includes('.part-')),
      ).toEqual([]);
      expect(await uploadAct(sftp, PATH, release).look()).toBeNull();
    },
  );

  const STEPS = ['open', 'write', 'close', 'mkdir', 'posix-rename', 'symlink', 'opendir', 'readdir', 'lstat'];
  test.each(
    (['cut-before', 'act-then-cut', 'denied', 'failure'] as const).flatMap((kind) =>
      STEPS.map((operation) => [kind, operation] as const),
    ),
  )('leaves a whole live site after %s at %s, and the next try succeeds', async (kind, operation) => {
    const [one, two] = [site('one', 12), site('two', 12)];
    await deploy(sftp, PATH, one);
    for (const after of [0, 9]) {
      ssh.faults.push({ kind, operation, after });
      const outcome = await deploy(sftp, PATH, two).then(
        () => 'done',
        () => 'failed',
      );
      ssh.faults.length = 0;
      expect(page()).toContain('index.html');
      const id = readlinkSync(live()).split('/').at(-1);
      // A call that acted before the cut may have switched; the live release is complete either way.
      expect([one.id, two.id]).toContain(id);
      const saidNo = outcome === 'failed' && (kind === 'denied' || kind === 'failure');
      expect(saidNo ? id : one.id).toBe(one.id);
      await deploy(sftp, PATH, two);
      expect(readlinkSync(live())).toContain(two.id);
      expect(await uploadAct(sftp, PATH, two).look()).toBeNull();
      await run(activateBack(sftp, PATH, `.releases/site.example/${one.id}`, `.releases/site.example/${two.id}`));
      await run(uploadBack(sftp, PATH, two.id));
    }
  });

  test('that dies while it replaces a folder is completed or rolled back by the next act', async () => {
    const one = site('one', 0);
    for (const [round, ms] of [20, 120, 250, 420, 600, 800].entries()) {
      const path = `${WEB_ROOT}/kill-${round}.example`;
      mkdirSync(join(ssh.root, path));
      writeFileSync(join(ssh.root, path, 'index.html'), 'by hand');
      await run(uploadAct(sftp, path, one));
      const dying = await openSftp(login(), { hostKey: null });
      const change = await activateAct(dying, path, one).look();
      ssh.latencyMs = 100;
      const ended = change!.perform().catch(() => undefined);
      setTimeout(() => void dying.close(), ms);
      await ended;
      ssh.latencyMs = 0;
      // The server completes the requests that it has received, even after the client has gone.
      await expect.poll(() => ssh.underWay).toBe(0);
      expect(existsSync(join(ssh.root, path))).toBe(true);
      if (round % 2 === 0) await run(activateAct(sftp, path, one));
      else await run(activateBack(sftp, path, change?.before, change?.after));
      const text = readFileSync(await placeOf(ssh.root, `${path}/index.html`), 'utf8');
      expect(text).toBe(round % 2 === 0 ? '<h1>one</h1>' : 'by hand');
    }
  });

  test('is refused for lack of space before anything is written', async () => {
    ssh.freeBytes = 100_000n;
    await expect(uploadAct(sftp, PATH, site('one')).look()).rejects.toMatchObject({ key: 'site.no_space' });
    expect(readdirSync(join(ssh.root, WEB_ROOT))).toEqual([]);
    ssh.freeBytes = 1_000_000n;
    await run(uploadAct(sftp, PATH, site('one')));
  });

  // Each path is refused, or all writes stay inside the root of sites: the form accepts some of them.
  const HOSTILE = [
    '',
    '/',
    '//',
    '.',
    '..',
    '/..',
    '/../..',
    '~',
    '~/www',
    '/~',
    '/home/~root/www',
    'relative/path',
    './x/y',
    '../x/y',
    '/var',
    '/etc',
    '/root',
    '/var/www/../../etc',
    '/var/www/..',
    '/var/www/../',
    '/var/www/.',
    '/var/www/./x',
    '/var/www//x',
    '//var/www/x',
    '/var/www/x/..',
    '/var/www/...',
    '/var/www/.ssh',
    '/root/.ssh',
    '/root/.ssh/authorized_keys',
    '/.ssh/x',
    '/home/user/.bashrc',
    '/var/www/.releases',
    '/var/www/.releases/x',
    '/etc/passwd',
    '/etc/cron.d/x',
    '/etc/nginx/sites',
    '/ETC/passwd',
    '/bin/sh',
    '/sbin/init',
    '/lib/x86',
    '/lib64/ld',
    '/usr/bin/env',
    '/usr/lib/x',
    '/usr/sbin/x',
    '/boot/grub',
    '/dev/sda',
    '/dev/shm/x',
    '/proc/self/root',
    '/sys/kernel/x',
    '/run/sshd/x',
    '/var/log/x',
    '/var/lib/mysql',
    '/var/run/x',
    '/var/spool/cron',
    '/var/cache/x',
    '/var/www/-rf',
    '/-rf/x',
    '/var/www/x\0y',
    '/var/www/x\n/etc',
    '/var/www/x\r',
    '/var/www/\tx',
    '/var/www/x\\..\\..',
    '\\\\host\\share',
    'C:\\www',
    'file:///etc/passwd',
    '/var/www/x\u2028y',
    '/var/www/x\u007f',
    `/var/www/${'x'.repeat(600)}`,
    '$(id)',
    '`id`',
    '; id',
    '| id',
    '/var/www/%2e%2e/%2e%2e/etc',
    '/var/www/$(id)',
    '/var/www/; rm -rf x',
    "/var/www/'x'",
    '/var/www/x y',
    '/var/www/*',
    '/var/www/x/',
    '/var/www/..x',
    '/var/www/x/~y',
  ];
  test('never leaves the folder of sites, whatever path is entered', async () => {
    const release = site('one');
    let refused = 0;
    for (const path of HOSTILE) {
      ssh.log.length = 0;
      const outcome = await (async () => {
        await deploy(sftp, path, release);
        await run(pruneAct(sftp, path, () => null));
        await run(activateBack(sftp, path, null, undefined));
        await run(uploadBack(sftp, path, release.id));
        return 'done';
      })().catch((error: { kind?: string }) => error.kind ?? 'a bug');
      if (outcome === 'refused') refused += 1;
      expect({ path, outcome: ['done', 'refused'].includes(outcome) ? 'known' : outcome }).toEqual({
        path,
        outcome: 'known',
      });
      const asked = ssh.log
        .filter(({ operation }) => operation !== 'login')
        .flatMap(({ path, target, operation }) =>
          operation === 'symlink' || target === undefined ? [path] : [path, target],
        );
      const outside = asked.filter(
        (one) =>
          !/^\/var\/www\/[^.]/.test(one) &&
          !one.startsWith('/var/www/.releases') &&
          one !== '/var/www' &&
          one !== '/var',
      );
      expect({ path, outside }).toEqual({ path, outside: [] });
      expect({ path, up: asked.filter((one) => one.split('/').includes('..')) }).toEqual({ path, up: [] });
    }
    console.log(`hostile paths: ${HOSTILE.length}, refused ${refused}, written outside 0`);
    expect(readdirSync(ssh.root)).toEqual(['var']);
    expect(HOSTILE.length).toBeGreaterThanOrEqual(60);
  });
});
