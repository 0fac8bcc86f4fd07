import type { ZodType } from 'zod';
import { refuse, type Reply } from './reply.ts';
import type { Login, Permission, Store, Zone } from './state.ts';

/** A call that was let in. */
export interface Call {
  store: Store;
  login: Login;
  params: Record<string, string>;
  query: URLSearchParams;
  body: unknown;
  options: CallOptions;
}

/** The same, about a zone that the caller reaches. */
export interface ZoneCall extends Call {
  zone: Zone;
}

/** What differs between installations of the fake. */
export interface CallOptions {
  /** How long activation may not be asked for again, in seconds; an hour on the free plan. */
  activationSeconds: number;
  /** What a list of page rules without `status` shows: the live API shows all, its description says disabled ones. */
  unfilteredPageRules: 'all' | 'disabled';
}

/** Calls by `METHOD /path/:param`; what a token needs for each. */
export type Routes<OneCall> = Record<string, { needs?: Permission; run: (call: OneCall) => Reply }>;

/** Whether a login may do a thing: a key may do all, a token what it lists, and who edits reads. */
export const may = (login: Login, permission: Permission): boolean =>
  login.token === undefined ||
  (login.permissions ?? []).some((own) => own === permission || own === permission.replace(':read', ':edit'));

/** Whether a login may reach a zone: of one of its accounts, and none that its token leaves out. */
export const reaches = ({ accounts, zones }: Login, { account_id, name }: Zone): boolean =>
  accounts.includes(account_id) && (zones?.includes(name) ?? true);

/** Takes a body by its shape; refuses with `code` and the first thing that is wrong. */
export function take<Body>(shape: ZodType<Body>, body: unknown, code: number, message: string): Body {
  const parsed = shape.safeParse(body);
  if (parsed.success) return parsed.data;
  const issue = parsed.error.issues[0];
  return refuse(400, code, `${message}: ${issue?.path.join('.') || 'body'}: ${issue?.message ?? 'invalid'}`);
}
