import { note } from '../../../db/audit.ts';
import { transaction } from '../../../db/index.ts';
import { insertRow, updateRow } from '../../../db/rows.ts';
import { cloudflareGroups } from '../../shared/accounts/tables.ts';
import type {
  CloudflareGroupChange,
  CloudflareGroupInput,
  CloudflareGroupView,
} from '../../shared/accounts/cloudflare-groups.ts';
import { unknownReference } from '../../shared/errors.ts';
import type { Actor } from '../access/scope.ts';
import { countAccounts, listGroupRows, setGroupAccounts } from './rows.ts';
import { canEdit, findOwnTeamRow } from './team.ts';

async function views(actor: Actor, only?: number): Promise<CloudflareGroupView[]> {
  const rows = await listGroupRows(only);
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
  const [view] = await views(actor, id);
  if (!view) throw new Error(`group ${id} is not there`);
  return view;
}

/** Sets the accounts of a group, which had those `before`; a new one had none. */
async function setAccounts(
  { id, name }: { id: number; name: string },
  accounts: readonly number[],
  before?: readonly number[],
): Promise<void> {
  if ((await countAccounts(accounts)) < accounts.length) throw unknownReference('accounts');
  const there = new Set(before);
  if (before?.length === accounts.length && accounts.every((account) => there.has(account))) return;
  await setGroupAccounts(id, accounts);
  const covers = ['cloudflare_group_accounts'];
  const was = before ? { before: { accounts: before } } : {};
  note({ action: 'update', object: 'cloudflare_groups', id, name, ...was, after: { accounts }, covers });
}

/** Adds a group that belongs to the actor. Throws `refused` for an unknown account. */
export async function createCloudflareGroup(
  actor: Actor,
  { name, accounts }: CloudflareGroupInput,
): Promise<CloudflareGroupView> {
  return transaction(async () => {
    const created_at = new Date().toISOString();
    const id = await insertRow(cloudflareGroups, { name, user_id: actor.id, created_at });
    await setAccounts({ id, name }, accounts);
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
    if (name !== undefined) await updateRow(cloudflareGroups, id, { name });
    const group = await viewOf(actor, id);
    if (accounts === undefined) return group;
    const before = group.accounts.map((account) => account.id);
    await setAccounts(group, accounts, before);
    return viewOf(actor, id);
  });
}
