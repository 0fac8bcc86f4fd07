import { execute, select, transaction } from '../../../db/index.ts';
import type { SiteRow } from '../../shared/sites/tables.ts';
import type { DomainView } from '../../shared/portfolio/domains.ts';
import { AppError, unknownReference } from '../../shared/errors.ts';
import type { SiteView } from '../../shared/sites/sites.ts';
import type { SiteFile } from '../../shared/sites/sites.ts';
import { findDomain } from '../portfolio/domain-lists.ts';
import { releaseOf, type Release } from './releases.ts';
import { renderSite } from './site-content.ts';
import type { Actor } from '../access/scope.ts';
import { openTemplate } from './templates.ts';

/** The content of a site: a template, and the page that gives its text; without a page the text is empty. */
export interface SiteContent {
  template_id: number;
  html_name: string;
  html: string;
}

/** Returns the stored content of a domain's site, or null. */
export async function siteOf(domainId: number): Promise<SiteRow | null> {
  const [row] = await select<SiteRow>('SELECT * FROM sites WHERE domain_id = $domainId', { domainId });
  return row ?? null;
}

const pageOf = ({ html_name, html }: Pick<SiteContent, 'html_name' | 'html'>): string | null =>
  html_name === '' && html === '' ? null : html;

/** Renders the files of a site for a name. Throws AppError `not_found` where its template has no ZIP. */
export const renderedSite = async (site: SiteContent, domain: string): Promise<SiteFile[]> =>
  renderSite(await openTemplate(site.template_id), pageOf(site), domain);

/** Builds the release of a site for a name. Throws as `renderedSite`. */
export const releaseOfSite = async (site: SiteContent, domain: string): Promise<Release> =>
  releaseOf(await renderedSite(site, domain));

/** Throws `refused` for a template that does not exist. */
export async function requireTemplate(template_id: number): Promise<void> {
  const rows = await select('SELECT 1 FROM templates WHERE id = $template_id', { template_id });
  if (rows.length === 0) throw unknownReference('template_id');
}

/**
 * Stores the content of a domain's site; the live release is only noted by a deployment. Throws AppError `refused` for
 * an unknown template.
 */
export async function keepSite(domainId: number, { template_id, html_name, html }: SiteContent): Promise<void> {
  await transaction(async () => {
    await requireTemplate(template_id);
    const now = new Date().toISOString();
    await execute(
      `INSERT INTO sites (domain_id, template_id, html_name, html, updated_at)
       VALUES ($domainId, $template_id, $html_name, $html, $now)
       ON CONFLICT (domain_id) DO UPDATE SET template_id = excluded.template_id, html_name = excluded.html_name,
         html = excluded.html, updated_at = excluded.updated_at`,
      { domainId, template_id, html_name, html, now },
    );
    await execute(
      'UPDATE domains SET template_id = $template_id WHERE id = $domainId AND template_id IS NOT $template_id',
      {
        domainId,
        template_id,
      },
    );
  });
}

/**
 * Returns the site of a domain of the caller's, without its text; null where it has none. Throws AppError `not_found`.
 */
export async function findSite(actor: Actor, domainId: number): Promise<SiteView | null> {
  await findDomain(actor, domainId);
  const [row] = await select<SiteView>(
    `SELECT s.template_id, t.name AS template_name, s.html_name, length(CAST(s.html AS BLOB)) AS html_bytes, s.release,
       s.deployed_at, s.updated_at,
       (SELECT o.id FROM operations o JOIN operation_items i ON i.operation_id = o.id
        WHERE i.item = 'site ' || d.domain_name AND o.state IN ('queued', 'running') ORDER BY o.id DESC LIMIT 1) AS deploying
     FROM sites s JOIN templates t ON t.id = s.template_id JOIN domains d ON d.id = s.domain_id WHERE s.domain_id = $domainId`,
    { domainId },
  );
  return row ?? null;
}

/** Returns the stored site of a domain. Throws AppError `refused` where it has none. */
export async function requireSite({ id, domain_name }: Pick<DomainView, 'id' | 'domain_name'>): Promise<SiteRow> {
  const site = await siteOf(id);
  if (!site) throw new AppError('refused', 'site.none', { domain: domain_name }, { code: 'no_site' });
  return site;
}

/** The release that is live on a domain's server from now on; null: none of ours. */
export interface NewRelease {
  domain_id: number;
  release: string | null;
}

/** Notes which release of a site is live. Runs in the transaction that notes the act. */
export async function noteReleases(rows: NewRelease[]): Promise<void> {
  const now = new Date().toISOString();
  for (const { domain_id, release } of rows) {
    await execute(
      `UPDATE sites SET release = $release, deployed_at = iif($release IS NULL, NULL, $now) WHERE domain_id = $domain_id`,
      { domain_id, release, now },
    );
  }
}
