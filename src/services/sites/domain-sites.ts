import { readFile } from 'node:fs/promises';
import { transaction } from '../../../db/index.ts';
import { refuseHeld } from '../../operations/queue.ts';
import { webRoot, type DomainDetail, type DomainInput, type DomainView } from '../../shared/portfolio/domains.ts';
import { AppError } from '../../shared/errors.ts';
import type { Key, Message } from '../../shared/i18n/index.ts';
import type { Was } from '../../shared/stale.ts';
import { isHtmlName, MAX_HTML_BYTES } from '../../shared/sites/sites.ts';
import { checkDeploy, queueDeploy, siteLock, type DeployOptions } from './deploys.ts';
import { findDomain, refersToDomain } from '../portfolio/domain-lists.ts';
import { createDomain, updateDomain } from '../portfolio/domains.ts';
import type { Actor } from '../access/scope.ts';
import { readPage } from './site-content.ts';
import { keepSite, refuseOtherPlace, requireTemplate, siteOf, type SiteContent } from './sites.ts';

const MAX_FILE_NAME = 200;

/** An uploaded page on disk, with the name that its sender gave it. */
export interface HtmlFile {
  path: string;
  name: string;
  size: number;
}

// The name is shown and stored: the last part of a path, without invisible characters.
const nameOf = ({ name }: HtmlFile): string =>
  (name.split(/[/\\]/).at(-1) ?? '').replace(/\p{C}/gu, '').trim().slice(-MAX_FILE_NAME);

/** Reads an uploaded page. Throws AppError `invalid` for a file that is no page, `too_large` for one over the limit. */
export async function readHtmlFile(file: HtmlFile): Promise<Pick<SiteContent, 'html_name' | 'html'>> {
  const html_name = nameOf(file);
  if (!isHtmlName(html_name)) {
    throw new AppError('invalid', 'site.html_ending', {}, { fields: { html_file: 'site.html_ending' } });
  }
  if (file.size > MAX_HTML_BYTES) {
    const params = { limit: `${MAX_HTML_BYTES / 1024 / 1024} MB` };
    throw new AppError('too_large', 'site.html_too_large', params, { fields: { html_file: 'site.html_too_large' } });
  }
  return { html_name, html: readPage(await readFile(file.path)) };
}

/** The site in the form of a domain: the page, and whether it is to be deployed. */
export interface SiteUpload {
  file: HtmlFile | undefined;
  /** Undefined: a new page is deployed where the domain has a server. */
  deploy: 'on' | 'off' | undefined;
  idem_key?: string | undefined;
}

/** A domain that was saved, with what is done about its site. */
export interface SavedDomain {
  data: DomainDetail;
  operation?: { id: number };
  message?: Message;
}

type Target = Pick<DomainView, 'id' | 'domain_name' | 'server_id' | 'file_path'>;

interface Wanted {
  target: Target;
  /** The site to be stored; null: it stays as it is. */
  site: SiteContent | null;
  /** The site that would be deployed. */
  content: SiteContent | null;
  /** The release to be deployed; null: none. */
  release: string | null;
}

const LACKS = {
  template_id: 'site.no_template',
  html_file: 'site.no_html',
  server_id: 'site.no_server_field',
} as const satisfies Record<string, Key>;

/** Whether each part of a deployment is there. */
type Parts = Record<keyof typeof LACKS, boolean>;

/** Throws AppError `refused` that names each part that a deployment lacks. */
function refuseMissing(there: Parts): never {
  const fields = Object.fromEntries(Object.entries(LACKS).filter(([part]) => !there[part as keyof Parts]));
  const [only, ...more] = Object.values(fields);
  const key = only !== undefined && more.length === 0 ? only : 'error.invalid';
  const params = { fields: Object.keys(fields).join(', ') };
  throw new AppError('refused', key, params, { code: 'site_incomplete', fields });
}

/**
 * Decides what to store and what to deploy, before anything is written. Throws AppError `refused` where a deployment
 * that was asked for is not possible. If it was not asked for, a domain without a server is not deployed.
 */
async function decide(
  actor: Actor,
  { file, deploy }: SiteUpload,
  { target, site, content, ...made }: Omit<Wanted, 'release'> & Omit<Parts, 'server_id'>,
): Promise<Wanted> {
  if (site) await requireTemplate(site.template_id);
  const isAsked = deploy === 'on';
  if (isAsked && !content) refuseMissing({ ...made, server_id: target.server_id !== null });
  const canBe = content !== null && (target.server_id !== null || isAsked);
  const deploys = canBe && (isAsked || (site !== null && file !== undefined && deploy !== 'off'));
  const release = deploys ? (await checkDeploy(actor, target, content)).id : null;
  return { target, site, content, release };
}

/** Throws AppError `conflict` where the stored site that is to be deployed has changed meanwhile. */
async function refuseChanged(id: number, { target, site, content, release }: Wanted): Promise<void> {
  if (site || release === null || content === null) return;
  const stored = await siteOf(id);
  const isSame = stored?.html === content.html && stored.template_id === content.template_id;
  if (!isSame) throw new AppError('conflict', 'site.changed_meanwhile', { domain: target.domain_name });
}

/**
 * Writes a domain and its site and queues the deployment in one transaction: of two saves at once one does all of that
 * and the other nothing.
 */
async function save(
  actor: Actor,
  wanted: Wanted,
  { deploy, file, idem_key }: SiteUpload,
  write: () => Promise<DomainView>,
): Promise<SavedDomain> {
  const { target, site, release } = wanted;
  const { id, operation } = await transaction(async () => {
    if (site || release !== null) await refuseHeld([siteLock(target.domain_name)]);
    const domain = await write();
    if (site) await keepSite(domain.id, site);
    await refuseChanged(domain.id, wanted);
    const queued =
      release === null ? null : await queueDeploy(actor, { ...target, id: domain.id }, release, { idem_key });
    return { id: domain.id, operation: queued };
  });
  const isKept = site !== null && file !== undefined && release === null && deploy !== 'off';
  return {
    data: await findDomain(actor, id),
    ...(operation && { operation: { id: operation.id } }),
    ...(operation && { message: { key: 'site.deploying', params: { domain: target.domain_name } } }),
    ...(isKept && { message: { key: 'site.kept' } }),
  };
}

/**
 * Adds a domain as `createDomain` does; with a template and a page its site is stored, and deployed where it has a
 * server.
 */
export async function createDomainWithSite(actor: Actor, input: DomainInput, upload: SiteUpload): Promise<SavedDomain> {
  const { domain_name, server_id, template_id } = input;
  const target = { id: 0, domain_name, server_id, file_path: input.file_path || webRoot(domain_name) };
  const site = upload.file && template_id !== null ? { template_id, ...(await readHtmlFile(upload.file)) } : null;
  const made = { template_id: template_id !== null, html_file: upload.file !== undefined };
  const wanted = await decide(actor, upload, { target, site, content: site, ...made });
  return save(actor, wanted, upload, () => createDomain(actor, input));
}

/**
 * Returns the content of a domain's site: what is given, and what is stored for the rest. Throws AppError `refused`
 * where the template or the page is missing; it names a missing server as well.
 */
export async function contentFor(
  { id, template_id: chosen, server_id }: Pick<DomainView, 'id' | 'template_id' | 'server_id'>,
  template_id: number | undefined,
  file: HtmlFile | undefined,
): Promise<SiteContent> {
  const stored = await siteOf(id);
  const template = template_id ?? stored?.template_id ?? chosen;
  const page = file ? await readHtmlFile(file) : stored;
  if (template === null || !page) {
    refuseMissing({ template_id: template !== null, html_file: Boolean(page), server_id: server_id !== null });
  }
  return { template_id: template, html_name: page.html_name, html: page.html };
}

/**
 * Returns the content for a preview: the page that is given, else the stored one of the caller's domain, else an empty
 * one.
 */
export async function previewContent(
  actor: Actor,
  template_id: number,
  domainId: number | null,
  file: HtmlFile | undefined,
): Promise<SiteContent> {
  if (file) return { template_id, ...(await readHtmlFile(file)) };
  const stored = domainId === null ? null : await siteOf((await refersToDomain(actor, domainId)).id);
  return { template_id, html_name: stored?.html_name ?? '', html: stored?.html ?? '' };
}

/**
 * Stores a site and queues its deployment to the place that was shown; neither where it can't be deployed. Throws as `startDeploy`, and
 * AppError `conflict` where the domain has got another place since.
 */
export async function deployGiven(
  actor: Actor,
  domain: Target,
  content: SiteContent,
  options: DeployOptions,
): Promise<{ id: number }> {
  const release = await checkDeploy(actor, domain, content);
  return transaction(async () => {
    refuseOtherPlace(domain, await findDomain(actor, domain.id));
    await refuseHeld([siteLock(domain.domain_name)]);
    await keepSite(domain.id, content);
    return queueDeploy(actor, domain, release.id, options);
  });
}

/**
 * Edits a domain as `updateDomain` does. A page without a template goes into the site's template. Another template
 * without a page becomes the site's, and is deployed only where that is asked for. Throws AppError `conflict` where somebody has
 * changed the other one of the two meanwhile.
 */
export async function updateDomainWithSite(
  actor: Actor,
  id: number,
  input: Partial<DomainInput>,
  given: readonly string[],
  upload: SiteUpload,
  was?: Was,
): Promise<SavedDomain> {
  const [before, stored] = await Promise.all([findDomain(actor, id), siteOf(id)]);
  const sent = <F extends keyof DomainInput>(field: F): Partial<DomainInput>[F] =>
    given.includes(field) ? input[field] : undefined;
  const domain_name = sent('domain_name') ?? before.domain_name;
  const file_path = sent('file_path') ?? before.file_path;
  const server_id = sent('server_id') === undefined ? before.server_id : (input.server_id ?? null);
  const target = { id, domain_name, server_id, file_path: file_path || webRoot(domain_name) };
  const template_id = sent('template_id') ?? stored?.template_id ?? before.template_id;
  const page = upload.file && template_id !== null ? await readHtmlFile(upload.file) : stored;
  const content = page && template_id !== null ? { template_id, html_name: page.html_name, html: page.html } : null;
  const isNew = content !== null && (page !== stored || template_id !== stored?.template_id);
  const made = { template_id: template_id !== null, html_file: upload.file !== undefined || stored !== null };
  const wanted = await decide(actor, upload, { target, site: isNew ? content : null, content, ...made });
  return save(actor, wanted, upload, async () => {
    // The half that was not sent was read before: it would write over a change that somebody has saved since.
    if (isNew) {
      const now = await siteOf(id);
      const templateNow = sent('template_id') ?? now?.template_id ?? (await findDomain(actor, id)).template_id;
      const isSame = templateNow === template_id && (upload.file !== undefined || now?.html === stored?.html);
      if (!isSame) throw new AppError('conflict', 'site.changed_since', { domain: domain_name });
    }
    return updateDomain(actor, id, input, given, was);
  });
}
