import type { z } from 'zod';
import { AppError } from './errors.ts';
import { isKey } from './i18n/index.ts';

/** Returns the key of the catalogues for an issue of a schema: its own if it is one, else a general one. */
function issueKey(issue: z.core.$ZodIssue): string {
  if (isKey(issue.message)) return issue.message;
  const missing = issue.code === 'invalid_type' && issue.message.endsWith('received undefined');
  return missing ? 'error.required' : 'error.invalid_value';
}

/** Turns a schema's error into an AppError `invalid` with the messages of all wrong fields. */
export function invalidInput(error: z.ZodError): AppError {
  const fields: Record<string, string> = {};
  for (const issue of error.issues) fields[issue.path.join('.') || 'body'] ??= issueKey(issue);
  return new AppError('invalid', 'error.invalid', { fields: Object.keys(fields).join(', ') }, { fields });
}
