import type { z } from 'zod';
import { AppError } from '../shared/errors.ts';
import { isKey } from '../shared/i18n/index.ts';

/** Parses input with the API's shape. Throws AppError `invalid` with all invalid fields. */
export function parseInput<Shape extends z.ZodType>(shape: Shape, input: unknown): z.output<Shape> {
  const parsed = shape.safeParse(input);
  if (parsed.success) return parsed.data;
  const fields: Record<string, string> = {};
  for (const { path, message } of parsed.error.issues) {
    fields[path.join('.')] ??= isKey(message) ? message : 'error.invalid_value';
  }
  throw new AppError('invalid', 'error.invalid', { fields: Object.keys(fields).join(', ') }, { fields });
}
