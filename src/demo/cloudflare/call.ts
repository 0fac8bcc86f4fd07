import type { ZodType } from 'zod';
import { refuse, type Reply } from './reply.ts';
import type { Login, Permission, Store, Zone } from './state.ts';

/** An authenticated call. */
export interface Call {
  store: Store;
  login: Login;
  params: Record<string, string>;
  query: URLSearchParams;
  body: unknown;
  options: CallOptions;
}

/** An authenticated call on a zone that the login reaches. */
export interface ZoneCall extends Call {
  zone: Zone;
}

/** Options of the fake's behaviour. */
export interface CallOptions {
  /** Seconds between two activation checks of a zone; an hour on the free plan. */
  activationSeconds: number;
  /** Page rules listed without `status`: the live API lists all, its documentation says disabled ones. */
  unfilteredPageRules: 'all' | 'disabled';
}

/** Calls by `METHOD /path/:param`, with the permission that a token needs. */
export type Routes<OneCall> = Record<string, { needs?: Permission; run: (call: OneCall) => Reply }>;

/** Whether a login has a permission: a key has all, a token those it lists; `edit` includes `read`. */
export const may = (login: Login, permission: Permission): boolean =>
  login.token === undefined ||
  (login.permissions ?? []).some((own) => own === permission || own === permission.replace(':read', ':edit'));

/** Whether a login reaches a zone: it is in one of its accounts, and its token is not limited to other zones. */
export const reaches = ({ accounts, zones }: Login, { account_id, name }: Zone): boolean =>
  accounts.includes(account_id) && (zones?.includes(name) ?? true);

/** Parses a body by its schema; refuses with `code` and the first issue. */
export function take<Body>(shape: ZodType<Body>, body: unknown, code: number, message: string): Body {
  const parsed = shape.safeParse(body);
  if (parsed.success) return parsed.data;
  const issue = parsed.error.issues[0];
  return refuse(400, code, `${message}: ${issue?.path.join('.') || 'body'}: ${issue?.message ?? 'invalid'}`);
}
