import { execute, select, transaction } from '../../../db/index.ts';
import type { CloudflareGroupRow } from '../../shared/accounts/tables.ts';
import { insertRow } from '../../../db/rows.ts';
import { cloudflareGroups } from '../../shared/accounts/tables.ts';
import type {
  CloudflareGroupChange,
  CloudflareGroupInput,
  CloudflareGroupView,
} from '../../shared/accounts/cloudflare-groups.ts';
import { unknownReference } from '../../shared/errors.ts';
import type { Actor } from '../access/scope.ts';
import { canEdit, findOwnTeamRow } from './team.ts';

async function views(actor: Actor, condition = '1', bind = {}): Promise<CloudflareGroupView[]> {
  const rows = await select<CloudflareGroupRow & { accounts: string }>(
    `SELECT g.*, (
       SELECT json_group_array(json_object('id', id, 'name', name)) FROM (
         SELECT c.id, c.name FROM cloudflare_group_accounts m
         JOIN cloudflare_accounts c ON c.id = m.cloudflare_account_id
         WHERE m.cloudflare_group_id = g.id ORDER BY c.name COLLATE NOCASE, c.id)
     ) AS accounts
     FROM cloudflare_groups g WHERE ${condition} ORDER BY g.name COLLATE NOCASE, g.id`,
    bind,
  );
  return rows.map((row) => ({
    id: row.id,
    name: row.name,
    accounts: JSON.parse(row.accounts) as CloudflareGroupView['accounts'],
    can_edit: canEdit(actor, row),
  }));
}

/** Returns every group with its accounts, by name. */
export const listCloudflareGroups = (actor: Actor): Promise<CloudflareGroupView[]> => views(actor);

async function viewOf(actor: Actor, id: number): Promise<CloudflareGroupView> {
  const [view] = await views(actor, 'g.id = $id', { id });
  if (!view) throw new Error(`group ${id} is not there`);
  return view;
}

async function setAccounts(id: number, accounts: number[]): Promise<void> {
  const known = await select('SELECT id FROM cloudflare_accounts WHERE id IN (SELECT value FROM json_each($ids))', {
    ids: JSON.stringify(accounts),
  });
  if (known.length < accounts.length) throw unknownReference('accounts');
  await execute('DELETE FROM cloudflare_group_accounts WHERE cloudflare_group_id = $id', { id });
  await execute(
    `INSERT INTO cloudflare_group_accounts (cloudflare_group_id, cloudflare_account_id)
     SELECT $id, value FROM json_each($ids)`,
    { id, ids: JSON.stringify(accounts) },
  );
}

/** Adds a group that belongs to the actor. Throws `refused` for an unknown account. */
export async function createCloudflareGroup(
  actor: Actor,
  { name, accounts }: CloudflareGroupInput,
): Promise<CloudflareGroupView> {
  return transaction(async () => {
    const created_at = new Date().toISOString();
    const id = await insertRow(cloudflareGroups, { name, user_id: actor.id, created_at });
    await setAccounts(id, accounts);
    return viewOf(actor, id);
  });
}

/**
 * Edits a group; what is absent stays. Throws AppError `not_found`, `forbidden`, and `refused` for an unknown account.
 */
export async function updateCloudflareGroup(
  actor: Actor,
  id: number,
  { name, accounts }: CloudflareGroupChange,
): Promise<CloudflareGroupView> {
  return transaction(async () => {
    await findOwnTeamRow(actor, 'cloudflare_groups', id);
    if (name !== undefined) await execute('UPDATE cloudflare_groups SET name = $name WHERE id = $id', { id, name });
    if (accounts !== undefined) await setAccounts(id, accounts);
    return viewOf(actor, id);
  });
}
