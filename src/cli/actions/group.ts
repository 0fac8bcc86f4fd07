import {
  createCloudflareGroup,
  listCloudflareGroups,
  updateCloudflareGroup,
} from '../../services/accounts/cloudflare-groups.ts';
import { checkDeletable, deleteTeamRow, findOwnTeamRow, teamRowNamed } from '../../services/accounts/team.ts';
import { cloudflareKind } from '../../shared/accounts/cloudflare-accounts.ts';
import {
  CloudflareGroupChange,
  CloudflareGroupInput,
  type CloudflareGroupView,
} from '../../shared/accounts/cloudflare-groups.ts';
import type { Context } from '../context.ts';
import { eachFound } from '../found/named.ts';
import { columnsOf, type Result } from '../output.ts';
import { parseInput } from '../parse.ts';
import { rehearsed } from '../rehearsed.ts';
import { confirm } from '../secret.ts';
import { testEach } from '../test-each.ts';

interface GroupFlags {
  name?: string;
  account?: string[];
  dryRun?: boolean;
}

const COLUMNS = columnsOf<CloudflareGroupView>({
  id: true,
  name: true,
  accounts: {
    title: 'accounts',
    show: (value) => (value as CloudflareGroupView['accounts']).map(({ name }) => name).join(', '),
  },
  can_edit: false,
});

async function idsOf(names: readonly string[]): Promise<number[]> {
  const rows = await eachFound(names, (name) => teamRowNamed('cloudflare_accounts', name));
  return rows.map(({ id }) => id);
}

/** `group list`. */
export async function list(context: Context): Promise<Result> {
  const { actor } = await context.open();
  const items = await listCloudflareGroups(actor);
  return { items, columns: COLUMNS, summary: { total: items.length } };
}

/** `group add`. */
export async function add(context: Context, { account = [], dryRun }: GroupFlags, name: string): Promise<Result> {
  const { actor } = await context.open();
  const input = parseInput(CloudflareGroupInput, { name, accounts: await idsOf(account) });
  if (dryRun) return rehearsed(context, input);
  const group = await createCloudflareGroup(actor, input);
  return { data: group, text: context.say('cli.group_saved', { id: group.id, name: group.name }) };
}

/** `group edit`. */
export async function edit(context: Context, { name, account, dryRun }: GroupFlags, which: string): Promise<Result> {
  const { actor } = await context.open();
  const { id } = await teamRowNamed('cloudflare_groups', which);
  const accounts = account === undefined ? undefined : await idsOf(account);
  const change = parseInput(CloudflareGroupChange, { name, accounts });
  if (dryRun) {
    await findOwnTeamRow(actor, 'cloudflare_groups', id);
    return rehearsed(context, { id, ...change });
  }
  const group = await updateCloudflareGroup(actor, id, change);
  return { data: group, text: context.say('cli.group_saved', { id, name: group.name }) };
}

/** `group remove`. */
export async function remove(context: Context, { dryRun }: GroupFlags, which: string): Promise<Result> {
  const { actor } = await context.open();
  const { id, name } = await teamRowNamed('cloudflare_groups', which);
  await checkDeletable(actor, 'cloudflare_groups', id);
  if (dryRun) return rehearsed(context, { id, name });
  await confirm(context, context.say('cli.confirm_remove', { name }));
  await deleteTeamRow(actor, 'cloudflare_groups', id);
  return { data: { id, name }, text: context.say('cloudflare_group.deleted') };
}

/** `group test`: tries the keys of its accounts. */
export async function test(context: Context, _flags: object, which: string): Promise<Result> {
  const { actor } = await context.open();
  const { id } = await teamRowNamed('cloudflare_groups', which);
  const group = (await listCloudflareGroups(actor)).find((one) => one.id === id);
  return testEach(context, actor, cloudflareKind, group?.accounts ?? []);
}
