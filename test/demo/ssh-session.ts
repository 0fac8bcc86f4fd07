// Shared parts of the tests of the minimal SSH server: the server, and sessions of it.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { createHash } from 'node:crypto';
import ssh2, { type SFTPWrapper } from 'ssh2';
import { afterEach, beforeEach } from 'vitest';
import { startSsh, type Ssh, type SshOptions } from '../../src/demo/ssh.ts';

/** The folder of the running test. */
export let folder: string;
/** The server of the running test. */
export let ssh: Ssh;
let clients: ssh2.Client[] = [];
/** Starts a server with the login `root`, `right` for each test. */
export function useSsh(): void {
  beforeEach(async () => {
    folder = mkdtempSync(join(tmpdir(), 'demo-ssh-'));
    await start();
  });
  afterEach(async () => {
    for (const client of clients) client.destroy();
    clients = [];
    await ssh.close();
    rmSync(folder, { recursive: true });
  });
}

/** Starts another server on the same tree. */
export async function start(options: Partial<SshOptions> = {}): Promise<void> {
  const hostKeyFile = join(folder, 'host-key');
  ssh = await startSsh({
    root: join(folder, 'tree'),
    logins: [{ user: 'root', password: 'right' }],
    hostKeyFile,
    ...options,
  });
}

/** A path of the server on this disk. */
export const onDisk = (path: string): string => join(ssh.root, path);

interface Session {
  client: ssh2.Client;
  sftp: SFTPWrapper;
  hostKey: string;
}

/** Signs in and opens SFTP. */
export function connect(password = 'right', user = 'root'): Promise<Session> {
  const client = new ssh2.Client();
  clients.push(client);
  let hostKey = '';
  return new Promise((resolve, reject) => {
    client.on('error', reject);
    client.on('close', () => reject(new Error('closed')));
    client.on('ready', () => {
      client.sftp((error, sftp) => (error ? reject(error) : resolve({ client, sftp, hostKey })));
    });
    client.on('connect', () => client.setNoDelay(true));
    client.connect({
      host: '127.0.0.1',
      port: ssh.port,
      username: user,
      password,
      hostVerifier: (key: Buffer) => {
        hostKey = `ssh-ed25519 SHA256:${createHash('sha256').update(key).digest('base64').replace(/=+$/, '')}`;
        return true;
      },
    });
  });
}

/** Wraps the callbacks of ssh2 in promises. */
export async function open(): Promise<ReturnType<typeof promised> & Session> {
  const session = await connect();
  return { ...session, ...promised(session.sftp) };
}

function promised(sftp: SFTPWrapper) {
  return {
    write: (path: string, content: string | Buffer): Promise<void> =>
      new Promise((resolve, reject) => {
        sftp.writeFile(path, content, (error) => (error ? reject(error) : resolve()));
        sftp.once('close', () => reject(new Error('closed')));
      }),
    read: (path: string): Promise<Buffer> =>
      new Promise((resolve, reject) =>
        sftp.readFile(path, (error, content) => (error ? reject(error) : resolve(content))),
      ),
    mkdir: promisify(sftp.mkdir.bind(sftp)),
    rmdir: promisify(sftp.rmdir.bind(sftp)),
    unlink: promisify(sftp.unlink.bind(sftp)),
    rename: promisify(sftp.rename.bind(sftp)),
    replace: promisify(sftp.ext_openssh_rename.bind(sftp)),
    link: promisify(sftp.symlink.bind(sftp)),
    readlink: promisify(sftp.readlink.bind(sftp)),
    realpath: promisify(sftp.realpath.bind(sftp)),
    list: promisify(sftp.readdir.bind(sftp)),
    stat: promisify(sftp.stat.bind(sftp)),
    lstat: promisify(sftp.lstat.bind(sftp)),
  };
}
