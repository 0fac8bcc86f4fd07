// Files through the adapter on a real OpenSSH.
import { existsSync, readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { connect, createServer, type Socket } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openSftp } from '../../../src/providers/ssh.ts';
import type { Sftp } from '../../../src/providers/ssh/sftp.ts';
import { at, failure, missing, onDisk, open, portOf, sshd, useSshd } from './world.ts';

useSshd();

describe.skipIf(missing !== '')(`files${missing}`, () => {
  let sftp: Sftp;
  let count = 0;
  const folder = (): string => `case-${++count}`;
  beforeAll(async () => {
    if (missing === '') sftp = await openSftp(sshd.login, { hostKey: null });
  });
  afterAll(() => sftp?.close());

  test('are written, read, truncated and removed', async () => {
    const dir = folder();
    await sftp.makeDirs(at(`${dir}/b/c`));
    for (const content of ['long content', 'short', '']) {
      await sftp.writeFile(at(`${dir}/b/c/index.html`), Buffer.from(content));
      expect(readFileSync(onDisk(`${dir}/b/c/index.html`), 'utf8')).toBe(content);
      expect(String(await sftp.readFile(at(`${dir}/b/c/index.html`), 100))).toBe(content);
    }
    await sftp.removeFile(at(`${dir}/b/c/index.html`));
    await sftp.removeFile(at(`${dir}/b/c/index.html`));
    expect(readdirSync(onDisk(`${dir}/b/c`))).toEqual([]);
  });

  test('of any size arrive completely, also from a part of a buffer', async () => {
    const dir = folder();
    await sftp.makeDirs(at(dir));
    const bytes = new Uint8Array(3_000_001).map((_, index) => index * 7);
    for (const [start, end] of [
      [0, 32_768],
      [5, 32_774],
      [0, 3_000_001],
      [1, 300_000],
    ]) {
      const part = bytes.subarray(start, end);
      await sftp.writeFile(at(`${dir}/file`), part);
      expect(readFileSync(onDisk(`${dir}/file`)).equals(part)).toBe(true);
      expect((await sftp.readFile(at(`${dir}/file`), part.length))?.equals(part)).toBe(true);
      expect(await failure(sftp.readFile(at(`${dir}/file`), part.length - 1))).toMatchObject({ code: 'too_large' });
    }
  });

  test('can be written by the hundred at once', async () => {
    const dir = folder();
    const files = Array.from({ length: 600 }, (_, index) => `${dir}/${index % 7}/${index % 3}/${index}.txt`);
    const next = files.values();
    const work = async (): Promise<void> => {
      for (const path of next) {
        await sftp.makeDirs(at(path.slice(0, path.lastIndexOf('/'))));
        await sftp.writeFile(at(path), Buffer.from(path));
      }
    };
    await Promise.all(Array.from({ length: 64 }, work));
    expect(files.filter((path) => readFileSync(onDisk(path), 'utf8') !== path)).toEqual([]);
    await sftp.removeTree(at(dir));
    expect(existsSync(onDisk(dir))).toBe(false);
    // A folder that was made and removed is made again.
    await sftp.makeDirs(at(`${dir}/1/1`));
    expect(existsSync(onDisk(`${dir}/1/1`))).toBe(true);
  });

  test('that are missing are null, and others report their type', async () => {
    const dir = folder();
    await sftp.makeDirs(at(`${dir}/folder`));
    await sftp.writeFile(at(`${dir}/file`), Buffer.from('12345'));
    await sftp.link('folder', at(`${dir}/link`));
    await sftp.link('nowhere', at(`${dir}/broken`));
    const nothing = at(`${dir}/nothing/at/all`);
    expect([
      await sftp.list(nothing),
      await sftp.stat(nothing),
      await sftp.readLink(nothing),
      await sftp.readFile(nothing, 10),
    ]).toEqual([null, null, null, null]);
    await sftp.removeTree(nothing);
    const entries = (await sftp.list(at(dir))) ?? [];
    expect(Object.fromEntries(entries.map(({ name, type }) => [name, type]))).toEqual({
      folder: 'directory',
      file: 'file',
      link: 'link',
      broken: 'link',
    });
    expect(await sftp.stat(at(`${dir}/file`))).toMatchObject({ name: 'file', type: 'file', size: 5 });
    expect(await sftp.stat(at(`${dir}/broken`))).toMatchObject({ type: 'link' });
    expect(await sftp.readLink(at(`${dir}/broken`))).toBe('nowhere');
    expect([await sftp.readLink(at(`${dir}/file`)), await sftp.readLink(at(`${dir}/folder`))]).toEqual([null, null]);
    expect(await sftp.list(at(`${dir}/link`))).toEqual([]);
  });

  test('replace others atomically', async () => {
    const dir = folder();
    await sftp.makeDirs(at(`${dir}/one`));
    await sftp.link('one', at(`${dir}/now`));
    await sftp.link('two', at(`${dir}/next`));
    expect(await failure(sftp.link('two', at(`${dir}/now`)))).toMatchObject({ kind: 'refused' });
    await sftp.rename(at(`${dir}/next`), at(`${dir}/now`));
    expect([readlinkSync(onDisk(`${dir}/now`)), readdirSync(onDisk(dir)).sort()]).toEqual(['two', ['now', 'one']]);
    expect(await failure(sftp.rename(at(`${dir}/gone`), at(`${dir}/now`)))).toMatchObject({ kind: 'refused' });
  });

  test('are removed without following links', async () => {
    const [dir, kept] = [folder(), folder()];
    await sftp.makeDirs(at(dir));
    await sftp.makeDirs(at(kept));
    await sftp.writeFile(at(`${kept}/file`), Buffer.from('x'));
    await sftp.link(`../${kept}`, at(`${dir}/out`));
    await sftp.removeTree(at(dir));
    expect([existsSync(onDisk(dir)), existsSync(onDisk(`${kept}/file`))]).toEqual([false, true]);
    await sftp.link(kept, at(dir));
    await sftp.removeTree(at(dir));
    expect([existsSync(onDisk(dir)), existsSync(onDisk(`${kept}/file`))]).toEqual([false, true]);
  });

  test('are refused where a file is in place of a folder', async () => {
    const dir = folder();
    await sftp.makeDirs(at(dir));
    await sftp.writeFile(at(`${dir}/file`), Buffer.from('x'));
    for (const path of [`${dir}/file`, `${dir}/file/below`]) {
      expect(await failure(sftp.makeDirs(at(path)))).toMatchObject({ kind: 'refused' });
    }
    expect(await failure(sftp.writeFile(at(dir), Buffer.from('x')))).toMatchObject({ kind: 'refused' });
    expect(readFileSync(onDisk(`${dir}/file`), 'utf8')).toBe('x');
  });

  // oxfmt-ignore
  const LITERAL_NAMES = [
    '$(id)', '`id`', ';id', '| id', '&& id', '> out', '< in', '*', '?', '[a-z]', '{a,b}', '~', '~root', '-rf', '--', '-oX=y',
    '#', '!', '!!', '%', '%00', '%2e%2e', '..%2f', '\\', '..\\x', 'C:', "'", '"', "'; DROP TABLE", ' ', ' lead', 'trail ',
    'new\nline', 'tab\there', '\r', '\u001B[31m', '\u202Etxt', 'пример', 'e\u0301', '\u00E9', '🙂', '...', '. .', '.hidden', 'nul',
    'a'.repeat(255), 'й'.repeat(127),
  ];

  test(`with ${LITERAL_NAMES.length} names that are special to a shell are handled literally`, async () => {
    const dir = folder();
    await sftp.makeDirs(at(dir));
    for (const name of LITERAL_NAMES) await sftp.writeFile(at(`${dir}/${name}`), Buffer.from(name));
    expect(readdirSync(onDisk(dir)).sort()).toEqual([...LITERAL_NAMES].sort());
    expect((await sftp.list(at(dir)))?.map(({ name }) => name).sort()).toEqual([...LITERAL_NAMES].sort());
    for (const name of LITERAL_NAMES) {
      expect(String(await sftp.readFile(at(`${dir}/${name}`), 1000))).toBe(name);
      await sftp.rename(at(`${dir}/${name}`), at(`${dir}/moved`));
      await sftp.removeFile(at(`${dir}/moved`));
    }
    await sftp.removeTree(at(dir));
  });

  // oxfmt-ignore
  const NO_PATHS = [
    '', '.', '..', '/', '//', 'x', 'x/y', './x', '../x', '~/x', '-x', '/x/..', '/x/../y', '/../x', '/./x', '/x/.', '/x//y', '/x/',
    '/x\0', '/x\0/y', '/\uD800', '\\x', 'C:/x', `/${'a'.repeat(5000)}`, `/${'й'.repeat(2100)}`,
  ];

  test.each(NO_PATHS)('are refused at the path %j', async (path) => {
    const other = at('x');
    const works = [
      () => sftp.list(path),
      () => sftp.stat(path),
      () => sftp.readLink(path),
      () => sftp.readFile(path, 1),
      () => sftp.writeFile(path, Buffer.from('x')),
      () => sftp.makeDirs(path),
      () => sftp.rename(path, other),
      () => sftp.rename(other, path),
      () => sftp.link('x', path),
      () => sftp.removeFile(path),
      () => sftp.removeTree(path),
    ];
    for (const work of works) expect(await failure(work())).toMatchObject({ kind: 'refused', code: 'bad_path' });
  });

  test('with names that are too long are refused, and the session goes on', async () => {
    expect(await failure(sftp.writeFile(at('a'.repeat(256)), Buffer.from('x')))).toMatchObject({ kind: 'refused' });
    expect(await failure(sftp.link('x\0y', at('nul')))).toMatchObject({ code: 'bad_path' });
    expect(await sftp.stat(at('nul'))).toBe(null);
  });

  test('under way fail at once when the connection breaks, and so do later calls', async () => {
    const sockets: Socket[] = [];
    let passed = 0;
    const relay = createServer((socket) => {
      const onward = connect(sshd.port, '127.0.0.1');
      sockets.push(socket, onward);
      socket.on('data', (data) => {
        passed += data.length;
        if (passed > 2_000_000) for (const each of sockets) each.destroy();
        else onward.write(data);
      });
      onward.pipe(socket);
      for (const each of [socket, onward]) each.on('error', () => undefined).on('close', () => socket.destroy());
    });
    const port = await portOf(relay);
    const cut = await open({ ...sshd.login, port });
    const dir = folder();
    await cut.makeDirs(at(dir));
    const names = Array.from({ length: 40 }, (_, index) => at(`${dir}/${index}`));
    const ends = await Promise.allSettled(names.map((path) => cut.writeFile(path, Buffer.alloc(100_000, 'x'))));
    const failed = ends.filter((end) => end.status === 'rejected');
    expect(failed.length).toBeGreaterThan(0);
    for (const { reason } of failed) expect(reason).toMatchObject({ kind: 'unavailable' });
    expect(await failure(cut.stat(at(dir)))).toMatchObject({ kind: 'unavailable' });
    await cut.close();
    relay.close();
    // Acknowledged files are complete.
    const whole = names.filter((_, index) => ends[index]?.status === 'fulfilled');
    const sizes = await Promise.all(whole.map(async (path) => (await sftp.stat(path))?.size));
    expect(sizes).toEqual(whole.map(() => 100_000));
  });
});
