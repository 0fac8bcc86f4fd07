import { checkServer } from '../../services/accounts/server-check.ts';
import { decideHostKey } from '../../services/accounts/server-keys.ts';
import { createServer, listServers, updateServer } from '../../services/accounts/servers.ts';
import { checkDeletable, deleteTeamRow, teamRowNamed } from '../../services/accounts/team.ts';
import { renderCheckError } from '../../shared/accounts/check-error.ts';
import { HostKeyDecision, ServerChange, ServerInput, type ServerView } from '../../shared/accounts/servers.ts';
import { usageError, type Context } from '../context.ts';
import { columnsOf, type Result } from '../output.ts';
import { parseInput } from '../parse.ts';
import { rehearsed } from '../rehearsed.ts';
import { confirm, isGiven, readServerPassword, type SecretFlags } from '../secret.ts';
import { tryEach } from '../try-each.ts';
import { renderFor } from '../render.ts';

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

/** `server list`. */
export async function list(context: Context): Promise<Result> {
  const { actor } = await context.open();
  const items = (await listServers(actor, 'masked')).map((view) => renderCheckError(renderFor(context), view));
  return { items, columns: COLUMNS, summary: { total: items.length } };
}

/** `server add`. */
export async function add(context: Context, flags: ServerFlags, name: string): Promise<Result> {
  const { actor } = await context.open();
  const ssh_password = await readServerPassword(context, flags);
  const input = parseInput(ServerInput, { name, ssh_host: flags.host, ssh_user: flags.user, ssh_password });
  if (flags.dryRun) return rehearsed(context, { name, ssh_host: input.ssh_host, ssh_user: input.ssh_user });
  const server = await createServer(actor, input, 'masked');
  return {
    data: renderCheckError(renderFor(context), server),
    text: context.say('cli.server_saved', { id: server.id, name: server.name }),
  };
}

/** `server edit`. */
export async function edit(context: Context, flags: ServerFlags, which: string): Promise<Result> {
  const { actor } = await context.open();
  const { id } = await teamRowNamed('servers', which);
  const { name, host: ssh_host, user: ssh_user } = flags;
  const ssh_password = isGiven(flags) ? await readServerPassword(context, flags) : undefined;
  const change = parseInput(ServerChange, { name, ssh_host, ssh_user, ssh_password });
  if (flags.dryRun) return rehearsed(context, { id, name, ssh_host: change.ssh_host, ssh_user });
  const server = await updateServer(actor, id, change, 'masked');
  return {
    data: renderCheckError(renderFor(context), server),
    text: context.say('cli.server_saved', { id, name: server.name }),
  };
}

/** `server remove`. */
export async function remove(context: Context, { dryRun }: ServerFlags, which: string): Promise<Result> {
  const { actor } = await context.open();
  const { id, name } = await teamRowNamed('servers', which);
  await checkDeletable(actor, 'servers', id);
  if (dryRun) return rehearsed(context, { id, name });
  await confirm(context, context.say('cli.confirm_remove', { name }));
  await deleteTeamRow(actor, 'servers', id);
  return { data: { id, name }, text: context.say('server.deleted', { name }) };
}

/** `server test`: signs in to the named servers, or to all. */
export async function test(context: Context, { all }: { all?: boolean }, names: string[]): Promise<Result> {
  if (all && names.length > 0) throw usageError('cli.conflict', { reason: '--all' });
  const { actor, config } = await context.open();
  const servers =
    names.length > 0
      ? await Promise.all(names.map((name) => teamRowNamed('servers', name)))
      : await listServers(actor, 'masked');
  return tryEach(context, servers, (id) => checkServer(config, id));
}

/**
 * Applies an administrator's decision about a changed host key. The whole key has to be typed, so none is accepted
 * unseen.
 */
async function decide(context: Context, which: string, decision: HostKeyDecision): Promise<Result> {
  const { actor } = await context.open();
  const { id, name } = await teamRowNamed('servers', which);
  return { data: { id, name }, text: renderFor(context)(await decideHostKey(actor, id, decision)) };
}

/** `server accept-key`. */
export async function acceptKey(context: Context, { key }: { key: string }, which: string): Promise<Result> {
  return decide(context, which, parseInput(HostKeyDecision, { accept: key }));
}

/** `server keep-key`. */
export const keepKey = (context: Context, _flags: object, which: string): Promise<Result> =>
  decide(context, which, { dismiss: true });
