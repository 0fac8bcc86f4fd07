import { current, select, transaction } from '../../db/index.ts';
import { Server } from '../../db/models/index.ts';
import type { ServerRow } from '../shared/accounts.ts';
import { AppError } from '../shared/errors.ts';
import type { ServerChange, ServerInput, ServerView } from '../shared/servers.ts';
import type { Actor } from './scope.ts';
import {
  canEdit,
  findOwnTeamRow,
  newSecret,
  requireSecret,
  shownSecret,
  SSH_PASSWORD,
  storeSecret,
  type SecretsShown,
} from './team.ts';

const DOMAINS = '(SELECT COUNT(*) FROM domains d WHERE d.server_id = s.id AND d.deleted_at IS NULL) AS domains';

async function views(actor: Actor, shown: SecretsShown, condition = '1', bind = {}): Promise<ServerView[]> {
  const rows = await select<ServerRow & { domains: number }>(
    `SELECT s.*, ${DOMAINS} FROM servers s WHERE ${condition} ORDER BY s.name COLLATE NOCASE, s.id`,
    bind,
  );
  return rows.map((row) => ({
    id: row.id,
    name: row.name,
    ssh_host: row.ssh_host,
    ssh_user: row.ssh_user,
    ssh_password: shownSecret(actor, shown, SSH_PASSWORD, row, row.ssh_password),
    created_at: row.created_at,
    domains: row.domains,
    can_edit: canEdit(actor, row),
  }));
}

/** Every server, by name; passwords as the caller may see them. */
export const listServers = (actor: Actor, shown: SecretsShown): Promise<ServerView[]> => views(actor, shown);

async function viewOf(actor: Actor, id: number, shown: SecretsShown): Promise<ServerView> {
  const [view] = await views(actor, shown, 's.id = $id', { id });
  if (!view) throw new Error(`server ${id} is not there`);
  return view;
}

/** Adds a server that belongs to the actor. */
export async function createServer(actor: Actor, input: ServerInput, shown: SecretsShown): Promise<ServerView> {
  const password = requireSecret('ssh_password', input.ssh_password);
  return transaction(async () => {
    const server = await Server.create(
      { ...input, ssh_password: '', user_id: actor.id, created_at: new Date().toISOString() },
      { transaction: current() },
    );
    const id = server.getDataValue('id');
    await storeSecret(SSH_PASSWORD, id, password);
    return viewOf(actor, id, shown);
  });
}

/**
 * Edits a server; what is absent stays. A new host needs the password again: else who may edit a row without knowing its
 * password could have it sent to a machine of their own.
 */
export async function updateServer(
  actor: Actor,
  id: number,
  { ssh_password, ...change }: ServerChange,
  shown: SecretsShown,
): Promise<ServerView> {
  const password = newSecret(ssh_password);
  return transaction(async () => {
    const before = await findOwnTeamRow<ServerRow>(actor, 'servers', id);
    if (change.ssh_host !== undefined && change.ssh_host !== before.ssh_host && password === undefined) {
      const fields = { ssh_password: 'server.password_again' };
      throw new AppError('invalid', 'error.invalid', { fields: 'ssh_password' }, { fields });
    }
    await Server.update(change, { where: { id }, transaction: current() });
    if (password !== undefined) await storeSecret(SSH_PASSWORD, id, password);
    return viewOf(actor, id, shown);
  });
}
