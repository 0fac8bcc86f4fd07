import type { ServerRow } from '../../shared/accounts/tables.ts';
import { config } from '../../lib/config.ts';
import { messageFor } from '../../operations/failure.ts';
import { parseConnectTo, pickDetour } from '../../lib/outgoing/connect-to.ts';
import type { Sftp } from '../../providers/ssh/sftp.ts';
import { hostOf, portOf, serverKind } from '../../shared/accounts/servers.ts';
import { hostKeyChanged, isKnownBy, noteSeen } from './server-keys.ts';
import { watched } from './refusals.ts';
import { findTeamRow, readSecret } from './team.ts';

/** Returns the host and port to connect to: the server's own, or those that the operator has put in their place. */
function placeOf(sshHost: string): { host: string; port: number } {
  const { connectTo } = config();
  const [host, port] = [hostOf(sshHost), portOf(sshHost)];
  const detour = pickDetour(parseConnectTo(connectTo), host, port);
  return { host: detour?.host2 || host, port: detour?.port2 ?? port };
}

/**
 * Opens a server for work; the caller closes it. The key that it shows at the first contact is stored before the
 * password is sent. A server that shows another key gets no password and no work until an admin has decided: AppError
 * `refused` with the code `host_key_changed`, from then on without connecting. Also throws `not_found`,
 * `not_configured` where its password can't be read, and the ProviderErrors of `openSftp`; a refused login is kept in the
 * row and told once.
 */
export async function openServer(id: number, signal?: AbortSignal): Promise<Sftp> {
  const row = await findTeamRow<ServerRow>('servers', id);
  return watched(serverKind, { ...row }, () => connect(row, signal));
}

/** As `openServer`, for a test: it stores its result itself. */
export const openTested = async (id: number, signal: AbortSignal): Promise<Sftp> =>
  connect(await findTeamRow<ServerRow>('servers', id), signal);

async function connect(row: ServerRow, signal?: AbortSignal): Promise<Sftp> {
  if (row.host_key_seen !== null) throw hostKeyChanged(row);
  const secret = readSecret('servers', row.id, row.ssh_password);
  const { openSftp, UntrustedHost } = await import('../../providers/ssh.ts');
  const pinned = async (key: string): Promise<void> => {
    if (!(await isKnownBy(row, key))) throw new UntrustedHost(key);
  };
  try {
    const login = { ...placeOf(row.ssh_host), user: row.ssh_user, secret };
    return await openSftp(login, { hostKey: row.host_key, onHostKey: pinned, signal });
  } catch (error) {
    if (!(error instanceof UntrustedHost)) throw error;
    await noteSeen(row, error.seen);
    throw hostKeyChanged(row);
  }
}

const KEPT_MS = 5 * 60_000;
const known = new Map<string, { key: string | null; until: number }>();

/**
 * Returns the host key of a kind that a server has besides its pinned one; null: none. Asked for once in five minutes: a
 * server counts connections that end before a login against us. Throws `not_found`, and the ProviderErrors of `readHostKey`.
 */
export const hostKeyOfKind = (id: number, kind: string, signal: AbortSignal): Promise<string | null> =>
  lookedUp(id, kind, (read) => read(signal), 'own');

/** As `hostKeyOfKind`, of a server that need not answer: null where it does not. */
export const keyShownBy = (id: number, kind: string, signal: AbortSignal): Promise<string | null> =>
  lookedUp(id, kind, (read) => read(signal).catch(orSilent), 'other');

function orSilent(error: unknown): null {
  if (!messageFor(error)) throw error;
  return null;
}

type Read = (signal: AbortSignal) => Promise<string | null>;

/** `whose`: what is kept of a server that need not answer tells nothing where it has to. */
async function lookedUp(
  id: number,
  kind: string,
  ask: (read: Read) => Promise<string | null>,
  whose: 'own' | 'other',
): Promise<string | null> {
  const { ssh_host, host_key } = await findTeamRow<ServerRow>('servers', id);
  const place = placeOf(ssh_host);
  const name = JSON.stringify([whose, place, host_key, kind]);
  const now = Date.now();
  for (const [old, { until }] of known) if (until < now) known.delete(old);
  const kept = known.get(name);
  if (kept) return kept.key;
  const { readHostKey } = await import('../../providers/ssh.ts');
  const key = await ask((signal) => readHostKey(place, kind, signal));
  known.set(name, { key, until: now + KEPT_MS });
  return key;
}
