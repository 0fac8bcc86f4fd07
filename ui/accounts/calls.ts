import type { AnyView } from '../../src/shared/accounts/kind.ts';
import type { Kind } from '../../src/shared/accounts/kinds.ts';
import { call, refresh, useCall, type Call } from '../kit/api.ts';

/** An account of any kind, with the columns of its kind; `namesIn` reads those that are lists. */
export type Account = AnyView & Readonly<Record<string, string | number | boolean | null>>;

/** Returns a column that is a list of named objects; undefined: it is none. */
export function namesIn(
  account: Account,
  column: string,
): readonly { id: string | number; name: string }[] | undefined {
  const value: unknown = account[column];
  return Array.isArray(value) ? value : undefined;
}

/** The values of the form of an account, by field. */
export type Values = Record<string, string>;

/** The result of a test. `accounts` are the objects that the login reaches, where the kind has a choice among them. */
export interface TestResult {
  ok: boolean;
  message: string;
  accounts?: { id: string; name: string }[];
}

// The calls of a kind are made of its path and method, so that the types of the API can't tell them apart.
const ask = async <T>(
  name: string,
  input: { params?: { id: number }; body?: object; signal?: AbortSignal },
): Promise<T> => (await call(name as Call, input as never)) as T;

/** The call with which a kind's accounts are listed. */
export const listCall = (kind: Kind): Call => `GET ${kind.path}` as const;

export const loadAccounts = async (kind: Kind, signal: AbortSignal): Promise<Account[]> =>
  (await ask<{ data: Account[] }>(listCall(kind), { signal })).data;

export function useAccounts(kind: Kind): {
  accounts: readonly Account[] | undefined;
  error: Error | null;
  refetch: () => void;
} {
  const { data, error, refetch } = useCall(listCall(kind));
  const accounts = (data as { data: Account[] } | undefined)?.data;
  return { accounts, error, refetch: () => void refetch() };
}

/** Saves an account; without an id a new one is added. Then refetches what shows it. */
export async function saveAccount(kind: Kind, id: number | undefined, body: object): Promise<Account> {
  const { data } =
    id === undefined
      ? await ask<{ data: Account }>(`POST ${kind.path}`, { body })
      : await ask<{ data: Account }>(`${kind.edit} ${kind.path}/:id`, { params: { id }, body });
  const groups: Call[] = kind.inGroups ? ['GET /api/cloudflare_groups'] : [];
  await refresh(listCall(kind), 'GET /api/domains', ...groups);
  return data;
}

/** Tests a saved account. */
export async function testAccount(kind: Kind, id: number): Promise<TestResult> {
  const { data } = await ask<{ data: TestResult }>(`POST ${kind.path}/:id/test`, { params: { id }, body: {} });
  return data;
}

/** Tests a login before it is saved, where the kind allows it. */
export async function testLogin(kind: Kind, body: Partial<Values>): Promise<TestResult> {
  return (await ask<{ data: TestResult }>(`POST ${kind.path}/test`, { body })).data;
}

export const removeAccount = (kind: Kind, id: number): Promise<{ message: string }> =>
  ask(`DELETE ${kind.path}/:id`, { params: { id } });
