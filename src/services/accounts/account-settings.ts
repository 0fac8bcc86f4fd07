// The fields of an account of any kind, as they are typed, and the rules of adding and editing it.
import {
  fieldsOf,
  optionFieldOf,
  secretFieldOf,
  type AccountChange,
  type AccountInput,
} from '../../shared/accounts/kind.ts';
import type { Kind } from '../../shared/accounts/kinds.ts';
import { AppError } from '../../shared/errors.ts';
import type { Key } from '../../shared/i18n/index.ts';
import { refuseStale, type Was } from '../../shared/stale.ts';
import type { Table } from '../../shared/table.ts';
import type { Actor } from '../access/scope.ts';
import type { AccountRow } from './rows.ts';
import { findOwnTeamRow, newSecret, requireSecret } from './team.ts';
import { untested } from './tester.ts';
import { testerOf } from './testers.ts';

export type Values = Readonly<Record<string, string | undefined>>;

/**
 * Throws AppError `invalid` for an option that was changed, a setting that the option does not have, and one that it needs
 * and that is empty, unless it was so before.
 */
export function checkSettings(kind: Kind, values: Values, before: Values = {}): void {
  const fields: Record<string, Key> = {};
  const after: Values = { ...before, ...given(values) };
  const option = optionFieldOf(kind);
  const chosen = option === undefined ? '' : (after[option] ?? '');
  for (const [name, field] of fieldsOf(kind)) {
    const value = after[name] ?? '';
    if (field.kind === 'option' && before[name] !== undefined && before[name] !== value) fields[name] = field.locked;
    if (field.kind !== 'setting') continue;
    if (value !== '' && !field.having.includes(chosen)) fields[name] = 'team.not_of_type';
    const isEmptied = values[name] === '' && before[name] !== '';
    if (isEmptied && field.needing.includes(chosen)) fields[name] = 'team.needed';
  }
  const names = Object.keys(fields);
  if (names.length > 0) throw new AppError('invalid', 'error.invalid', { fields: names.join(', ') }, { fields });
}

/** Returns the values that are there. */
export const given = (values: Values): Values =>
  Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined));

/**
 * Returns the columns that become null with the changed fields. Throws AppError `invalid` for another host without the secret:
 * otherwise a user who may edit the row without knowing its secret could have it sent to a machine of their own.
 */
export function forgottenWith(kind: Kind, changed: readonly string[], hasSecret: boolean): Record<string, null> {
  const forgotten = fieldsOf(kind).flatMap(([name, field]) => {
    if (field.kind !== 'host' || !changed.includes(name)) return [];
    if (hasSecret) return field.forgets;
    const secret = secretFieldOf(kind);
    throw new AppError('invalid', 'error.invalid', { fields: secret }, { fields: { [secret]: field.again } });
  });
  return Object.fromEntries(forgotten.map((column) => [column, null]));
}

/** Returns the fields of an account but its secret, as texts. */
export const textsOf = (
  kind: Kind,
  values: Readonly<Record<string, string | number | null | undefined>>,
): Record<string, string> =>
  Object.fromEntries(
    fieldsOf(kind).flatMap(([name, field]) => (field.kind === 'secret' ? [] : [[name, String(values[name] ?? '')]])),
  );

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
