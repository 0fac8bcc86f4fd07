import { createHash, timingSafeEqual } from 'node:crypto';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { mkdir, realpath, rename, writeFile } from 'node:fs/promises';
import { createServer, type AddressInfo, type Socket } from 'node:net';
import ssh2, { type AuthContext, type Connection } from 'ssh2';
import { takeSshFault, type SshEntry, type SshFault } from './ssh/faults.ts';
import { serveSftp, type House } from './ssh/guest.ts';

// The oldest lines go, or a demo that runs for weeks would keep every write.
const LOG_LIMIT = 100_000;

/** Who is let in. */
export interface SshLogin {
  user: string;
  password: string;
}

/** How the server is to be. Without a file its host key is new every time. */
export interface SshOptions {
  /** The folder on disk that is `/` for everybody; made where it is missing. */
  root: string;
  logins: readonly SshLogin[];
  hostKeyFile?: string;
  port?: number;
}

/** An SSH server with SFTP in small: no shell, no commands. `faults` and `logins` may be changed at any time. */
export interface Ssh {
  port: number;
  root: string;
  /** As `ssh-ed25519 SHA256:…`, what a client sees. */
  hostKey: () => string;
  /** Has another host key from the next connection on, as after a reinstallation, or as of somebody in between. */
  changeHostKey: () => Promise<void>;
  logins: SshLogin[];
  faults: SshFault[];
  log: SshEntry[];
  /** How long what a client sends is under way (ms), and how many bytes are free; may be changed at any time. */
  latencyMs: number;
  freeBytes: bigint | undefined;
  /** How many packets of clients, gone ones too, are on their way or being served. */
  underWay: number;
  close: () => Promise<void>;
}

/** Made until it can be read: ssh2 cuts a zero off where a key begins with one, as one of 256 does. */
function newKey(): string {
  for (;;) {
    const key = ssh2.utils.generateKeyPairSync('ed25519').private;
    if (!(ssh2.utils.parseKey(key) instanceof Error)) return key;
  }
}

async function writeKey(path: string, key: string): Promise<void> {
  await writeFile(`${path}.part`, key, { mode: 0o600 });
  await rename(`${path}.part`, path);
}

async function firstKey(path: string | undefined): Promise<string> {
  if (path && existsSync(path)) return readFileSync(path, 'utf8');
  const key = newKey();
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

/** Lets a guest in or not. What was typed as a password is kept nowhere. */
function admit(context: AuthContext, logins: readonly SshLogin[], house: House): void {
  // The first question of every client: what may I try?
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

/** Starts the server on loopback. Its paths lie in `root`, links included; nobody gets out of it. */
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
    // A server for each connection, because the host key of one can't be changed. OpenSSH's name settles how links are sent.
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
      key = newKey();
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
