import { createHash, timingSafeEqual } from 'node:crypto';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { mkdir, realpath, rename, writeFile } from 'node:fs/promises';
import { createServer, type AddressInfo, type Socket } from 'node:net';
import ssh2, { type AuthContext, type Connection } from 'ssh2';
import { takeSshFault, type SshEntry, type SshFault } from './ssh/faults.ts';
import { serveSftp, type House } from './ssh/guest.ts';
import { newPair } from './ssh/keys.ts';

// Beyond this the oldest entries are dropped: else a demo that runs for weeks would keep every write.
const LOG_LIMIT = 100_000;

/** A user that can sign in. */
export interface SshLogin {
  user: string;
  password: string;
}

/** Options of the server. Without `hostKeyFile` it has a new host key at every start. */
export interface SshOptions {
  /** The folder on disk that is `/` for all users; created if missing. */
  root: string;
  logins: readonly SshLogin[];
  hostKeyFile?: string;
  port?: number;
}

/** A fake SSH server with SFTP only: no shell, no commands. `faults` and `logins` may be changed at any time. */
export interface Ssh {
  port: number;
  root: string;
  /** The fingerprint that a client sees, as `ssh-ed25519 SHA256:…`. */
  hostKey: () => string;
  /** Changes the host key from the next connection on, as after a reinstallation or an attack in the middle. */
  changeHostKey: () => Promise<void>;
  logins: SshLogin[];
  faults: SshFault[];
  log: SshEntry[];
  /** Latency of what a client sends (ms), and free bytes (undefined: as on disk); may be changed at any time. */
  latencyMs: number;
  freeBytes: bigint | undefined;
  /** Number of chunks of clients, including disconnected ones, that are on their way or being served. */
  underWay: number;
  close: () => Promise<void>;
}

async function writeKey(path: string, key: string): Promise<void> {
  await writeFile(`${path}.part`, key, { mode: 0o600 });
  await rename(`${path}.part`, path);
}

async function firstKey(path: string | undefined): Promise<string> {
  if (path && existsSync(path)) return readFileSync(path, 'utf8');
  const key = newPair().private;
  if (path) await writeKey(path, key);
  return key;
}

function fingerprint(key: string): string {
  const parsed = ssh2.utils.parseKey(key);
  if (parsed instanceof Error) throw parsed;
  const [pair] = [parsed].flat();
  const digest = createHash('sha256')
    .update(pair?.getPublicSSH() ?? '')
    .digest('base64');
  return `${pair?.type} SHA256:${digest.replace(/=+$/, '')}`;
}

const sameText = (a: string, b: string): boolean => {
  const [left, right] = [a, b].map((text) => createHash('sha256').update(text).digest());
  return timingSafeEqual(left as Buffer, right as Buffer);
};

const fits = (logins: readonly SshLogin[], context: AuthContext): boolean =>
  context.method === 'password' &&
  logins.some(({ user, password }) => sameText(user, context.username) && sameText(password, context.password));

/** Accepts or rejects a login. Passwords are not recorded. */
function admit(context: AuthContext, logins: readonly SshLogin[], house: House): void {
  // Clients first ask for the accepted methods.
  if (context.method !== 'password') {
    context.reject(['password']);
    return;
  }
  const entry: SshEntry = { operation: 'login', path: context.username, outcome: 'done' };
  house.record(entry);
  const fault = takeSshFault(house.faults, entry);
  if (fault === 'cut-before' || fault === 'act-then-cut') {
    entry.outcome = 'cut';
    house.cut();
    return;
  }
  if (fault === undefined && fits(logins, context)) {
    context.accept();
    return;
  }
  entry.outcome = 'failed';
  context.reject(['password']);
}

function welcome(connection: Connection, logins: readonly SshLogin[], house: House): void {
  connection.on('authentication', (context) => admit(context, logins, house));
  connection.on('error', () => undefined);
  connection.on('session', (accept) => {
    const session = accept();
    session.on('subsystem', (acceptChannel, reject, { name }) => {
      if (name === 'sftp') serveSftp(acceptChannel(), house);
      else reject();
    });
  });
}

/** Starts the server on loopback. All paths are inside `root`; links can't lead out of it. */
export async function startSsh(options: SshOptions): Promise<Ssh> {
  await mkdir(options.root, { recursive: true, mode: 0o700 });
  const root = await realpath(options.root);
  let key = await firstKey(options.hostKeyFile);
  const logins = [...options.logins];
  const faults: SshFault[] = [];
  const log: SshEntry[] = [];
  const sockets = new Set<Socket>();
  const record = (entry: SshEntry): void => {
    log.push(entry);
    if (log.length > LOG_LIMIT) log.splice(0, LOG_LIMIT / 10);
  };
  const server = createServer({ noDelay: true }, (socket) => {
    sockets.add(socket.once('close', () => sockets.delete(socket)).on('error', () => undefined));
    const house: House = {
      root,
      faults,
      record,
      cut: () => void socket.resetAndDestroy(),
      free: () => made.freeBytes,
      latency: () => made.latencyMs,
      underWay: (by) => void (made.underWay += by),
    };
    // A new Server for each connection, because its host key can't be changed. The ident OpenSSH sets the order of symlink arguments.
    const ssh = new ssh2.Server({ hostKeys: [key], ident: 'OpenSSH_10.0 demo' }, (connection) =>
      welcome(connection, logins, house),
    );
    ssh.injectSocket(socket);
  });
  server.listen({ port: options.port ?? 0, host: '127.0.0.1', backlog: 512 });
  await once(server, 'listening');
  const made: Ssh = {
    latencyMs: 0,
    freeBytes: undefined,
    underWay: 0,
    port: (server.address() as AddressInfo).port,
    root,
    hostKey: () => fingerprint(key),
    changeHostKey: async () => {
      key = newPair().private;
      if (options.hostKeyFile) await writeKey(options.hostKeyFile, key);
    },
    logins,
    faults,
    log,
    close: async () => {
      const closed = once(server, 'close');
      server.close();
      for (const socket of sockets) socket.destroy();
      await closed;
    },
  };
  return made;
}
