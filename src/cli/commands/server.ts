import type { Command } from 'commander';
import type { HostKeyDecision, ServerView } from '../../shared/accounts/servers.ts';
import { usageError, type Context } from '../context.ts';
import { columnsOf, type Result } from '../output.ts';
import { parseInput } from '../parse.ts';
import { rehearsed } from '../rehearsed.ts';
import { act } from '../run.ts';
import { confirm, isGiven, readServerPassword, type SecretFlags } from '../secret.ts';
import type { HelpTexts } from '../texts/ru.ts';
import { tryEach } from '../try-each.ts';

interface ServerFlags extends SecretFlags {
  name?: string;
  host?: string;
  user?: string;
  dryRun?: boolean;
}

const COLUMNS = columnsOf<ServerView>({
  id: true,
  name: true,
  ssh_host: true,
  ssh_user: true,
  domains: true,
  host_key: true,
  host_key_seen: true,
  check_error: 'error',
  ssh_password: false,
  created_at: false,
  checked_at: false,
  can_edit: false,
});

/** `server list|add|edit|remove|test|accept-key|keep-key`. A server is named by its name or its id; its password is never shown. */
export function define(noun: Command, help: HelpTexts): void {
  const withPassword = (command: Command): Command =>
    command.option('--password-stdin', help.password_stdin).option('--password-file <file>', help.password_file);
  noun.command('list').description(help['server list']).action(act(list));
  withPassword(noun.command('add').description(help['server add']).argument('<name>', help['team.name']))
    .requiredOption('--host <host>', help['server.host'])
    .requiredOption('--user <user>', help['server.user'])
    .option('--dry-run', help.dry_run)
    .action(act(add));
  withPassword(noun.command('edit').description(help['server edit']).argument('<server>', help['team.which']))
    .option('--name <name>', help['team.new_name'])
    .option('--host <host>', help['server.host'])
    .option('--user <user>', help['server.user'])
    .option('--dry-run', help.dry_run)
    .action(act(edit));
  noun
    .command('remove')
    .description(help['server remove'])
    .argument('<server>', help['team.which'])
    .option('--dry-run', help.dry_run)
    .action(act(remove));
  noun
    .command('test')
    .description(help['server test'])
    .argument('[servers...]', help['team.which'])
    .option('--all', help['server.all'])
    .action(act(test));
  noun
    .command('accept-key')
    .description(help['server accept-key'])
    .argument('<server>', help['team.which'])
    .requiredOption('--key <key>', help['server.key'])
    .action(act(acceptKey));
  noun
    .command('keep-key')
    .description(help['server keep-key'])
    .argument('<server>', help['team.which'])
    .action(act(keepKey));
}

const showing = ({ asked }: Context) => ({ shown: 'masked', language: asked.language }) as const;

async function list(context: Context): Promise<Result> {
  const { actor } = await context.open();
  const { listServers } = await import('../../services/accounts/servers.ts');
  const items = await listServers(actor, showing(context));
  return { items, columns: COLUMNS, summary: { total: items.length } };
}

async function add(context: Context, flags: ServerFlags, name: string): Promise<Result> {
  const { actor } = await context.open();
  const [{ createServer }, { ServerInput }] = await Promise.all([
    import('../../services/accounts/servers.ts'),
    import('../../shared/accounts/servers.ts'),
  ]);
  const ssh_password = await readServerPassword(context, flags);
  const input = parseInput(ServerInput, { name, ssh_host: flags.host, ssh_user: flags.user, ssh_password });
  if (flags.dryRun) return rehearsed(context, { name, ssh_host: input.ssh_host, ssh_user: input.ssh_user });
  const server = await createServer(actor, input, showing(context));
  return { data: server, text: context.say('cli.server_saved', { id: server.id, name: server.name }) };
}

async function edit(context: Context, flags: ServerFlags, which: string): Promise<Result> {
  const { actor } = await context.open();
  const [{ updateServer }, { ServerChange }, { teamRowNamed }] = await Promise.all([
    import('../../services/accounts/servers.ts'),
    import('../../shared/accounts/servers.ts'),
    import('../../services/accounts/team.ts'),
  ]);
  const { id } = await teamRowNamed('servers', which);
  const { name, host: ssh_host, user: ssh_user } = flags;
  const ssh_password = isGiven(flags) ? await readServerPassword(context, flags) : undefined;
  const change = parseInput(ServerChange, { name, ssh_host, ssh_user, ssh_password });
  if (flags.dryRun) return rehearsed(context, { id, name, ssh_host: change.ssh_host, ssh_user });
  const server = await updateServer(actor, id, change, showing(context));
  return { data: server, text: context.say('cli.server_saved', { id, name: server.name }) };
}

async function remove(context: Context, { dryRun }: ServerFlags, which: string): Promise<Result> {
  const { actor } = await context.open();
  const { checkDeletable, deleteTeamRow, teamRowNamed } = await import('../../services/accounts/team.ts');
  const { id, name } = await teamRowNamed('servers', which);
  await checkDeletable(actor, 'servers', id);
  if (dryRun) return rehearsed(context, { id, name });
  await confirm(context, context.say('cli.confirm_remove', { name }));
  await deleteTeamRow(actor, 'servers', id);
  return { data: { id, name }, text: context.say('server.deleted', { name }) };
}

async function test(context: Context, { all }: { all?: boolean }, names: string[]): Promise<Result> {
  if (all && names.length > 0) throw usageError('cli.conflict', { reason: '--all' });
  const { actor, config } = await context.open();
  const [{ listServers }, { checkServer }, { teamRowNamed }] = await Promise.all([
    import('../../services/accounts/servers.ts'),
    import('../../services/accounts/server-check.ts'),
    import('../../services/accounts/team.ts'),
  ]);
  const servers =
    names.length > 0
      ? await Promise.all(names.map((name) => teamRowNamed('servers', name)))
      : await listServers(actor, showing(context));
  return tryEach(context, servers, (id) => checkServer(config, id));
}

/**
 * Applies an administrator's decision about a changed host key. The whole key has to be typed, so none is accepted
 * unseen.
 */
async function decide(context: Context, which: string, decision: HostKeyDecision): Promise<Result> {
  const { actor } = await context.open();
  const [{ decideHostKey }, { teamRowNamed }] = await Promise.all([
    import('../../services/accounts/server-keys.ts'),
    import('../../services/accounts/team.ts'),
  ]);
  const { id, name } = await teamRowNamed('servers', which);
  const { key, params } = await decideHostKey(actor, id, decision);
  return { data: { id, name }, text: context.say(key, params) };
}

async function acceptKey(context: Context, { key }: { key: string }, which: string): Promise<Result> {
  const { HostKeyDecision } = await import('../../shared/accounts/servers.ts');
  return decide(context, which, parseInput(HostKeyDecision, { accept: key }));
}

const keepKey = (context: Context, _flags: object, which: string): Promise<Result> =>
  decide(context, which, { dismiss: true });
