import { checkCreatable } from '../../services/accounts/account-settings.ts';
import { createAccount, listAccounts } from '../../services/accounts/accounts.ts';
import { checkAccountEdit, editAccount } from '../../services/system/edits/account-edit.ts';
import { checkDeletable, deleteTeamRow, teamRowNamed } from '../../services/accounts/team.ts';
import { renderCheckError } from '../../shared/accounts/check-error.ts';
import { fieldsOf, secretFieldOf, textOf, type AccountView } from '../../shared/accounts/kind.ts';
import type { Kind } from '../../shared/accounts/kinds.ts';
import { changeOf, inputOf } from '../../shared/accounts/shapes.ts';
import type { Message } from '../../shared/i18n/index.ts';
import { usageError, type Context } from '../context.ts';
import { eachFound } from '../found/named.ts';
import { columnsOf, type Column, type Result } from '../output.ts';
import { parseInput } from '../parse.ts';
import { rehearsed } from '../rehearsed.ts';
import { renderFor } from '../render.ts';
import { confirm, isGiven, readAccountSecret, type AccountSecretFlags } from '../secret.ts';
import { testEach } from '../test-each.ts';

type Flags = AccountSecretFlags & { name?: string; all?: boolean; dryRun?: boolean } & Readonly<
    Record<string, unknown>
  >;

/** The command's flags, and the kind that its noun names. */
interface Asked {
  kind: Kind;
  flags: Flags;
}

type Values = Record<string, string | undefined>;

const minutes = (value: unknown): string => (value as string | null)?.slice(0, 16) ?? '';

/** Returns the columns of a kind's list; times of tests are shown to the minute. */
function columnsFor({ listed }: Kind): Column[] {
  const fields = Object.entries<boolean | string>(listed).map(([field, title]) => [
    field,
    field === 'checked_at' && typeof title === 'string' ? { title, show: minutes } : title,
  ]);
  return columnsOf(Object.fromEntries(fields) as Record<string, boolean | string>);
}

// `--account-id` is read as accountId.
const flagOf = (flag: string): string => flag.replace(/-(\w)/g, (_, letter: string) => letter.toUpperCase());

/** Returns the fields that were given as flags, without the secret. */
const typedIn = (kind: Kind, flags: Flags): Values =>
  Object.fromEntries(
    fieldsOf(kind).flatMap(([name, { kind, flag }]) =>
      kind === 'secret' ? [] : [[name, flags[flagOf(flag)] as string | undefined]],
    ),
  );

/** As `typedIn`, for a new account: text that was not given is empty. */
const typedAnew = (kind: Kind, flags: Flags): Values => {
  const texts = fieldsOf(kind).filter(([, { kind }]) => kind !== 'secret' && kind !== 'choice');
  const typed = typedIn(kind, flags);
  return { ...typed, ...Object.fromEntries(texts.map(([name]) => [name, typed[name] ?? ''])) };
};

const readSecret = (context: Context, kind: Kind, flags: Flags): Promise<string> => {
  const { flag } = kind.fields[secretFieldOf(kind) as never] as { flag: 'key' | 'password' };
  return readAccountSecret(context, flags, flag);
};

/** Returns what a rehearsal shows: the fields but the secret; a choice only if it was given. */
const shownIn = (kind: Kind, values: Values): Values =>
  Object.fromEntries(
    fieldsOf(kind).flatMap(([name, field]) =>
      field.kind === 'secret' || (field.kind === 'choice' && values[name] === undefined) ? [] : [[name, values[name]]],
    ),
  );

/** Returns the saved account; warns if the test of its login failed. */
function saved(context: Context, kind: Kind, account: AccountView<Kind, Message>): Result {
  const view = renderCheckError(renderFor(context), account);
  const { id, name, check_error } = view;
  if (kind.test.onSave && check_error !== null) context.warn(check_error);
  return { data: view, text: context.say(textOf(kind, 'saved'), { name: `${name} (${id})` }) };
}

/** `<kind> list`. */
export async function list(context: Context, { kind }: Asked): Promise<Result> {
  const { actor } = await context.open();
  const accounts = await listAccounts(actor, kind, 'masked');
  const items = accounts.map((view) => renderCheckError(renderFor(context), view));
  return { items, columns: columnsFor(kind), summary: { total: items.length } };
}

/** `<kind> add`. */
export async function add(context: Context, { kind, flags }: Asked, name: string): Promise<Result> {
  const { actor } = await context.open();
  const secret = await readSecret(context, kind, flags);
  const input = parseInput(inputOf(kind), { name, ...typedAnew(kind, flags), [secretFieldOf(kind)]: secret });
  if (flags.dryRun) {
    await checkCreatable(kind, input);
    return rehearsed(context, { name, ...shownIn(kind, input) });
  }
  return saved(context, kind, await createAccount(actor, kind, input, 'masked'));
}

/** `<kind> edit`. */
export async function edit(context: Context, { kind, flags }: Asked, which: string): Promise<Result> {
  const { actor } = await context.open();
  const { id } = await teamRowNamed(kind.table.name, which);
  const secret = isGiven(flags) ? await readSecret(context, kind, flags) : undefined;
  const { name } = flags;
  const change = parseInput(changeOf(kind), { name, ...typedIn(kind, flags), [secretFieldOf(kind)]: secret });
  if (flags.dryRun) {
    await checkAccountEdit(actor, kind, id, change);
    return rehearsed(context, { id, name, ...shownIn(kind, change) });
  }
  return saved(context, kind, await editAccount(actor, kind, id, change, 'masked'));
}

/** `<kind> remove`. */
export async function remove(context: Context, { kind, flags }: Asked, which: string): Promise<Result> {
  const { actor } = await context.open();
  const table = kind.table.name;
  const { id, name } = await teamRowNamed(table, which);
  await checkDeletable(actor, table, id);
  if (flags.dryRun) return rehearsed(context, { id, name });
  await confirm(context, context.say('cli.confirm_remove', { name }));
  await deleteTeamRow(actor, table, id);
  return { data: { id, name }, text: context.say(textOf(kind, 'deleted'), { name }) };
}

/** `<kind> test`: tests the named accounts, else all that the actor may test. */
export async function test(context: Context, { kind, flags }: Asked, names: string[]): Promise<Result> {
  if (flags.all && names.length > 0) throw usageError('cli.conflict', { reason: '--all' });
  const { actor } = await context.open();
  if (names.length > 0) {
    const named = await eachFound(names, (name) => teamRowNamed(kind.table.name, name));
    return testEach(context, actor, kind, named);
  }
  const all = await listAccounts(actor, kind, 'masked');
  const allowed = all.filter(({ can_edit }) => can_edit || kind.test.by === 'user');
  return testEach(context, actor, kind, allowed);
}
