import type { Context } from './context.ts';
import type { Result } from './output.ts';

/**
 * Returns the `--dry-run` result of a command that would change one row of the database: that row, validated but not
 * written.
 */
export const rehearsed = (context: Context, row: object): Result => ({
  items: [row],
  summary: { total: 1 },
  data: { dry_run: true },
  note: () => context.say('cli.dry_run'),
});
