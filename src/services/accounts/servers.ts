import { transaction } from '../../../db/index.ts';
import type { ServerRow } from '../../shared/accounts/tables.ts';
import { insertRow, updateRow } from '../../../db/rows.ts';
import { servers } from '../../shared/accounts/tables.ts';
import type { Config } from '../../lib/config.ts';
import { asAppError } from '../../operations/failure.ts';
import { parseConnectTo, pickDetour } from '../../providers/health/connect-to.ts';
import type { Sftp } from '../../providers/ssh/sftp.ts';
import type { Message } from '../../shared/i18n/index.ts';
import { AppError } from '../../shared/errors.ts';
import { hostOf, portOf, type ServerChange, type ServerInput, type ServerView } from '../../shared/accounts/servers.ts';
import type { Actor } from '../access/scope.ts';
import { listServerRows } from './rows.ts';
import { hostKeyChanged, isKnownBy, noteSeen } from './server-keys.ts';
import {
  canEdit,
  findOwnTeamRow,
  findTeamRow,
  newSecret,
  readSecret,
  requireSecret,
  shownSecret,
  storeSecret,
  storedMessage,
  type SecretsShown,
} from './team.ts';

async function views(actor: Actor, shown: SecretsShown, only?: number): Promise<ServerView<Message>[]> {
  const rows = await listServerRows(only);
  return rows.map((row) => ({
    id: row.id,
    name: row.name,
    ssh_host: row.ssh_host,
    ssh_user: row.ssh_user,
    ssh_password: shownSecret(actor, shown, 'servers', row, row.ssh_password),
    created_at: row.created_at,
    host_key: row.host_key,
    host_key_seen: row.host_key_seen,
    checked_at: row.checked_at,
    check_error: storedMessage(row.check_error),
    domains: row.domains,
    can_edit: canEdit(actor, row),
  }));
}

/** Returns every server, by name; passwords as the caller may see them. */
export const listServers = (actor: Actor, shown: SecretsShown): Promise<ServerView<Message>[]> => views(actor, shown);

/** Returns a server by its id, as it is listed. Throws Error where there is none. */
export async function viewOf(actor: Actor, id: number, shown: SecretsShown): Promise<ServerView<Message>> {
  const [view] = await views(actor, shown, id);
  if (!view) throw new Error(`server ${id} is not there`);
  return view;
}

/**
 * Throws AppError `invalid` for a private key that can't be used unattended, so that it is reported where it is typed
 * and not at the first deployment.
 */
async function checkSecret(secret: string | undefined): Promise<void> {
  if (secret === undefined || !/^\s*-----BEGIN /.test(secret)) return;
  const { parsePrivateKey } = await import('../../providers/ssh/private-key.ts');
  try {
    parsePrivateKey(secret);
  } catch (error) {
    const known = asAppError(error);
    if (!(known instanceof AppError)) throw error;
    throw new AppError('invalid', 'error.invalid', { fields: 'ssh_password' }, { fields: { ssh_password: known.key } });
  }
}

// Host keys belong to one host only.
const FORGOTTEN = { host_key: null, host_key_seen: null };
const UNCHECKED = { checked_at: null, check_error: null };

/**
 * Adds a server that belongs to the actor. Throws AppError `invalid` for the mask, and for a private key that can't be
 * used.
 */
export async function createServer(
  actor: Actor,
  input: ServerInput,
  shown: SecretsShown,
): Promise<ServerView<Message>> {
  const password = requireSecret('ssh_password', input.ssh_password);
  await checkSecret(password);
  return transaction(async () => {
    const created_at = new Date().toISOString();
    const id = await insertRow(servers, { ...input, ssh_password: '', user_id: actor.id, created_at });
    await storeSecret('servers', id, password);
    return viewOf(actor, id, shown);
  });
}

/**
 * Edits a server; what is absent stays. A new host needs the password again: otherwise a user who may edit the row
 * without knowing its password could have it sent to a machine of their own. The stored host key is deleted with it.
 */
export async function updateServer(
  actor: Actor,
  id: number,
  { ssh_password, ...change }: ServerChange,
  shown: SecretsShown,
): Promise<ServerView<Message>> {
  const password = newSecret(ssh_password);
  await checkSecret(password);
  return transaction(async () => {
    const before = await findOwnTeamRow<ServerRow>(actor, 'servers', id);
    const isNewHost = change.ssh_host !== undefined && change.ssh_host !== before.ssh_host;
    const isNewUser = change.ssh_user !== undefined && change.ssh_user !== before.ssh_user;
    if (isNewHost && password === undefined) {
      const fields = { ssh_password: 'server.password_again' };
      throw new AppError('invalid', 'error.invalid', { fields: 'ssh_password' }, { fields });
    }
    const isNewLogin = isNewHost || isNewUser || password !== undefined;
    const told = { ...(isNewHost && FORGOTTEN), ...(isNewLogin && UNCHECKED) };
    await updateRow(servers, id, { ...change, ...told });
    if (password !== undefined) await storeSecret('servers', id, password);
    return viewOf(actor, id, shown);
  });
}

/** Returns the host and port to connect to: the server's own, or those that the operator has put in their place. */
function placeOf({ connectTo }: Config, sshHost: string): { host: string; port: number } {
  const [host, port] = [hostOf(sshHost), portOf(sshHost)];
  const detour = pickDetour(parseConnectTo(connectTo), host, port);
  return { host: detour?.host2 || host, port: detour?.port2 ?? port };
}

/**
 * Opens a server for work; the caller closes it. The key that it shows at the first contact is stored before the
 * password is sent. A server that shows another key gets no password and no work until an admin has decided: AppError
 * `refused` with the code `host_key_changed`, from then on without connecting. Also throws `not_found`,
 * `not_configured` where its password can't be read, and the ProviderErrors of `openSftp`.
 */
export async function openServer(config: Config, id: number, signal?: AbortSignal): Promise<Sftp> {
  const row = await findTeamRow<ServerRow>('servers', id);
  if (row.host_key_seen !== null) throw hostKeyChanged(row);
  const secret = readSecret('servers', id, row.ssh_password);
  const { openSftp, UntrustedHost } = await import('../../providers/ssh.ts');
  const pinned = async (key: string): Promise<void> => {
    if (!(await isKnownBy(row, key))) throw new UntrustedHost(key);
  };
  try {
    const login = { ...placeOf(config, row.ssh_host), user: row.ssh_user, secret };
    return await openSftp(login, { hostKey: row.host_key, onHostKey: pinned, signal });
  } catch (error) {
    if (!(error instanceof UntrustedHost)) throw error;
    await noteSeen(row, error.seen);
    throw hostKeyChanged(row);
  }
}
