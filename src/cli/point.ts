import { findTeamRow, teamRowNamed } from '../services/accounts/team.ts';
import { planDnsChange, startDnsChange } from '../services/dns/change.ts';
import type { ServerRow } from '../shared/accounts/tables.ts';
import { ManageDnsInput } from '../shared/dns/dns-changes.ts';
import type { Context } from './context.ts';
import type { Result } from './output.ts';
import { parseInput } from './parse.ts';
import { planResult } from './plan-result.ts';
import type { PointingFlags } from './pointing.ts';
import { runOperationHere } from './run-operation.ts';
import { confirm } from './secret.ts';

/** Points a domain at a server, or attaches domains to it: shows the plan, confirms, and runs exactly that plan. */
export async function point(
  context: Context,
  { account, server, tls, updateNs, dryRun }: PointingFlags,
  domainName: string,
  pageRules?: string[],
): Promise<Result> {
  const { config, actor } = await context.open();
  const { id: accountId } = await teamRowNamed('cloudflare_accounts', account);
  const { ssh_host } = await findTeamRow<ServerRow>('servers', (await teamRowNamed('servers', server)).id);
  const switches = { tls: tls ?? 'off', updateNs: updateNs ? 'on' : 'off' };
  const input = parseInput(ManageDnsInput, { accountId, domainName, ipAddress: ssh_host, pageRules, ...switches });
  if (dryRun) return planResult(context, await planDnsChange(actor, input));
  const domains = pageRules?.length ?? 1;
  await confirm(context, context.say('cli.confirm_point', { domain: domainName, n: domains, server: ssh_host }));
  return runOperationHere(context, { config, actor }, () => startDnsChange(actor, input, { here: true }));
}
