import { measuringCall } from '../lib/measures.ts';
import { redacting, redactorOf } from '../lib/redactor.ts';
import { algorithmsOf } from './ssh/host-key.ts';
import { logIn, type SshLogin, type SshOptions } from './ssh/login.ts';
import { ProviderError } from './provider-error.ts';
import { isPrivateKey } from './ssh/private-key.ts';
import type { Sftp } from './ssh/sftp.ts';
import { filesOf } from './ssh/files.ts';

export { UntrustedHost, type SshLogin } from './ssh/login.ts';

/**
 * Signs in to a server. The host's key is compared before anything secret is sent. Throws ProviderError: `credentials`,
 * `untrusted` (UntrustedHost) for another key than `hostKey`, `unavailable`, `malformed`, `refused` if there is no SFTP.
 * Errors contain the secret only as part of a path given by the caller: there it is a public name, too.
 */
export async function openSftp(login: SshLogin, options: SshOptions): Promise<Sftp> {
  const redactor = redactorOf(secretsOf(login));
  const spared = (): unknown => options.signal?.reason as unknown;
  const open = redacting({ logIn: () => logIn(login, options) }, redactor, { spared });
  const { session, sftp, hostKey } = await measuringCall('ssh', open.logIn, options.signal);
  return {
    hostKey,
    ...redacting(filesOf(session, sftp), redactor, { ownIn: (args) => args.flat().filter(isText), spared }),
    close: session.close,
  };
}

/**
 * Returns the host key of one kind that a host shows and proves to own; null: it has none of that kind. Signs in nowhere
 * and sends nothing secret. Throws ProviderError where the host does not answer, or not as SSH.
 */
export async function readHostKey(
  { host, port }: Pick<SshLogin, 'host' | 'port'>,
  kind: string,
  signal: AbortSignal,
): Promise<string | null> {
  if (algorithmsOf(kind).length === 0) return null;
  const enough = new Error('the key is known');
  let shown: string | null = null;
  const onHostKey = (key: string): void => {
    shown = key;
    throw enough;
  };
  const look = async (): Promise<string | null> => {
    try {
      await logIn({ host, port, user: '', secret: '' }, { hostKey: null, kind, onHostKey, signal });
    } catch (error) {
      const hasNone = error instanceof ProviderError && error.code === 'no_algorithm';
      if (error !== enough && !hasNone) throw error;
    }
    return shown;
  };
  return measuringCall('ssh', look, signal);
}

const isText = (value: unknown): value is string => typeof value === 'string';

// A server may repeat single lines of a key.
const secretsOf = ({ secret }: SshLogin): string[] => [
  secret,
  ...(isPrivateKey(secret)
    ? secret.split(/\s*\n\s*/).filter((line) => line.length > 30 && !line.startsWith('-----'))
    : []),
];
