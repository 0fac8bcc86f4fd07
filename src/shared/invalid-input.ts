import type { z } from 'zod';
import { AppError } from './errors.ts';
import { isKey } from './i18n/index.ts';

/** Returns what stands at a path of an input; undefined: nothing does. */
const valueAt = (given: unknown, path: readonly PropertyKey[]): unknown =>
  path.reduce<unknown>(
    (value, key) => (typeof value === 'object' && value !== null ? Reflect.get(value, key) : undefined),
    given,
  );

/** Returns how many entries a list may have that has more; undefined: the issue is another one. */
const mostOf = (issue: z.core.$ZodIssue): number | undefined =>
  issue.code === 'too_big' && issue.origin === 'array' ? Number(issue.maximum) : undefined;

/** Returns the key of the catalogues for an issue of a schema: its own if it is one, else a general one. */
function issueKey(issue: z.core.$ZodIssue, given: unknown): string {
  if (isKey(issue.message)) return issue.message;
  if (mostOf(issue) !== undefined) return 'error.long_list';
  // A schema says so of text alone: of an enum or a union it says that none of its values was given.
  return valueAt(given, issue.path) === undefined ? 'error.required' : 'error.invalid_value';
}

/** Turns a schema's error into an AppError `invalid` with the messages of all wrong fields. `given` is what the schema was given. */
export function invalidInput(error: z.ZodError, given: unknown): AppError {
  const fields: Record<string, string> = {};
  for (const issue of error.issues) fields[issue.path.join('.') || 'body'] ??= issueKey(issue, given);
  const [most] = error.issues.flatMap((issue) => mostOf(issue) ?? []);
  const params = { fields: Object.keys(fields).join(', '), ...(most !== undefined && { most }) };
  return new AppError('invalid', 'error.invalid', params, { fields });
}
