import { existsSync, lstatSync, mkdirSync, readFileSync, readlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, test } from 'vitest';
import { connect, folder, onDisk, open, ssh, start, useSsh } from './ssh-session.ts';

useSsh();

describe('files', () => {
  test('are written, read, listed, renamed and removed', async () => {
    const { write, read, mkdir, list, rename, replace, unlink, rmdir, stat } = await open();
    const large = Buffer.alloc(700_000, 'x');
    await mkdir('/var');
    await write('/var/a.txt', 'first');
    await write('/var/large', large);
    expect((await read('/var/large')).equals(large)).toBe(true);
    expect((await stat('/var/a.txt')).size).toBe(5);
    await write('/var/a.txt', 'two');
    expect((await read('/var/a.txt')).toString()).toBe('two');
    expect((await list('/var')).map(({ filename }) => filename).toSorted()).toEqual(['a.txt', 'large']);
    await rename('/var/a.txt', '/var/b.txt');
    await expect(rename('/var/large', '/var/b.txt')).rejects.toMatchObject({ code: 4 });
    await replace('/var/large', '/var/b.txt');
    expect((await read('/var/b.txt')).length).toBe(700_000);
    await expect(rmdir('/var')).rejects.toMatchObject({ code: 4 });
    await expect(unlink('/var')).rejects.toMatchObject({ code: 4 });
    await unlink('/var/b.txt');
    await rmdir('/var');
    await expect(stat('/var')).rejects.toMatchObject({ code: 2 });
    await expect(read('/var/b.txt')).rejects.toMatchObject({ code: 2 });
  });

  test('are all listed in a folder with many names', async () => {
    const { list } = await open();
    for (let index = 0; index < 250; index += 1) writeFileSync(onDisk(`f-${index}`), '');
    expect(await list('/')).toHaveLength(250);
  });
});

describe('links', () => {
  test('keep their given target and resolve within the root folder', async () => {
    const { write, read, mkdir, link, readlink, lstat, stat, replace, realpath, list } = await open();
    for (const path of ['/www', '/releases', '/releases/1', '/releases/2']) await mkdir(path);
    await write('/releases/1/index.html', 'one');
    await write('/releases/2/index.html', 'two');
    await link('/releases/1', '/www/site');
    expect(readlinkSync(onDisk('www/site'))).toBe('/releases/1');
    expect(await readlink('/www/site')).toBe('/releases/1');
    expect((await lstat('/www/site')).isSymbolicLink()).toBe(true);
    expect((await stat('/www/site')).isDirectory()).toBe(true);
    expect((await read('/www/site/index.html')).toString()).toBe('one');
    expect(await realpath('/www/site/../1/index.html')).toBe('/www/1/index.html');
    await link('../releases/2', '/www/next');
    await replace('/www/next', '/www/site');
    expect((await read('/www/site/index.html')).toString()).toBe('two');
    expect((await list('/www/site')).map(({ filename }) => filename)).toEqual(['index.html']);
  });

  test('never resolve outside the root folder, nor in a loop', async () => {
    const { read, link, write, list } = await open();
    writeFileSync(join(folder, 'secret'), 'outside');
    await link('../../../../secret', '/up');
    await link(join(folder, 'secret'), '/away');
    await link('/b', '/a');
    await link('/a', '/b');
    for (const path of ['/up', '/away', '/../secret', '/../../secret']) {
      await expect(read(path)).rejects.toMatchObject({ code: 2 });
    }
    await expect(read('/a')).rejects.toMatchObject({ code: 4 });
    await write('/up', 'inside');
    expect(readFileSync(join(folder, 'secret'), 'utf8')).toBe('outside');
    expect(readFileSync(onDisk('secret'), 'utf8')).toBe('inside');
    expect((await list('/..')).map(({ filename }) => filename)).toContain('up');
    expect(lstatSync(onDisk('up')).isSymbolicLink()).toBe(true);
  });
});

describe('a login', () => {
  test('is accepted for a configured user with the right password', async () => {
    await expect(connect('wrong')).rejects.toThrow('authentication');
    await expect(connect('right', 'admin')).rejects.toThrow('authentication');
    ssh.logins.push({ user: 'admin', password: 'other' });
    await connect('other', 'admin');
    expect(ssh.log.map(({ operation, path, outcome }) => [operation, path, outcome])).toEqual([
      ['login', 'root', 'failed'],
      ['login', 'admin', 'failed'],
      ['login', 'admin', 'done'],
    ]);
    expect(JSON.stringify(ssh.log)).not.toMatch(/wrong|right|other/);
  });

  test('gets no shell and no commands', async () => {
    const { client } = await connect();
    await expect(
      promisify(client.exec.bind(client) as (command: string, back: () => void) => void)('id'),
    ).rejects.toThrow('exec');
    await expect(promisify(client.shell.bind(client) as (back: () => void) => void)()).rejects.toThrow(
      'pseudo-terminal',
    );
  });

  test('sees the same host key until the key is changed', async () => {
    const { hostKey } = await connect();
    expect(ssh.hostKey()).toBe(hostKey);
    await ssh.close();
    await start();
    expect((await connect()).hostKey).toBe(hostKey);
    await ssh.changeHostKey();
    const other = (await connect()).hostKey;
    expect(other).not.toBe(hostKey);
    expect(ssh.hostKey()).toBe(other);
    expect(lstatSync(join(folder, 'host-key')).mode & 0o777).toBe(0o600);
  });
});

describe('faults', () => {
  test('can refuse or cut a login', async () => {
    ssh.faults.push({ kind: 'denied', operation: 'login' }, { kind: 'cut-before', operation: 'login' });
    await expect(connect()).rejects.toThrow('authentication');
    await expect(connect()).rejects.toThrow('ECONNRESET');
    await connect();
    expect(ssh.faults).toEqual([]);
  });

  test('can deny permission under a folder while they last', async () => {
    const { write, mkdir, read } = await open();
    mkdirSync(onDisk('closed'));
    ssh.faults.push({ kind: 'denied', under: '/closed', times: Infinity });
    await expect(write('/closed/a', 'x')).rejects.toMatchObject({ code: 3 });
    await expect(mkdir('/closed')).rejects.toMatchObject({ code: 3 });
    await write('/closed-not', 'x');
    ssh.faults.length = 0;
    await write('/closed/a', 'x');
    expect((await read('/closed/a')).toString()).toBe('x');
  });

  test('can cut the connection after a number of operations or bytes', async () => {
    const first = await open();
    ssh.faults.push({ kind: 'cut-before', operation: 'mkdir', after: 2 });
    await first.mkdir('/1');
    await first.mkdir('/2');
    await expect(first.mkdir('/3')).rejects.toThrow('No response');
    expect(existsSync(onDisk('3'))).toBe(false);
    const second = await open();
    ssh.faults.push({ kind: 'cut-before', operation: 'write', afterBytes: 4 });
    await second.write('/a', '12345');
    await expect(second.write('/b', '12345')).rejects.toThrow('closed');
    expect(readFileSync(onDisk('a'), 'utf8')).toBe('12345');
    expect(readFileSync(onDisk('b'), 'utf8')).toBe('');
  });

  test('can perform an operation and lose or spoil its answer', async () => {
    for (const [kind, path] of [
      ['act-then-cut', '/cut'],
      ['malformed', '/malformed'],
    ] as const) {
      const { mkdir } = await open();
      ssh.faults.push({ kind, operation: 'mkdir' });
      await expect(mkdir(path)).rejects.toThrow('No response');
      expect(existsSync(onDisk(path))).toBe(true);
    }
    const { mkdir } = await open();
    ssh.faults.push({ kind: 'failure', operation: 'mkdir' });
    await expect(mkdir('/not')).rejects.toMatchObject({ code: 4 });
    expect(existsSync(onDisk('not'))).toBe(false);
  });
});
