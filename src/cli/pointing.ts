import type { Command } from 'commander';
import type { HelpTexts } from './texts/ru.ts';

/** The account and the server to use. */
export interface PointingFlags {
  account: string;
  server: string;
  tls?: 'on' | 'off';
  updateNs?: boolean;
  dryRun?: boolean;
}

/** The flags that name the account and the server. */
export const withPointing = (command: Command, help: HelpTexts): Command =>
  command
    .requiredOption('--account <account>', help['dns.account'])
    .requiredOption('--server <server>', help['dns.server'])
    .option('--dry-run', help.dry_run);
