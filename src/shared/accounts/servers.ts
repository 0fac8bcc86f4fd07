import { z } from 'zod';
import type { ServerRow } from './accounts.ts';
import { cleanHostname, isHostname } from '../hostname.ts';
import { line, message, verbatim } from '../text.ts';

/** Where the sites of a server lie. */
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

/** The port in an `ssh_host`; 22 where it names none. */
export const portOf = (sshHost: string): number => Number(partsOf(sshHost).port || SSH_PORT);

/** An address or a host name, with a port where that is not 22. */
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

/** The form of a server. `ssh_password` is kept as it was typed: it may be a private key of many lines. */
export const ServerInput = z.object({
  name: line(200).min(1, message('team.name_empty')),
  ssh_host: Host,
  ssh_user: line(64).min(1, message('server.user_empty')),
  ssh_password: verbatim(16_384).min(1, message('server.password_empty')),
});
export type ServerInput = z.infer<typeof ServerInput>;

/** The fields an edit may carry: what is absent stays, and so does a password that comes as the mask. */
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
 * What an admin says of another key that a server has shown: `accept` is that key, so that a third one that was shown
 * meanwhile is not accepted unseen.
 */
export const HostKeyDecision = z
  .object({ accept: HostKey.optional(), dismiss: z.literal(true).optional() })
  .refine(({ accept, dismiss }) => (accept === undefined) !== (dismiss === undefined), {
    path: ['accept'],
    message: message('server.decide_once'),
  });
export type HostKeyDecision = z.infer<typeof HostKeyDecision>;

/**
 * A server in a list. `ssh_password` is the mask for everybody but its creator and admins, who alone may edit it
 * (`can_edit`). `domains` are those of the portfolio that use it. `host_key` is what it is known by since the first contact;
 * while `host_key_seen`, another one that it has shown, waits for an admin, nothing is done with it. `check_error` is the
 * sentence of the last look at it, null where all was well or it was never looked at.
 */
export interface ServerView extends Pick<
  ServerRow,
  | 'id'
  | 'name'
  | 'ssh_host'
  | 'ssh_user'
  | 'ssh_password'
  | 'created_at'
  | 'host_key'
  | 'host_key_seen'
  | 'checked_at'
  | 'check_error'
> {
  domains: number;
  can_edit: boolean;
}
