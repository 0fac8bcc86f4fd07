import { stat } from 'node:fs/promises';
import { basename } from 'node:path';
import { teamRowNamed } from '../../../services/accounts/team.ts';
import { checkDeploy, planDeploy } from '../../../services/sites/deploys.ts';
import { contentFor, deployGiven } from '../../../services/sites/domain-sites.ts';
import type { DomainDetail } from '../../../shared/portfolio/domains.ts';
import type { Context } from '../../context.ts';
import type { Result } from '../../output.ts';
import { planResult } from '../../plan-result.ts';
import { runOperationHere } from '../../run-operation.ts';
import { confirm } from '../../secret.ts';
import { domainNamed } from '../../found/named.ts';

interface DeployFlags {
  template?: string;
  html?: string;
  dryRun?: boolean;
}

/** Returns the content to deploy: the given template and page; the stored ones in place of those not given. */
async function contentOf(domain: DomainDetail, { template, html }: DeployFlags) {
  const file = html === undefined ? undefined : { path: html, name: basename(html), size: (await stat(html)).size };
  const template_id = template === undefined ? undefined : (await teamRowNamed('templates', template)).id;
  return contentFor(domain, template_id, file);
}

/** `site deploy`: puts the site of a domain on its server. */
export async function deploy(context: Context, flags: DeployFlags, name: string): Promise<Result> {
  const { config, actor } = await context.open();
  const domain = await domainNamed(actor, name);
  const content = await contentOf(domain, flags);
  if (flags.dryRun) return planResult(context, await planDeploy(actor, domain.id, content));
  const { files } = await checkDeploy(actor, domain, content);
  const { domain_name, server_name, file_path } = domain;
  const question = { domain: domain_name, n: files.length, server: server_name ?? '', path: file_path };
  await confirm(context, context.say('cli.confirm_deploy', question));
  return runOperationHere(context, { config, actor }, () => deployGiven(actor, domain, content, { here: true }));
}
