import { stat } from 'node:fs/promises';
import { basename } from 'node:path';
import type { Command } from 'commander';
import type { DomainDetail } from '../../shared/portfolio/domains.ts';
import type { SiteView } from '../../shared/sites/sites.ts';
import { cleanHostname } from '../../shared/hostname.ts';
import type { Context } from '../context.ts';
import { columnsOf, type Result } from '../output.ts';
import { planResult } from '../plan-result.ts';
import { act } from '../run.ts';
import { runOperationHere } from '../run-operation.ts';
import { confirm } from '../secret.ts';
import type { HelpTexts } from '../texts/ru.ts';

interface DeployFlags {
  template?: string;
  html?: string;
  dryRun?: boolean;
}

const COLUMNS = columnsOf<Pick<DomainDetail, 'domain_name' | 'server_name' | 'file_path'> & SiteView>({
  domain_name: true,
  server_name: true,
  file_path: true,
  template_id: true,
  template_name: true,
  html_name: true,
  html_bytes: true,
  release: true,
  deployed_at: true,
  updated_at: true,
  deploying: true,
});

/** `site deploy|show`: the sites of domains on their servers. */
export function define(noun: Command, help: HelpTexts): void {
  noun
    .command('deploy')
    .description(help['site deploy'])
    .argument('<name>', help['domain.name'])
    .option('--template <template>', help['site.template'])
    .option('--html <file>', help['site.html'])
    .option('--dry-run', help.dry_run)
    .action(act(deploy));
  noun.command('show').description(help['site show']).argument('<name>', help['domain.name']).action(act(show));
}

async function open(context: Context, name: string) {
  const { config, actor } = await context.open();
  const { findDomainByName } = await import('../../services/portfolio/domain-lists.ts');
  return { config, actor, domain: await findDomainByName(actor, cleanHostname(name)) };
}

/** Returns the content to deploy: the given template and page; the stored ones in place of those not given. */
async function contentOf(domain: DomainDetail, { template, html }: DeployFlags) {
  const [{ contentFor }, { teamRowNamed }] = await Promise.all([
    import('../../services/sites/domain-sites.ts'),
    import('../../services/accounts/team.ts'),
  ]);
  const file = html === undefined ? undefined : { path: html, name: basename(html), size: (await stat(html)).size };
  const template_id = template === undefined ? undefined : (await teamRowNamed('templates', template)).id;
  return contentFor(domain, template_id, file);
}

async function deploy(context: Context, flags: DeployFlags, name: string): Promise<Result> {
  const { config, actor, domain } = await open(context, name);
  const content = await contentOf(domain, flags);
  const [{ checkDeploy, planDeploy }, { deployGiven }] = await Promise.all([
    import('../../services/sites/deploys.ts'),
    import('../../services/sites/domain-sites.ts'),
  ]);
  if (flags.dryRun) return planResult(context, await planDeploy(config, actor, domain.id, content));
  const { files } = await checkDeploy(actor, domain, content);
  const { domain_name, server_name, file_path } = domain;
  const question = { domain: domain_name, n: files.length, server: server_name ?? '', path: file_path };
  await confirm(context, context.say('cli.confirm_deploy', question));
  return runOperationHere(context, { config, actor }, () => deployGiven(actor, domain, content, { here: true }));
}

async function show(context: Context, _flags: object, name: string): Promise<Result> {
  const { actor, domain } = await open(context, name);
  const { findSite, requireSite } = await import('../../services/sites/sites.ts');
  await requireSite(domain);
  const { domain_name, file_path, server_name } = domain;
  const items = [{ domain_name, server_name, file_path, ...(await findSite(actor, domain.id)) }];
  return { items, columns: COLUMNS, summary: { total: 1 } };
}
