import { z } from 'zod';
import { AppError } from './errors.ts';

type Values = Readonly<Record<string, unknown>>;

const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
};

/**
 * Values of fields when their form was opened, as the call that was read for it tells them: the edit is refused where one of them has
 * another value by now. A form with a file has it as JSON text.
 */
export const Was = z
  .preprocess((value) => (typeof value === 'string' ? parsed(value) : value), z.record(z.string(), z.unknown()))
  .optional();
export type Was = z.infer<typeof Was>;

// An empty value is null in a list and '' in a form.
const isSame = (one: unknown, other: unknown): boolean => JSON.stringify(one ?? '') === JSON.stringify(other ?? '');

/**
 * Throws AppError `conflict` (`stale`) with what is there `now` where fields hold neither what they were nor what is written, and
 * `invalid` for a field that `row` does not have. To be called in the transaction that writes.
 */
export function refuseStale(was: Was, row: Values, written: Values): void {
  const names = Object.keys(was ?? {});
  const unknown = names.filter((name) => !Object.hasOwn(row, name));
  if (unknown.length > 0)
    throw new AppError('invalid', 'error.invalid', { fields: 'was' }, { fields: { was: 'error.invalid_value' } });
  const stale = names.filter((name) => !isSame(was?.[name], row[name]) && !isSame(written[name], row[name]));
  if (stale.length === 0) return;
  const fields = Object.fromEntries(stale.map((name) => [name, 'error.stale_field']));
  const now = Object.fromEntries(stale.map((name) => [name, row[name]]));
  throw new AppError('conflict', 'error.stale', { fields: stale.join(', ') }, { code: 'stale', fields, more: { now } });
}
