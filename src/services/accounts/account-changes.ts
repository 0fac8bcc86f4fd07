// The rules of adding and editing an account of any kind.
import { fieldsOf, secretFieldOf, type AccountChange, type AccountInput } from '../../shared/accounts/kind.ts';
import type { Kind } from '../../shared/accounts/kinds.ts';
import { refuseStale, type Was } from '../../shared/stale.ts';
import type { Table } from '../../shared/table.ts';
import type { Actor } from '../access/scope.ts';
import { checkSettings, forgottenWith, textsOf, type Values } from './account-settings.ts';
import type { AccountRow } from './rows.ts';
import { findOwnTeamRow, newSecret, requireSecret } from './team.ts';
import { untested } from './tester.ts';
import { testerOf } from './testers.ts';

const columnOf = ({ columns }: Table, name: string) => columns[name];

/** Returns the values of the given fields but the secret, as their columns store them. */
export function storedFields(kind: Kind, values: Values): Record<string, string | null> {
  const given = fieldsOf(kind).flatMap(([name, field]) => {
    const value = values[name];
    if (field.kind === 'secret' || value === undefined) return [];
    return [[name, value === '' && columnOf(kind.table, name)?.nullable ? null : value]];
  });
  return Object.fromEntries(given) as Record<string, string | null>;
}

/** Throws what `createAccount` would throw for its input, and stores nothing. Returns the secret. */
export async function checkCreatable<K extends Kind>(kind: K, input: AccountInput<K>): Promise<string> {
  const values = input as Values;
  const field = secretFieldOf(kind);
  const secret = requireSecret(field, values[field] ?? '');
  checkSettings(kind, values);
  await testerOf(kind).checkSecret?.(secret);
  return secret;
}

/** `was`: the former fields that `refuseStale` compares; `approve`: a check of the edit in its transaction, which may throw. */
export interface EditOptions {
  was?: Was | undefined;
  approve?: (before: AccountRow, changed: Values) => Promise<void>;
}

/** Returns the new secret of a change. Throws as `checkSecret` of its kind. */
export async function changedSecret<K extends Kind>(kind: K, change: AccountChange<K>): Promise<string | undefined> {
  const secret = newSecret((change as Values)[secretFieldOf(kind)]);
  if (secret !== undefined) await testerOf(kind).checkSecret?.(secret);
  return secret;
}

interface Edit {
  isNewLogin: boolean;
  columns: Record<string, unknown>;
}

/** Returns what an edit writes but the secret. Throws where the account must not be edited so. */
export async function approvedEdit<K extends Kind>(
  actor: Actor,
  kind: K,
  id: number,
  change: AccountChange<K>,
  { was, approve }: EditOptions,
): Promise<Edit> {
  const values = change as Values;
  const hasSecret = newSecret(values[secretFieldOf(kind)]) !== undefined;
  const before = await findOwnTeamRow<AccountRow>(actor, kind.table.name, id);
  const texts = textsOf(kind, before);
  refuseStale(was, { name: before.name, ...texts }, values);
  checkSettings(kind, values, texts);
  const fields = storedFields(kind, values);
  const changed = Object.keys(fields).filter((name) => fields[name] !== before[name]);
  const isNewLogin = hasSecret || changed.length > 0;
  const name = change.name === undefined ? {} : { name: change.name };
  const forgotten = forgottenWith(kind, changed, hasSecret);
  await approve?.(before, values);
  return { isNewLogin, columns: { ...name, ...fields, ...forgotten, ...(isNewLogin && untested(kind.table)) } };
}

/** Throws what `updateAccount` would throw, and changes nothing. */
export async function checkEditable<K extends Kind>(
  actor: Actor,
  kind: K,
  id: number,
  change: AccountChange<K>,
  options: EditOptions = {},
): Promise<void> {
  await changedSecret(kind, change);
  await approvedEdit(actor, kind, id, change, options);
}
