import type { z } from 'zod';

/** Reads input by the shape that the API reads it by. Throws AppError `invalid` with every field that is wrong. */
export async function parseInput<Shape extends z.ZodType>(shape: Shape, input: unknown): Promise<z.output<Shape>> {
  const parsed = shape.safeParse(input);
  if (parsed.success) return parsed.data;
  const [{ AppError }, { isKey }] = await Promise.all([
    import('../shared/errors.ts'),
    import('../shared/i18n/index.ts'),
  ]);
  const fields: Record<string, string> = {};
  for (const { path, message } of parsed.error.issues) {
    fields[path.join('.')] ??= isKey(message) ? message : 'error.invalid_value';
  }
  throw new AppError('invalid', 'error.invalid', { fields: Object.keys(fields).join(', ') }, { fields });
}
