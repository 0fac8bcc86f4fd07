import { readFile } from 'node:fs/promises';
import { transaction } from '../../../db/index.ts';
import { refuseHeld } from '../../operations/queue.ts';
import { webRoot, type DomainDetail, type DomainInput, type DomainView } from '../../shared/portfolio/domains.ts';
import { AppError } from '../../shared/errors.ts';
import type { Key, Said } from '../../shared/i18n/index.ts';
import { isHtmlName, MAX_HTML_BYTES } from '../../shared/sites/sites.ts';
import { checkDeploy, queueDeploy, siteItem, type DeployOptions } from './deploys.ts';
import { findDomain, refersToDomain } from '../portfolio/domain-lists.ts';
import { createDomain, updateDomain } from '../portfolio/domains.ts';
import type { Actor } from '../access/scope.ts';
import { readPage } from './site-content.ts';
import { keepSite, requireTemplate, siteOf, type SiteContent } from './sites.ts';

const MAX_FILE_NAME = 200;

/** A page on disk, and what its sender calls it. */
export interface HtmlFile {
  path: string;
  name: string;
  size: number;
}

// The name is shown and stored: of a path the last part, nothing that can't be seen.
const nameOf = ({ name }: HtmlFile): string =>
  (name.split(/[/\\]/).at(-1) ?? '').replace(/\p{C}/gu, '').trim().slice(-MAX_FILE_NAME);

/** Reads an uploaded page. Throws `invalid` or `too_large` for what is no page. */
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

/** What comes with the form of a domain about its site: the page, and whether it is to be deployed. */
export interface SiteUpload {
  file: HtmlFile | undefined;
  /** Undefined: where that is possible. */
  deploy: 'on' | 'off' | undefined;
  idem_key?: string | undefined;
}

/** A domain that was saved, with what is done about its site. */
export interface SavedDomain {
  data: DomainDetail;
  operation?: { id: number };
  message?: Said;
}

type Target = Pick<DomainView, 'id' | 'domain_name' | 'server_id' | 'file_path'>;

interface Wanted {
  target: Target;
  /** What is to be kept; null: the site stays as it is. */
  site: SiteContent | null;
  /** What would be deployed. */
  content: SiteContent | null;
  /** The release of it that is to be deployed; null: none is. */
  release: string | null;
}

function refuseMissing(field: string, key: Key): never {
  throw new AppError('refused', key, {}, { code: 'site_incomplete', fields: { [field]: key } });
}

/**
 * Throws `refused` where the site can't be deployed though that was asked for, before anything is written. Without having been
 * asked for it is not, where there is no server.
 */
async function decide(
  actor: Actor,
  { file, deploy }: SiteUpload,
  { target, site, content }: Omit<Wanted, 'release'>,
): Promise<Wanted> {
  if (site) await requireTemplate(site.template_id);
  const isAsked = deploy === 'on';
  if (isAsked && !content) {
    if (file) refuseMissing('template_id', 'site.no_template');
    refuseMissing('html_file', 'site.no_html');
  }
  const canBe = content !== null && (target.server_id !== null || isAsked);
  const deploys = canBe && (isAsked || (site !== null && file !== undefined && deploy !== 'off'));
  const release = deploys ? (await checkDeploy(actor, target, content)).id : null;
  return { target, site, content, release };
}

/** Throws `conflict` where what is to be deployed as it was kept is no longer what is kept. */
async function refuseChanged(id: number, { target, site, content, release }: Wanted): Promise<void> {
  if (site || release === null || content === null) return;
  const stored = await siteOf(id);
  const isSame = stored?.html === content.html && stored.template_id === content.template_id;
  if (!isSame) throw new AppError('conflict', 'site.changed_meanwhile', { domain: target.domain_name });
}

/** Writes a domain, its site and the deploying of it as one: of two saves at once one does all of that and the other nothing. */
async function save(
  actor: Actor,
  wanted: Wanted,
  { deploy, file, idem_key }: SiteUpload,
  write: () => Promise<DomainView>,
): Promise<SavedDomain> {
  const { target, site, release } = wanted;
  const { id, operation } = await transaction(async () => {
    if (site || release !== null) await refuseHeld([siteItem(target.domain_name)]);
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

/** Adds a domain as `createDomain` does; with a template and a page its site is kept, and deployed where it has a server. */
export async function createDomainWithSite(actor: Actor, input: DomainInput, upload: SiteUpload): Promise<SavedDomain> {
  const { domain_name, server_id, template_id } = input;
  const target = { id: 0, domain_name, server_id, file_path: input.file_path || webRoot(domain_name) };
  const site = upload.file && template_id !== null ? { template_id, ...(await readHtmlFile(upload.file)) } : null;
  const wanted = await decide(actor, upload, { target, site, content: site });
  return save(actor, wanted, upload, () => createDomain(actor, input));
}

/**
 * What a domain's site would be made of: what is given, and what is kept for the rest. Throws `refused` where that is not
 * enough.
 */
export async function contentFor(
  { id, template_id: chosen }: Pick<DomainView, 'id' | 'template_id'>,
  template_id: number | undefined,
  file: HtmlFile | undefined,
): Promise<SiteContent> {
  const stored = await siteOf(id);
  const template = template_id ?? stored?.template_id ?? chosen;
  if (template === null) refuseMissing('template_id', 'site.no_template');
  const page = file ? await readHtmlFile(file) : stored;
  if (!page) refuseMissing('html_file', 'site.no_html');
  return { template_id: template, html_name: page.html_name, html: page.html };
}

/** What is to be looked at: a page that is given, else that of the caller's domain, else none. */
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

/** Keeps a site and queues its deploying; neither where it can't be deployed. Throws as `startDeploy`. */
export async function deployGiven(
  actor: Actor,
  domain: Target,
  content: SiteContent,
  options: DeployOptions,
): Promise<{ id: number }> {
  const release = await checkDeploy(actor, domain, content);
  return transaction(async () => {
    await refuseHeld([siteItem(domain.domain_name)]);
    await keepSite(domain.id, content);
    return queueDeploy(actor, domain, release.id, options);
  });
}

/**
 * Edits a domain as `updateDomain` does. A page without a template goes into the one that the site has; another template alone
 * is the site's from now on and is deployed when that is asked for.
 */
export async function updateDomainWithSite(
  actor: Actor,
  id: number,
  input: Partial<DomainInput>,
  given: readonly string[],
  upload: SiteUpload,
): Promise<SavedDomain> {
  const before = await findDomain(actor, id);
  const stored = await siteOf(id);
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
  const wanted = await decide(actor, upload, { target, site: isNew ? content : null, content });
  return save(actor, wanted, upload, () => updateDomain(actor, id, input, given));
}
