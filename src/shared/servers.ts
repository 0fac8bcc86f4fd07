import { z } from 'zod';
import type { ServerRow } from './accounts.ts';
import { cleanHostname, isHostname } from './hostname.ts';
import { line, message, verbatim } from './text.ts';

const isAddress = (value: string): boolean => z.union([z.ipv4(), z.ipv6()]).safeParse(value).success;

/** An address or a host name. */
const Host = line(253).transform((value, context) => {
  if (isAddress(value)) return value.toLowerCase();
  if (isHostname(value)) return cleanHostname(value);
  context.addIssue({ code: 'custom', message: message('server.host_invalid') });
  return z.NEVER;
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

/**
 * A server in a list. `ssh_password` is the mask for everybody but its creator and admins, who alone may edit it
 * (`can_edit`). `domains` are those of the portfolio that use it.
 */
export interface ServerView extends Pick<
  ServerRow,
  'id' | 'name' | 'ssh_host' | 'ssh_user' | 'ssh_password' | 'created_at'
> {
  domains: number;
  can_edit: boolean;
}
