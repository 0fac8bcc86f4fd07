import type { Command } from 'commander';
import type { CloudflareGroupView } from '../../shared/accounts/cloudflare-groups.ts';
import { checkAccounts } from '../check-accounts.ts';
import type { Context } from '../context.ts';
import { columnsOf, type Result } from '../output.ts';
import { parseInput } from '../parse.ts';
import { rehearsed } from '../rehearsed.ts';
import { act } from '../run.ts';
import { confirm } from '../secret.ts';
import type { HelpTexts } from '../texts/ru.ts';

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

/** `group list|add|edit|remove|test`: groups of CDN accounts, named by their names or ids. */
export function define(noun: Command, help: HelpTexts): void {
  noun.command('list').description(help['group list']).action(act(list));
  noun
    .command('add')
    .description(help['group add'])
    .argument('<name>', help['team.name'])
    .option('--account <accounts...>', help['group.account'])
    .option('--dry-run', help.dry_run)
    .action(act(add));
  noun
    .command('edit')
    .description(help['group edit'])
    .argument('<group>', help['team.which'])
    .option('--name <name>', help['team.new_name'])
    .option('--account <accounts...>', help['group.account'])
    .option('--dry-run', help.dry_run)
    .action(act(edit));
  noun
    .command('remove')
    .description(help['group remove'])
    .argument('<group>', help['team.which'])
    .option('--dry-run', help.dry_run)
    .action(act(remove));
  noun.command('test').description(help['group test']).argument('<group>', help['team.which']).action(act(test));
}

async function idsOf(names: readonly string[]): Promise<number[]> {
  const { teamRowNamed } = await import('../../services/accounts/team.ts');
  const rows = await Promise.all(names.map((name) => teamRowNamed('cloudflare_accounts', name)));
  return rows.map(({ id }) => id);
}

async function list(context: Context): Promise<Result> {
  const { actor } = await context.open();
  const { listCloudflareGroups } = await import('../../services/accounts/cloudflare-groups.ts');
  const items = await listCloudflareGroups(actor);
  return { items, columns: COLUMNS, summary: { total: items.length } };
}

async function add(context: Context, { account = [], dryRun }: GroupFlags, name: string): Promise<Result> {
  const { actor } = await context.open();
  const [{ createCloudflareGroup }, { CloudflareGroupInput }] = await Promise.all([
    import('../../services/accounts/cloudflare-groups.ts'),
    import('../../shared/accounts/cloudflare-groups.ts'),
  ]);
  const input = parseInput(CloudflareGroupInput, { name, accounts: await idsOf(account) });
  if (dryRun) return rehearsed(context, input);
  const group = await createCloudflareGroup(actor, input);
  return { data: group, text: context.say('cli.group_saved', { id: group.id, name: group.name }) };
}

async function edit(context: Context, { name, account, dryRun }: GroupFlags, which: string): Promise<Result> {
  const { actor } = await context.open();
  const [{ updateCloudflareGroup }, { CloudflareGroupChange }, { teamRowNamed }] = await Promise.all([
    import('../../services/accounts/cloudflare-groups.ts'),
    import('../../shared/accounts/cloudflare-groups.ts'),
    import('../../services/accounts/team.ts'),
  ]);
  const { id } = await teamRowNamed('cloudflare_groups', which);
  const accounts = account === undefined ? undefined : await idsOf(account);
  const change = parseInput(CloudflareGroupChange, { name, accounts });
  if (dryRun) return rehearsed(context, { id, ...change });
  const group = await updateCloudflareGroup(actor, id, change);
  return { data: group, text: context.say('cli.group_saved', { id, name: group.name }) };
}

async function remove(context: Context, { dryRun }: GroupFlags, which: string): Promise<Result> {
  const { actor } = await context.open();
  const { checkDeletable, deleteTeamRow, teamRowNamed } = await import('../../services/accounts/team.ts');
  const { id, name } = await teamRowNamed('cloudflare_groups', which);
  await checkDeletable(actor, 'cloudflare_groups', id);
  if (dryRun) return rehearsed(context, { id, name });
  await confirm(context, context.say('cli.confirm_remove', { name }));
  await deleteTeamRow(actor, 'cloudflare_groups', id);
  return { data: { id, name }, text: context.say('cloudflare_group.deleted') };
}

async function test(context: Context, _flags: object, which: string): Promise<Result> {
  const { actor } = await context.open();
  const [{ listCloudflareGroups }, { teamRowNamed }] = await Promise.all([
    import('../../services/accounts/cloudflare-groups.ts'),
    import('../../services/accounts/team.ts'),
  ]);
  const { id } = await teamRowNamed('cloudflare_groups', which);
  const group = (await listCloudflareGroups(actor)).find((one) => one.id === id);
  return checkAccounts(context, actor, group?.accounts ?? []);
}
