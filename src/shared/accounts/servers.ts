import { accountKind, type AnyView } from './kind.ts';
import { servers, type ServerRow } from './tables.ts';
import { ACCOUNT_SCREENS } from './screens.ts';

/** Folder of the sites on a server. */
export const WEB_ROOT = '/var/www/www-root/data/www';

/** The port of an `ssh_host` that has none. */
export const SSH_PORT = 22;

/** Splits an `ssh_host` (`host`, `host:port`, `v6`, `[v6]`, `[v6]:port`) into its two parts. */
export function partsOf(sshHost: string): { host: string; port: string } {
  const [, bracketed, after = ''] = /^\[([^\]]*)\](?::(\d+))?$/.exec(sshHost) ?? [];
  if (bracketed !== undefined) return { host: bracketed, port: after };
  const [, host = sshHost, port = ''] = /^([^:]*):(\d+)$/.exec(sshHost) ?? [];
  return { host, port };
}

/** The host in an `ssh_host`, without its port: an address or a name. */
export const hostOf = (sshHost: string): string => partsOf(sshHost).host;

/** The port in an `ssh_host`; 22 if it has none. */
export const portOf = (sshHost: string): number => Number(partsOf(sshHost).port || SSH_PORT);

/**
 * A server in a list. `host_key` was pinned at the first contact; while a different key that it has shown (`host_key_seen`)
 * waits for an admin, nothing is done with the server.
 */
export interface ServerView
  extends AnyView, Pick<ServerRow, 'ssh_host' | 'ssh_user' | 'ssh_password' | 'host_key' | 'host_key_seen'> {}

/** Servers. `ssh_password` may be a private key of many lines; host keys belong to one host only. */
export const serverKind = accountKind<ServerView>()({
  noun: 'server',
  table: servers,
  path: '/api/servers',
  edit: 'PUT',
  called: { one: 'a server', many: 'servers' },
  texts: 'servers',
  name: 'team.name',
  fields: {
    ssh_host: {
      kind: 'host',
      max: 260,
      flag: 'host',
      label: 'servers.ssh_host',
      help: 'servers.host_help',
      empty: 'server.host_invalid',
      invalid: 'server.host_invalid',
      again: 'server.password_again',
      forgets: ['host_key', 'host_key_seen'],
    },
    ssh_user: { kind: 'text', max: 64, flag: 'user', label: 'servers.ssh_user', empty: 'server.user_empty' },
    ssh_password: {
      kind: 'secret',
      lines: true,
      max: 16_384,
      flag: 'password',
      label: 'servers.ssh_password',
      kept: 'servers.password_kept',
      empty: 'server.password_empty',
    },
  },
  // The secret goes to the server's own host only: testing it takes no right to it.
  test: { by: 'user', onSave: false, unsaved: false },
  inGroups: false,
  listed: {
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
  },
  screen: {
    ...ACCOUNT_SCREENS.server,
    layout: 'table',
    shown: [
      { column: 'ssh_host', header: 'servers.ip' },
      { column: 'ssh_user', header: 'servers.user' },
      { column: 'ssh_password', header: 'servers.password' },
      { column: 'domains', header: 'servers.domains' },
    ],
    state: 'servers.state',
    count: 'servers.count',
    hide: 'servers.hide_secrets',
    domainsAt: '/sites?server=',
  },
  chosen: { label: 'domain_form.server', none: 'domain_form.no_server', failed: 'projects.servers_failed' },
});
