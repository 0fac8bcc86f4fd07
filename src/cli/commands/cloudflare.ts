import type { Command } from 'commander';
import type { CloudflareAccountView } from '../../shared/accounts/cloudflare-accounts.ts';
import { checkAccounts } from '../check-accounts.ts';
import type { Context } from '../context.ts';
import { columnsOf, type Result } from '../output.ts';
import { parseInput } from '../parse.ts';
import { rehearsed } from '../rehearsed.ts';
import { act } from '../run.ts';
import { confirm, isGiven, readKey, type KeyFlags } from '../secret.ts';
import type { HelpTexts } from '../texts/ru.ts';

interface AccountFlags extends KeyFlags {
  name?: string;
  email?: string;
  accountId?: string;
  dryRun?: boolean;
}

const COLUMNS = columnsOf<CloudflareAccountView>({
  id: true,
  name: true,
  email: true,
  zones: true,
  domains: true,
  ns_1: true,
  ns_2: true,
  checked_at: { title: 'checked', show: (value) => (value as string | null)?.slice(0, 16) ?? '' },
  check_error: 'error',
  api_key: false,
  created_at: false,
  cf_account_id: false,
  cf_accounts: false,
  groups: false,
  can_edit: false,
});

/** `cloudflare list|add|edit|remove|test`. An account is named by its name or its id; its key is never shown. */
export function define(noun: Command, help: HelpTexts): void {
  const withKey = (command: Command): Command =>
    command.option('--key-stdin', help.key_stdin).option('--key-file <file>', help.key_file);
  noun.command('list').description(help['cloudflare list']).action(act(list));
  withKey(noun.command('add').description(help['cloudflare add']).argument('<name>', help['team.name']))
    .option('--email <email>', help['cloudflare.email'])
    .option('--account-id <id>', help['cloudflare.account_id'])
    .option('--dry-run', help.dry_run)
    .action(act(add));
  withKey(noun.command('edit').description(help['cloudflare edit']).argument('<account>', help['team.which']))
    .option('--name <name>', help['team.new_name'])
    .option('--email <email>', help['cloudflare.email'])
    .option('--account-id <id>', help['cloudflare.account_id'])
    .option('--dry-run', help.dry_run)
    .action(act(edit));
  noun
    .command('remove')
    .description(help['cloudflare remove'])
    .argument('<account>', help['team.which'])
    .option('--dry-run', help.dry_run)
    .action(act(remove));
  noun
    .command('test')
    .description(help['cloudflare test'])
    .argument('[accounts...]', help['team.which'])
    .action(act(test));
}

const showing = ({ asked }: Context) => ({ shown: 'masked', language: asked.language }) as const;

/** Returns the saved account; warns if the test of its key failed. */
function saved(context: Context, view: CloudflareAccountView): Result {
  const { id, name, check_error } = view;
  if (check_error !== null) context.warn(check_error);
  return { data: view, text: context.say('cli.account_saved', { id, name }) };
}

async function list(context: Context): Promise<Result> {
  const { actor } = await context.open();
  const { listCloudflareAccounts } = await import('../../services/accounts/cloudflare-accounts.ts');
  const items = await listCloudflareAccounts(actor, showing(context));
  return { items, columns: COLUMNS, summary: { total: items.length } };
}

async function add(context: Context, flags: AccountFlags, name: string): Promise<Result> {
  const { actor, config } = await context.open();
  const [{ createCloudflareAccount }, { CloudflareAccountInput }] = await Promise.all([
    import('../../services/accounts/cloudflare-accounts.ts'),
    import('../../shared/accounts/cloudflare-accounts.ts'),
  ]);
  const input = parseInput(CloudflareAccountInput, {
    name,
    email: flags.email ?? '',
    api_key: await readKey(context, flags),
    cf_account_id: flags.accountId,
  });
  if (flags.dryRun) return rehearsed(context, { name, email: input.email });
  return saved(context, await createCloudflareAccount(config, actor, input, showing(context)));
}

async function edit(context: Context, flags: AccountFlags, which: string): Promise<Result> {
  const { actor, config } = await context.open();
  const [{ updateCloudflareAccount }, { CloudflareAccountChange }, { teamRowNamed }] = await Promise.all([
    import('../../services/accounts/cloudflare-accounts.ts'),
    import('../../shared/accounts/cloudflare-accounts.ts'),
    import('../../services/accounts/team.ts'),
  ]);
  const { id } = await teamRowNamed('cloudflare_accounts', which);
  const { name, email } = flags;
  const api_key = isGiven(flags) ? await readKey(context, flags) : undefined;
  const change = parseInput(CloudflareAccountChange, { name, email, api_key, cf_account_id: flags.accountId });
  if (flags.dryRun) return rehearsed(context, { id, name, email });
  return saved(context, await updateCloudflareAccount(config, actor, id, change, showing(context)));
}

async function remove(context: Context, { dryRun }: AccountFlags, which: string): Promise<Result> {
  const { actor } = await context.open();
  const { checkDeletable, deleteTeamRow, teamRowNamed } = await import('../../services/accounts/team.ts');
  const { id, name } = await teamRowNamed('cloudflare_accounts', which);
  await checkDeletable(actor, 'cloudflare_accounts', id);
  if (dryRun) return rehearsed(context, { id, name });
  await confirm(context, context.say('cli.confirm_remove', { name }));
  await deleteTeamRow(actor, 'cloudflare_accounts', id);
  return { data: { id, name }, text: context.say('cloudflare_account.deleted', { name }) };
}

async function test(context: Context, _flags: object, names: string[]): Promise<Result> {
  const { actor } = await context.open();
  const { teamRowNamed } = await import('../../services/accounts/team.ts');
  if (names.length > 0) {
    const accounts = await Promise.all(names.map((name) => teamRowNamed('cloudflare_accounts', name)));
    return checkAccounts(context, actor, accounts);
  }
  const { listCloudflareAccounts } = await import('../../services/accounts/cloudflare-accounts.ts');
  const all = await listCloudflareAccounts(actor, showing(context));
  return checkAccounts(
    context,
    actor,
    all.filter(({ can_edit }) => can_edit),
  );
}
