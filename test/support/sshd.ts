// A real OpenSSH on loopback, with keys of its own.
import { execFileSync, spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { createHash, randomBytes } from 'node:crypto';
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { newPair } from '../../src/demo/ssh/keys.ts';
import type { SshLogin } from '../../src/providers/ssh.ts';
import { findProgram } from './programs.ts';

/** The folder in which the product expects a server's sites. */
export const WEB_ROOT = '/var/www/www-root/data/www';

/** Whether users can be created here, and with them password logins. */
export const isRoot = process.getuid?.() === 0;

/** Returns the system's sshd, installing it as root on Debian; else a message on how to install it. */
export const findSshd = (): { path: string } | { missing: string } =>
  findProgram({
    places: ['/usr/sbin/sshd', '/usr/local/sbin/sshd', '/usr/bin/sshd'],
    debian: 'openssh-server',
    howTo: 'needs the OpenSSH server: apt-get install openssh-server',
  });

/** The options of the server. */
export interface SshdOptions {
  /** Confines logins to the root folder, which needs root; WEB_ROOT then exists. Default: if tests run as root. */
  chroot?: boolean;
  /** Accepts passwords by keyboard-interactive only, through PAM. */
  keyboard?: boolean;
  /** Additional lines of its configuration. */
  config?: string[];
  /** Logs less and is faster; `attempts` then counts nothing. */
  quiet?: boolean;
}

/** A running sshd. */
export interface Sshd {
  port: number;
  /** Returns the current host key as `ssh-ed25519 SHA256:…`. */
  hostKey: () => string;
  /** The login of the running user by key. */
  login: SshLogin;
  /** Returns a password login of a throw-away user; only if tests run as root. */
  passwordLogin: () => SshLogin;
  /** The path as seen by SFTP (`remote`) and on the local disk (`local`). */
  remote: (path: string) => string;
  local: (path: string) => string;
  /** Returns the number of sign-in attempts since the start. */
  attempts: () => number;
  log: () => string;
  changeHostKey: () => Promise<void>;
  close: () => Promise<void>;
}

/** Returns a port that was free a moment ago. */
async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}

/** From OpenSSH 9.8 on, wrong passwords make sshd ignore the client for a while. */
function hasPenalties(sshd: string): boolean {
  const { stderr } = spawnSync(sshd, ['-V'], { encoding: 'utf8' });
  const [, major = '0', minor = '0'] = /OpenSSH_(\d+)\.(\d+)/.exec(stderr) ?? [];
  return Number(major) * 100 + Number(minor) >= 908;
}

function configOf(sshd: string, folder: string, root: string, port: number, options: SshdOptions): string {
  const isChroot = options.chroot ?? isRoot;
  return [
    ...(hasPenalties(sshd) ? ['PerSourcePenalties no'] : []),
    `Port ${port}`,
    'ListenAddress 127.0.0.1',
    `HostKey ${join(folder, 'host_key')}`,
    `PidFile none`,
    `AuthorizedKeysFile ${join(folder, 'authorized_keys')}`,
    'StrictModes no',
    'PermitRootLogin yes',
    `UsePAM ${options.keyboard ? 'yes' : 'no'}`,
    `PasswordAuthentication ${options.keyboard ? 'no' : 'yes'}`,
    `KbdInteractiveAuthentication ${options.keyboard ? 'yes' : 'no'}`,
    'Subsystem sftp internal-sftp',
    ...(isChroot ? [`ChrootDirectory ${root}`] : []),
    `LogLevel ${options.quiet ? 'INFO' : 'DEBUG1'}`,
    'MaxStartups 100',
    'UseDNS no',
    ...(options.config ?? []),
    '',
  ].join('\n');
}

/** Creates a host key and returns its displayed form. */
function makeHostKey(folder: string): string {
  const pair = newPair();
  writeFileSync(join(folder, 'host_key'), pair.private, { mode: 0o600 });
  const blob = Buffer.from(pair.public.split(' ')[1] ?? '', 'base64');
  return `ssh-ed25519 SHA256:${createHash('sha256').update(blob).digest('base64').replace(/=+$/, '')}`;
}

/** Creates a system user, who is removed with the server. */
function makeUser(): { user: string; secret: string } {
  const user = `seo-test-${randomBytes(4).toString('hex')}`;
  const secret = randomBytes(12).toString('base64url');
  execFileSync('/usr/sbin/useradd', ['--no-create-home', '--shell', '/bin/sh', user]);
  execFileSync('/usr/sbin/chpasswd', [], { input: `${user}:${secret}\n` });
  return { user, secret };
}

/** Starts an sshd with a root folder that contains WEB_ROOT, in which everyone may write. */
export async function startSshd(options: SshdOptions = {}): Promise<Sshd> {
  const found = findSshd();
  if ('missing' in found) throw new Error(found.missing);
  const isChroot = options.chroot ?? isRoot;
  const folder = mkdtempSync(join(tmpdir(), 'seo-admin-sshd-'));
  // A chroot must be owned by root all the way up, which /tmp is not.
  const root = mkdtempSync(join(isChroot ? '/var/lib' : tmpdir(), 'seo-admin-ssh-root-'));
  chmodSync(root, 0o755);
  mkdirSync(join(root, WEB_ROOT), { recursive: true });
  chmodSync(join(root, WEB_ROOT), 0o777);
  if (isRoot) mkdirSync('/run/sshd', { recursive: true, mode: 0o755 });
  const port = await freePort();
  const log = join(folder, 'log');
  const read = (): string => (existsSync(log) ? readFileSync(log, 'utf8') : '');
  const identity = newPair();
  let hostKey = makeHostKey(folder);
  writeFileSync(join(folder, 'authorized_keys'), `${identity.public}\n`, { mode: 0o644 });
  chmodSync(folder, 0o755);
  writeFileSync(join(folder, 'sshd_config'), configOf(found.path, folder, root, port, options));

  let child: ChildProcess;
  const start = async (): Promise<void> => {
    const earlier = read().length;
    child = spawn(found.path, ['-D', '-f', join(folder, 'sshd_config'), '-E', log], { stdio: 'ignore' });
    for (let tries = 0; !read().slice(earlier).includes('Server listening on'); tries += 1) {
      if (tries > 5_000 || child.exitCode !== null) throw new Error(`sshd does not start: ${read()}`);
      await sleep(20);
    }
  };
  const stop = async (): Promise<void> => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    const ended = new Promise((resolve) => child.once('exit', resolve));
    child.kill('SIGKILL');
    await ended;
  };
  let made: { user: string; secret: string } | null = null;
  await start();
  return {
    port,
    hostKey: () => hostKey,
    login: { host: '127.0.0.1', port, user: userInfo().username, secret: identity.private },
    passwordLogin: () => ({ host: '127.0.0.1', port, ...(made ??= makeUser()) }),
    remote: (path) => (isChroot ? path : join(root, path)),
    local: (path) => join(root, path),
    attempts: () => read().split('userauth-request for user').length - 1,
    log: read,
    changeHostKey: async () => {
      await stop();
      hostKey = makeHostKey(folder);
      await start();
    },
    close: async () => {
      await stop();
      if (made) execFileSync('/usr/sbin/userdel', ['--force', made.user], { stdio: 'ignore' });
      for (const path of [folder, root]) rmSync(path, { recursive: true, force: true });
    },
  };
}
