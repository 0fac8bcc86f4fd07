import {
  createCloudflareAccount,
  listCloudflareAccounts,
  updateCloudflareAccount,
} from '../../services/accounts/cloudflare-accounts.ts';
import { checkDeletable, deleteTeamRow, teamRowNamed } from '../../services/accounts/team.ts';
import {
  CloudflareAccountChange,
  CloudflareAccountInput,
  type CloudflareAccountView,
} from '../../shared/accounts/cloudflare-accounts.ts';
import { renderCheckError } from '../../shared/accounts/check-error.ts';
import type { Message } from '../../shared/i18n/index.ts';
import { checkAccounts } from '../check-accounts.ts';
import type { Context } from '../context.ts';
import { columnsOf, type Result } from '../output.ts';
import { parseInput } from '../parse.ts';
import { rehearsed } from '../rehearsed.ts';
import { confirm, isGiven, readKey, type KeyFlags } from '../secret.ts';
import { renderFor } from '../render.ts';

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

/** Returns the saved account; warns if the test of its key failed. */
function saved(context: Context, account: CloudflareAccountView<Message>): Result {
  const view = renderCheckError(renderFor(context), account);
  const { id, name, check_error } = view;
  if (check_error !== null) context.warn(check_error);
  return { data: view, text: context.say('cli.account_saved', { id, name }) };
}

/** `cloudflare list`. */
export async function list(context: Context): Promise<Result> {
  const { actor } = await context.open();
  const accounts = await listCloudflareAccounts(actor, 'masked');
  const items = accounts.map((view) => renderCheckError(renderFor(context), view));
  return { items, columns: COLUMNS, summary: { total: items.length } };
}

/** `cloudflare add`. */
export async function add(context: Context, flags: AccountFlags, name: string): Promise<Result> {
  const { actor, config } = await context.open();
  const input = parseInput(CloudflareAccountInput, {
    name,
    email: flags.email ?? '',
    api_key: await readKey(context, flags),
    cf_account_id: flags.accountId,
  });
  if (flags.dryRun) return rehearsed(context, { name, email: input.email });
  return saved(context, await createCloudflareAccount(config, actor, input, 'masked'));
}

/** `cloudflare edit`. */
export async function edit(context: Context, flags: AccountFlags, which: string): Promise<Result> {
  const { actor, config } = await context.open();
  const { id } = await teamRowNamed('cloudflare_accounts', which);
  const { name, email } = flags;
  const api_key = isGiven(flags) ? await readKey(context, flags) : undefined;
  const change = parseInput(CloudflareAccountChange, { name, email, api_key, cf_account_id: flags.accountId });
  if (flags.dryRun) return rehearsed(context, { id, name, email });
  return saved(context, await updateCloudflareAccount(config, actor, id, change, 'masked'));
}

/** `cloudflare remove`. */
export async function remove(context: Context, { dryRun }: AccountFlags, which: string): Promise<Result> {
  const { actor } = await context.open();
  const { id, name } = await teamRowNamed('cloudflare_accounts', which);
  await checkDeletable(actor, 'cloudflare_accounts', id);
  if (dryRun) return rehearsed(context, { id, name });
  await confirm(context, context.say('cli.confirm_remove', { name }));
  await deleteTeamRow(actor, 'cloudflare_accounts', id);
  return { data: { id, name }, text: context.say('cloudflare_account.deleted', { name }) };
}

/** `cloudflare test`: tries the keys of the named accounts, else of those that the actor may edit. */
export async function test(context: Context, _flags: object, names: string[]): Promise<Result> {
  const { actor } = await context.open();
  if (names.length > 0) {
    const accounts = await Promise.all(names.map((name) => teamRowNamed('cloudflare_accounts', name)));
    return checkAccounts(context, actor, accounts);
  }
  const all = await listCloudflareAccounts(actor, 'masked');
  return checkAccounts(
    context,
    actor,
    all.filter(({ can_edit }) => can_edit),
  );
}
