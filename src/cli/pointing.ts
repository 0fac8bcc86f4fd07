import type { Command } from 'commander';
import type { ServerRow } from '../shared/accounts/tables.ts';
import { ManageDnsInput } from '../shared/dns/dns-changes.ts';
import type { Context } from './context.ts';
import type { Result } from './output.ts';
import { parseInput } from './parse.ts';
import { planResult } from './plan-result.ts';
import { runOperationHere } from './run-operation.ts';
import { confirm } from './secret.ts';
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

/** Points a domain at a server, or attaches domains to it: shows the plan, confirms, and runs exactly that plan. */
export async function point(
  context: Context,
  { account, server, tls, updateNs, dryRun }: PointingFlags,
  domainName: string,
  pageRules?: string[],
): Promise<Result> {
  const { config, actor } = await context.open();
  const [{ planDnsChange, startDnsChange }, { findTeamRow, teamRowNamed }] = await Promise.all([
    import('../services/dns/change.ts'),
    import('../services/accounts/team.ts'),
  ]);
  const { id: accountId } = await teamRowNamed('cloudflare_accounts', account);
  const { ssh_host } = await findTeamRow<ServerRow>('servers', (await teamRowNamed('servers', server)).id);
  const switches = { tls: tls ?? 'off', updateNs: updateNs ? 'on' : 'off' };
  const input = parseInput(ManageDnsInput, { accountId, domainName, ipAddress: ssh_host, pageRules, ...switches });
  if (dryRun) return planResult(context, await planDnsChange(config, actor, input));
  const domains = pageRules?.length ?? 1;
  await confirm(context, context.say('cli.confirm_point', { domain: domainName, n: domains, server: ssh_host }));
  return runOperationHere(context, { config, actor }, () => startDnsChange(actor, input, { here: true }));
}
