import { connect, type Socket } from 'node:net';
import ssh2, { type AnyAuthMethod, type Client, type ConnectConfig, type SFTPWrapper } from 'ssh2';
import { ProviderError } from '../provider-error.ts';
import { connectionError, refusedLogin, silence } from './answers.ts';
import { algorithmsFor, algorithmsOf, hostKeyOf } from './host-key.ts';
import { isPrivateKey, parsePrivateKey } from './private-key.ts';
import { sessionOf, type Session } from './session.ts';

const CONNECT_MS = 10_000;
const KEEPALIVE_MS = 10_000;

/** A login at a server. `secret` is a password, or a private key in PEM without a passphrase. */
export interface SshLogin {
  host: string;
  port: number;
  user: string;
  secret: string;
}

/** Options of a session, among them the check of the host key. */
export interface SshOptions {
  /** The pinned host key; null: accept any, at the first contact. */
  hostKey: string | null;
  /** The only kind of host key that is asked for: `ssh-rsa`. */
  kind?: string;
  /** Called with the key once the host has proven that it owns it, before anything secret is sent. If it throws, nothing is sent. */
  onHostKey?: (key: string) => void | Promise<void>;
  /** Ends the session, at any time. */
  signal?: AbortSignal | undefined;
  /** Timeout in ms of a silent server while a request waits; default 30 s. */
  answerMs?: number;
}

/** The host has shown another key (`seen`) than the pinned one; nothing secret was sent. */
export class UntrustedHost extends ProviderError {
  readonly seen: string;

  constructor(seen: string) {
    super('untrusted', seen, { code: 'host_key_changed' });
    this.seen = seen;
  }
}

/** Signs in and opens SFTP. */
export async function logIn(
  login: SshLogin,
  options: SshOptions,
): Promise<{ session: Session; sftp: SFTPWrapper; hostKey: string }> {
  const methods = methodsOf(login);
  const socket = await reach(login, options.signal);
  const client = new ssh2.Client();
  const session = sessionOf(client, socket, options);
  let hostKey: string | null = null;
  const config: ConnectConfig = {
    sock: socket,
    username: login.user,
    // The session has its own timeout.
    readyTimeout: 0,
    keepaliveInterval: KEEPALIVE_MS,
    algorithms: { serverHostKey: keysOf(options), compress: ['none'] },
    // Called within each key exchange: the host key must stay the same.
    hostVerifier: (blob: Buffer): boolean => {
      const seen = hostKeyOf(blob);
      const known = hostKey ?? options.hostKey;
      if (known !== null && known !== seen) session.fail(new UntrustedHost(seen));
      else hostKey = seen;
      return hostKey === seen;
    },
    authHandler: (left, _partial, next) => {
      void (async () => {
        // The first call comes after the host has signed the key exchange.
        if (left === null) await options.onHostKey?.(hostKey ?? '');
        const method = methods(left);
        if (method) next(method);
        else session.fail(refusedLogin());
      })().catch(session.fail);
    },
  };
  client.on('change password', () => session.fail(refusedLogin('the password has expired')));
  await session.ask<void>('login', (done) => client.once('ready', () => done()).connect(config));
  session.welcome();
  const sftp = await openSubsystem(client, session);
  return { session, sftp, hostKey: hostKey ?? '' };
}

const keysOf = ({ hostKey, kind }: SshOptions) => (kind === undefined ? algorithmsFor(hostKey) : algorithmsOf(kind));

/** Connects. Throws `unavailable` if the server can't be reached within ten seconds. */
async function reach({ host, port }: SshLogin, signal: AbortSignal | undefined): Promise<Socket> {
  signal?.throwIfAborted();
  const socket = connect({ host, port, noDelay: true });
  try {
    await new Promise<void>((resolve, reject) => {
      const timer = setTimeout(() => reject(silence()), CONNECT_MS);
      const abort = (): void => reject(signal?.reason);
      signal?.addEventListener('abort', abort);
      const ended = (): void => {
        clearTimeout(timer);
        signal?.removeEventListener('abort', abort);
      };
      socket.once('connect', () => resolve(ended()));
      socket.once('error', (error) => reject(connectionError(Object.assign(error, { level: 'client-socket' }))));
      socket.once('close', ended);
    });
  } catch (error) {
    socket.destroy();
    throw error;
  }
  return socket;
}

/**
 * Makes a function that returns the next method to sign in, or null. A wrong password is tried once: keyboard-interactive is
 * only for servers that do not offer the method password.
 */
function methodsOf({ user: username, secret }: SshLogin): (left: readonly string[] | null) => AnyAuthMethod | null {
  if (isPrivateKey(secret)) {
    const key = parsePrivateKey(secret);
    return (left) => (left === null ? { type: 'publickey', username, key } : null);
  }
  let isAsked = false;
  return (left) => {
    if (left === null) return { type: 'password', username, password: secret };
    if (isAsked || left.includes('password') || !left.includes('keyboard-interactive')) return null;
    isAsked = true;
    return { type: 'keyboard-interactive', username, prompt: answerOnce(secret) };
  };
}

/** Answers the first hidden prompt with the password, and all others with an empty text. */
function answerOnce(secret: string) {
  let answer = secret;
  return (
    _name: string,
    _instructions: string,
    _language: string,
    prompts: { echo?: boolean }[],
    finish: (answers: string[]) => void,
  ): void => {
    finish(
      prompts.map(({ echo }) => {
        if (echo === true) return '';
        const given = answer;
        answer = '';
        return given;
      }),
    );
  };
}

async function openSubsystem(client: Client, session: Session): Promise<SFTPWrapper> {
  let sftp: SFTPWrapper;
  try {
    sftp = await session.ask<SFTPWrapper>('sftp', (done) => client.sftp(done));
  } catch (error) {
    // The login was accepted: a refusal here concerns SFTP.
    const isRefused = error instanceof ProviderError && error.kind === 'refused';
    const reason = isRefused ? new ProviderError('refused', 'no SFTP at this server', { code: 'no_sftp' }) : error;
    session.fail(reason);
    throw reason;
  }
  sftp.on('error', (error: Error) => session.fail(connectionError(error)));
  sftp.on('close', () => session.fail(connectionError(new Error('Connection lost'))));
  return sftp;
}
