import type { Command } from 'commander';
import type { Context } from '../context.ts';
import type { Result } from '../output.ts';
import { parseInput } from '../parse.ts';
import { act } from '../run.ts';
import { confirm, isGiven, readServerPassword, type SecretFlags } from '../secret.ts';
import type { HelpTexts } from '../texts/ru.ts';

interface ServerFlags extends SecretFlags {
  name?: string;
  host?: string;
  user?: string;
}

const COLUMNS = ['id', 'name', 'ssh_host', 'ssh_user', 'domains'].map((field) => ({ field, title: field }));

/** `server list|add|edit|remove`. A server is named by its name or its id; its password is never shown. */
export function define(noun: Command, help: HelpTexts): void {
  const withPassword = (command: Command): Command =>
    command.option('--password-stdin', help.password_stdin).option('--password-file <file>', help.password_file);
  noun.command('list').description(help['server list']).action(act(list));
  withPassword(noun.command('add').description(help['server add']).argument('<name>', help['team.name']))
    .requiredOption('--host <host>', help['server.host'])
    .requiredOption('--user <user>', help['server.user'])
    .action(act(add));
  withPassword(noun.command('edit').description(help['server edit']).argument('<server>', help['team.which']))
    .option('--name <name>', help['team.new_name'])
    .option('--host <host>', help['server.host'])
    .option('--user <user>', help['server.user'])
    .action(act(edit));
  noun
    .command('remove')
    .description(help['server remove'])
    .argument('<server>', help['team.which'])
    .action(act(remove));
}

const showing = ({ asked }: Context) => ({ shown: 'masked', language: asked.language }) as const;

async function list(context: Context): Promise<Result> {
  const { actor } = await context.open();
  const { listServers } = await import('../../services/servers.ts');
  const items = await listServers(actor, showing(context));
  return { items, columns: COLUMNS, summary: { total: items.length } };
}

async function add(context: Context, flags: ServerFlags, name: string): Promise<Result> {
  const { actor } = await context.open();
  const [{ createServer }, { ServerInput }] = await Promise.all([
    import('../../services/servers.ts'),
    import('../../shared/servers.ts'),
  ]);
  const ssh_password = await readServerPassword(context, flags);
  const input = parseInput(ServerInput, { name, ssh_host: flags.host, ssh_user: flags.user, ssh_password });
  const server = await createServer(actor, input, showing(context));
  return { data: server, text: context.say('cli.server_saved', { id: server.id, name: server.name }) };
}

async function edit(context: Context, flags: ServerFlags, which: string): Promise<Result> {
  const { actor } = await context.open();
  const [{ updateServer }, { ServerChange }, { teamRowNamed }] = await Promise.all([
    import('../../services/servers.ts'),
    import('../../shared/servers.ts'),
    import('../../services/team.ts'),
  ]);
  const { id } = await teamRowNamed('servers', which);
  const { name, host: ssh_host, user: ssh_user } = flags;
  const ssh_password = isGiven(flags) ? await readServerPassword(context, flags) : undefined;
  const change = parseInput(ServerChange, { name, ssh_host, ssh_user, ssh_password });
  const server = await updateServer(actor, id, change, showing(context));
  return { data: server, text: context.say('cli.server_saved', { id, name: server.name }) };
}

async function remove(context: Context, _flags: object, which: string): Promise<Result> {
  const { actor } = await context.open();
  const { deleteTeamRow, teamRowNamed } = await import('../../services/team.ts');
  const { id, name } = await teamRowNamed('servers', which);
  await confirm(context, context.say('cli.confirm_remove', { name }));
  await deleteTeamRow(actor, 'servers', id);
  return { data: { id, name }, text: context.say('server.deleted', { name }) };
}
