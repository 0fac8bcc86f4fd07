// The fields of an account of any kind, as they are typed.
import { fieldsOf, optionFieldOf, secretFieldOf } from '../../shared/accounts/kind.ts';
import type { Kind } from '../../shared/accounts/kinds.ts';
import { AppError } from '../../shared/errors.ts';
import type { Key } from '../../shared/i18n/index.ts';

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
