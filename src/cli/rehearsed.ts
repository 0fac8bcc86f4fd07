import type { Context } from './context.ts';
import type { Result } from './output.ts';

/** The answer of `--dry-run` of a command that would change one row of our own: that row, checked and not written. */
export const rehearsed = (context: Context, row: object): Result => ({
  items: [row],
  data: { dry_run: true },
  note: () => context.say('cli.dry_run'),
});
