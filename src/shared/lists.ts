import { z } from 'zod';
import { AppError } from './errors.ts';
import { line, message } from './text.ts';

/** A list answer; `total` is there only if a part of the list was asked for. */
export interface ListOf<T> {
  data: T[];
  total?: number;
}

const collator = /* @__PURE__ */ new Intl.Collator('ru', { numeric: true });

/** The order of names as people read them, in either alphabet; databases know that of ASCII alone. Equal ones go by id. */
export const byName = (one: { id: number; name: string }, other: { id: number; name: string }): number =>
  collator.compare(one.name, other.name) || one.id - other.id;

/** Query of every list that can grow large. Without `limit` all rows are returned. */
export const Paging = z.object({
  limit: z.coerce.number().int().min(1).max(100_000).optional(),
  offset: z.coerce.number().int().min(0).max(1e9).optional(),
  search: line(200).optional(),
  sort: z
    .string()
    .regex(/^-?[a-z_][a-z0-9_]{0,39}$/, message('error.invalid_value'))
    .optional(),
});
export type Paging = z.infer<typeof Paging>;

/** The order of a list by one of its fields. */
export interface Order<Field extends string> {
  field: Field;
  descending: boolean;
}

/** Returns the order of a `sort` parameter, a field or `-field`. Throws AppError `invalid` for one that is not among `fields`. */
export function parseSort<Field extends string>(sort: string, fields: readonly Field[]): Order<Field> {
  const field = fields.find((name) => name === sort.replace(/^-/, ''));
  if (field === undefined) {
    throw new AppError('invalid', 'error.invalid', { fields: 'sort' }, { fields: { sort: 'error.invalid_value' } });
  }
  return { field, descending: sort.startsWith('-') };
}
