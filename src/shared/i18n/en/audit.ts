import type { audit as ru } from '../ru/audit.ts';

/** The audit: who has done what. */
export const audit: Record<keyof typeof ru, string> = {
  'audit.empty': 'The audit is empty',
  'audit.intact': 'The audit is intact, rows: {rows}. The last one is {last}; verify against it later (--known)',
  'audit.broken_missing': 'The audit is broken: row {id} is missing',
  'audit.broken_changed': 'The audit is broken: row {id} was changed',
  'audit.broken_extra': 'The audit is broken: row {id} was not added by the program',
};
