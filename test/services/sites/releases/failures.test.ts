// Releases on a minimal SSH server that fails on demand and logs every requested path.
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { startSsh, type Ssh } from '../../../../src/demo/ssh.ts';
import { placeOf } from '../../../../src/demo/ssh/tree.ts';
import { openSftp } from '../../../../src/providers/ssh.ts';
import type { Sftp } from '../../../../src/providers/ssh/sftp.ts';
import { pruneAct, uploadAct, uploadBack } from '../../../../src/services/sites/release-upload.ts';
import { activateAct, activateBack } from '../../../../src/services/sites/release-switch.ts';
import { reopening } from '../../../../src/services/accounts/server-lane.ts';
import { WEB_ROOT } from '../../../support/sshd.ts';
import { HOSTILE_PATHS } from './hostile-paths.ts';
import { deploy, run, site } from './world.ts';

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
      const text = readFileSync(placeOf(ssh.root, `${path}/index.html`), 'utf8');
      expect(text).toBe(round % 2 === 0 ? '<h1>one</h1>' : 'by hand');
    }
  });

  test.each(['a folder', 'nothing'])(
    'leaves nothing of itself beside %s where its switch is refused',
    async (there) => {
      if (there === 'a folder') mkdirSync(live());
      const tree = (): string[] => readdirSync(join(ssh.root, WEB_ROOT), { recursive: true, encoding: 'utf8' });
      const before = tree();
      const one = site('one', 3);
      await run(uploadAct(sftp, PATH, one));
      ssh.faults.push({ kind: 'denied', operation: 'posix-rename' });
      await expect(run(activateAct(sftp, PATH, one))).rejects.toMatchObject({ kind: 'refused' });
      expect(tree().filter((name) => name.endsWith('.next'))).toEqual([]);
      await run(uploadBack(sftp, PATH, one.id));
      expect(tree()).toEqual(before);
      await deploy(sftp, PATH, one);
      expect(tree()).toContain('site.example/index.html');
    },
  );

  test('leaves the folders of releases of other sites, and of its own, where it is taken back', async () => {
    const other = `${WEB_ROOT}/other.example`;
    await deploy(sftp, other, site('other', 0));
    await deploy(sftp, PATH, site('one', 0));
    await run(uploadAct(sftp, PATH, site('two', 0)));
    await run(uploadBack(sftp, PATH, site('two', 0).id));
    const releases = join(ssh.root, WEB_ROOT, '.releases');
    expect(readdirSync(releases).toSorted()).toEqual(['other.example', 'site.example']);
    expect(readdirSync(join(releases, 'site.example'))).toEqual([site('one', 0).id]);
  });

  test('is refused for lack of space before anything is written', async () => {
    ssh.freeBytes = 100_000n;
    await expect(uploadAct(sftp, PATH, site('one')).look()).rejects.toMatchObject({ key: 'site.no_space' });
    expect(readdirSync(join(ssh.root, WEB_ROOT))).toEqual([]);
    ssh.freeBytes = 1_000_000n;
    await run(uploadAct(sftp, PATH, site('one')));
  });

  test('never leaves the folder of sites, whatever path is entered', async () => {
    const release = site('one');
    let refused = 0;
    for (const path of HOSTILE_PATHS) {
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
    console.log(`hostile paths: ${HOSTILE_PATHS.length}, refused ${refused}, written outside 0`);
    expect(readdirSync(ssh.root)).toEqual(['var']);
    expect(HOSTILE_PATHS.length).toBeGreaterThanOrEqual(60);
  });
});
