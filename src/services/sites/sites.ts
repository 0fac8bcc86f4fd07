import { note } from '../../../db/audit.ts';
import { transaction } from '../../../db/index.ts';
import { findRow } from '../../../db/rows.ts';
import { templates, type SiteRow } from '../../shared/sites/tables.ts';
import { webRoot, type DomainView } from '../../shared/portfolio/domains.ts';
import { domains } from '../../shared/portfolio/tables.ts';
import type { Place } from '../portfolio/folder-claims.ts';
import { AppError, unknownReference } from '../../shared/errors.ts';
import type { SiteView } from '../../shared/sites/sites.ts';
import type { SiteFile } from '../../shared/sites/sites.ts';
import { findDomain } from '../portfolio/domain-lists.ts';
import { releaseOf, type Release } from './releases.ts';
import { renderSite } from './site-content.ts';
import type { Actor } from '../access/scope.ts';
import { findSiteRow, findSiteView, upsertSite, updateDomainTemplate, updateRelease } from './rows.ts';
import { openTemplate } from './templates.ts';

/** The content of a site: a template, and the page that gives its text; without a page the text is empty. */
export interface SiteContent {
  template_id: number;
  html_name: string;
  html: string;
}

/** Returns the stored content of a domain's site, or null. */
export const siteOf = async (domainId: number): Promise<SiteRow | null> => (await findSiteRow(domainId)) ?? null;

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
  if (!(await findRow(templates, template_id))) throw unknownReference('template_id');
}

/** Returns what the audit tells of a site: its text is not in there. */
const toldOf = ({ template_id, html_name, html }: SiteContent) => ({
  site: { template_id, html_name, html: `${Buffer.byteLength(html)} bytes` },
});

function noteSite(domainId: number, former: SiteContent | null, content: SiteContent): void {
  const before = former && { before: toldOf(former) };
  note({ action: 'update', object: 'domains', id: domainId, ...before, after: toldOf(content), covers: ['sites'] });
}

/**
 * Stores the content of a domain's site; the live release is only noted by a deployment. Throws AppError `refused` for
 * an unknown template.
 */
export async function keepSite(domainId: number, content: SiteContent): Promise<void> {
  await transaction(async () => {
    await requireTemplate(content.template_id);
    const former = await siteOf(domainId);
    await upsertSite(domainId, content);
    await updateDomainTemplate(domainId, content.template_id);
    noteSite(domainId, former, content);
  });
}

/**
 * Returns the site of a domain of the caller's, without its text; null where it has none. Throws AppError `not_found`.
 */
export async function findSite(actor: Actor, domainId: number): Promise<SiteView | null> {
  await findDomain(actor, domainId);
  return (await findSiteView(domainId)) ?? null;
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
  for (const { domain_id, release } of rows) await updateRelease(domain_id, release);
}

/** Throws AppError `conflict` where a domain has another name, server or folder now than at a place. */
export function refuseOtherPlace(
  { domain_name, server_id, file_path }: Omit<Place, 'id'>,
  now: Omit<Place, 'id'>,
): void {
  const isHere = now.server_id === server_id && (now.file_path || webRoot(now.domain_name)) === file_path;
  if (now.domain_name !== domain_name || !isHere) {
    throw new AppError('conflict', 'site.moved_meanwhile', { domain: domain_name });
  }
}

/** Throws as `refuseOtherPlace` where a domain has another place than when its deployment was queued. */
export async function refuseMoved(place: Place): Promise<void> {
  const now = await findRow(domains, place.id);
  if (now) refuseOtherPlace(place, now);
}
