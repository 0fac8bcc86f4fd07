import { Option, type Command } from 'commander';
import type { DomainFilter } from '../shared/portfolio/domains.ts';
import { usageError } from './context.ts';
import type { HelpTexts } from './texts/ru.ts';

/** The flags that select domains of the portfolio. */
export interface SelectionFlags {
  all?: boolean;
  project?: string;
  status?: DomainFilter;
}

/** Adds the flags that select domains. */
export const withSelection = (command: Command, help: HelpTexts): Command =>
  command
    .option('--all', help.all)
    .option('-p, --project <name>', help.of_project)
    .addOption(
      new Option('--status <status>', help.by_status).choices(['all', 'active', 'blocked', 'broken', 'expired']),
    );

/** Returns whether the flags select from the portfolio. Throws a usage error if names are given, too. */
export function isPortfolio(flags: SelectionFlags & { file?: string }, names: string[]): boolean {
  const selected = flags.all === true || flags.project !== undefined || flags.status !== undefined;
  if (selected && (names.length > 0 || flags.file !== undefined)) {
    throw usageError('cli.conflict', { reason: '--all, --project, --status; NAME, --file' });
  }
  return selected;
}

/** Whether the flags select the whole portfolio: the command does what a job of the schedule does. */
export const isWhole = ({ all, project, status }: SelectionFlags): boolean =>
  all === true && project === undefined && (status === undefined || status === 'all');
