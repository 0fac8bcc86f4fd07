import { findSite, requireSite } from '../../../services/sites/sites.ts';
import type { DomainDetail } from '../../../shared/portfolio/domains.ts';
import type { SiteView } from '../../../shared/sites/sites.ts';
import type { Context } from '../../context.ts';
import { columnsOf, type Result } from '../../output.ts';
import { domainNamed } from '../../found/named.ts';

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

/** `site show`: the deployed site of a domain. */
export async function show(context: Context, _flags: object, name: string): Promise<Result> {
  const { actor } = await context.open();
  const domain = await domainNamed(actor, name);
  await requireSite(domain);
  const { domain_name, file_path, server_name } = domain;
  const items = [{ domain_name, server_name, file_path, ...(await findSite(actor, domain.id)) }];
  return { items, columns: COLUMNS, summary: { total: 1 } };
}
