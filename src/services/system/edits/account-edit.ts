import type { AccountChange, AccountView } from '../../../shared/accounts/kind.ts';
import type { Kind } from '../../../shared/accounts/kinds.ts';
import { AppError } from '../../../shared/errors.ts';
import type { Message } from '../../../shared/i18n/index.ts';
import type { Was } from '../../../shared/stale.ts';
import { isAdmin, type Actor } from '../../access/scope.ts';
import { checkEditable, type EditOptions } from '../../accounts/account-settings.ts';
import { updateAccount } from '../../accounts/accounts.ts';
import { listServerHosts } from '../../accounts/rows.ts';
import type { SecretsShown } from '../../accounts/team.ts';
import { serversOf } from '../../portfolio/folder-claims.ts';
import { listFolders } from '../../portfolio/folder-rows.ts';
import { refusedAt } from '../../portfolio/folders.ts';

/**
 * Throws AppError `refused` where a server's row must not get another host: the folder of one of its domains is another
 * holder's there.
 */
async function refuseHost(actor: Actor, id: number, ssh_host: string): Promise<void> {
  const folders = await listFolders([id]);
  const hosts = await listServerHosts();
  const moved = hosts.map((host) => (host.id === id ? { ...host, ssh_host, host_key: null } : host));
  const at = { id: 0, domain_name: '', server_id: id, file_path: '/' };
  const here = new Set(serversOf(at, hosts));
  const there = serversOf(at, moved).filter((server) => !here.has(server));
  if (folders.length === 0 || there.length === 0) return;
  const wanted = folders.map(({ id: domain, domain: domain_name, path: file_path, holder }) => ({
    place: { id: domain, domain_name, file_path, server_id: id },
    holder,
  }));
  const refused = await refusedAt(actor, there, wanted);
  if (refused.length === 0) return;
  // The domains of a server are not all the caller's.
  const told = refused.find(({ held }) => isAdmin(actor) || held.holder === actor.id)?.error;
  const details = { code: 'path_shared', fields: { ssh_host: 'server.folders_taken' } };
  throw new AppError('refused', told?.key ?? 'server.folders_taken', told?.params ?? {}, details);
}

const approvedFor = (actor: Actor, kind: Kind, id: number): Required<Pick<EditOptions, 'approve'>> => ({
  approve: async (before, { ssh_host }) => {
    if (kind.noun === 'server' && ssh_host !== undefined && ssh_host !== before['ssh_host']) {
      await refuseHost(actor, id, ssh_host);
    }
  },
});

/** As `updateAccount`; a server gets no host on which its domains' folders are other holders'. */
export const editAccount = <K extends Kind>(
  actor: Actor,
  kind: K,
  id: number,
  change: AccountChange<K>,
  shown: SecretsShown,
  was?: Was,
): Promise<AccountView<K, Message>> =>
  updateAccount(actor, kind, id, change, shown, { was, ...approvedFor(actor, kind, id) });

/** Throws what `editAccount` would throw, and changes nothing. */
export const checkAccountEdit = <K extends Kind>(
  actor: Actor,
  kind: K,
  id: number,
  change: AccountChange<K>,
): Promise<void> => checkEditable(actor, kind, id, change, approvedFor(actor, kind, id));
