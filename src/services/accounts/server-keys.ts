import { note } from '../../../db/audit.ts';
import { transaction } from '../../../db/index.ts';
import { findRow, updateRow } from '../../../db/rows.ts';
import { servers, type ServerRow } from '../../shared/accounts/tables.ts';
import { AppError } from '../../shared/errors.ts';
import type { Message } from '../../shared/i18n/index.ts';
import type { HostKeyDecision } from '../../shared/accounts/host-keys.ts';
import { isAdmin, type Actor } from '../access/scope.ts';
import { pinHostKey, setOtherHostKey } from './rows.ts';
import { findTeamRow } from './team.ts';

const messageForChange = ({ name }: Pick<ServerRow, 'name'>): Message => ({
  key: 'server.host_key_changed',
  params: { name },
});

/** The AppError `refused` for a server of which another host key waits for an admin. */
export function hostKeyChanged(row: Pick<ServerRow, 'name'>): AppError {
  const { key, params } = messageForChange(row);
  return new AppError('refused', key, params, { code: 'host_key_changed' });
}

/**
 * Stores the first host key of a server; returns whether the shown key is the stored one, and none waits for an admin.
 * Called at every contact: of two simultaneous first contacts only one stores its key, and an admin may have decided
 * meanwhile. Throws AppError `conflict` where the host is not the server's any more.
 */
export async function isKnownBy({ id, name, ssh_host }: ServerRow, key: string): Promise<boolean> {
  const row = await transaction(async () => {
    const isNew = (await pinHostKey({ id, ssh_host }, key)) > 0;
    if (isNew) note({ action: 'update', object: 'servers', id, name, after: { host_key: key } });
    return findRow(servers, id);
  });
  // Edited or deleted since its password was read: the password must not go to this host.
  if (row?.ssh_host !== ssh_host) throw new AppError('conflict', 'server.changed_meanwhile');
  return row.host_key === key && row.host_key_seen === null;
}

/** Stores the other host key of a server for an admin to see, unless the host is not the server's any more. */
export async function noteSeen(row: ServerRow, seen: string): Promise<void> {
  await transaction(async () => {
    const isNew = await setOtherHostKey(row, {
      host_key_seen: seen,
      checked_at: new Date().toISOString(),
      check_error: JSON.stringify(messageForChange(row)),
    });
    const { id, name } = row;
    if (isNew > 0) note({ action: 'update', object: 'servers', id, name, after: { host_key_seen: seen } });
  });
}

/**
 * Stores an admin's decision about another host key that a server has shown: it becomes the server's key, or it is
 * dropped and the next contact is judged anew. Throws AppError `forbidden`, `not_found`, and `conflict` where there is
 * nothing to decide or another key was shown meanwhile.
 */
export async function decideHostKey(actor: Actor, id: number, decision: HostKeyDecision): Promise<Message> {
  if (!isAdmin(actor)) throw new AppError('forbidden', 'error.forbidden');
  return transaction(async () => {
    const { name, host_key_seen: seen } = await findTeamRow<ServerRow>('servers', id);
    if (seen === null) throw new AppError('conflict', 'server.no_new_key', { name }, { code: 'no_new_key' });
    const accepted = decision.accept ?? null;
    if (accepted !== null && accepted !== seen) {
      throw new AppError('conflict', 'server.other_key', { name, key: seen }, { code: 'other_key' });
    }
    const decided = accepted === null ? {} : { host_key: accepted };
    await updateRow(servers, id, { ...decided, host_key_seen: null, checked_at: null, check_error: null });
    return { key: accepted === null ? 'server.key_kept' : 'server.key_accepted', params: { name } };
  });
}
