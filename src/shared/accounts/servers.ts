import { z } from 'zod';
import type { ServerRow } from './tables.ts';
import { cleanHostname, isHostname } from '../hostname.ts';
import { line, message, verbatim } from '../text.ts';

/** Folder of the sites on a server. */
export const WEB_ROOT = '/var/www/www-root/data/www';

const SSH_PORT = 22;

const isIpv6 = (value: string): boolean => z.ipv6().safeParse(value).success;
const isAddress = (value: string): boolean => z.ipv4().safeParse(value).success || isIpv6(value);

/** An `ssh_host` in its two parts: `host`, `host:port`, `v6`, `[v6]`, `[v6]:port`. */
function partsOf(sshHost: string): { host: string; port: string } {
  const [, bracketed, after = ''] = /^\[([^\]]*)\](?::(\d+))?$/.exec(sshHost) ?? [];
  if (bracketed !== undefined) return { host: bracketed, port: after };
  const [, host = sshHost, port = ''] = /^([^:]*):(\d+)$/.exec(sshHost) ?? [];
  return { host, port };
}

/** The host in an `ssh_host`, without its port: an address or a name. */
export const hostOf = (sshHost: string): string => partsOf(sshHost).host;

/** The port in an `ssh_host`; 22 if it has none. */
export const portOf = (sshHost: string): number => Number(partsOf(sshHost).port || SSH_PORT);

/** An address or a host name, with a port unless that is 22. */
const Host = line(260).transform((value, context) => {
  const { host, port } = partsOf(value);
  const isBracketed = value.startsWith('[');
  const name = isAddress(host) ? host.toLowerCase() : isHostname(host) ? cleanHostname(host) : '';
  const number = Number(port || SSH_PORT);
  if (name === '' || number < 1 || number > 65_535 || (isBracketed && !isIpv6(host))) {
    context.addIssue({ code: 'custom', message: message('server.host_invalid') });
    return z.NEVER;
  }
  if (number === SSH_PORT) return name;
  return isIpv6(name) ? `[${name}]:${number}` : `${name}:${number}`;
});

/** The form of a server. `ssh_password` is kept as typed: it may be a private key of many lines. */
export const ServerInput = z.object({
  name: line(200).min(1, message('team.name_empty')),
  ssh_host: Host,
  ssh_user: line(64).min(1, message('server.user_empty')),
  ssh_password: verbatim(16_384).min(1, message('server.password_empty')),
});
export type ServerInput = z.infer<typeof ServerInput>;

/** Fields of an edit: absent fields stay, and so does a password that comes as the mask. */
export const ServerChange = ServerInput.partial();
export type ServerChange = z.infer<typeof ServerChange>;

const HostKey = z
  .string()
  .trim()
  .regex(
    /^(?:ssh-ed25519|ssh-rsa|ecdsa-sha2-nistp(?:256|384|521)) SHA256:[A-Za-z0-9+/]{43}$/,
    message('server.key_form'),
  );

/**
 * An admin's decision on a changed host key: `accept` names the key, so that a third one shown meanwhile is not accepted
 * unseen.
 */
export const HostKeyDecision = z
  .object({ accept: HostKey.optional(), dismiss: z.literal(true).optional() })
  .refine(({ accept, dismiss }) => (accept === undefined) !== (dismiss === undefined), {
    path: ['accept'],
    message: message('server.decide_once'),
  });
export type HostKeyDecision = z.infer<typeof HostKeyDecision>;

/**
 * A server in a list; `Text` is Message in services and text at the doors. `ssh_password` is the mask for everybody but its creator and admins, who alone may edit it
 * (`can_edit`). `domains` counts those of the portfolio that use it. `host_key` was pinned at the first contact; while a
 * different key that it has shown (`host_key_seen`) waits for an admin, nothing is done with the server. `check_error` is the
 * error of the last test, null if there was none or the server was never tested.
 */
export interface ServerView<Text = string> extends Pick<
  ServerRow,
  'id' | 'name' | 'ssh_host' | 'ssh_user' | 'ssh_password' | 'created_at' | 'host_key' | 'host_key_seen' | 'checked_at'
> {
  check_error: Text | null;
  domains: number;
  can_edit: boolean;
}
