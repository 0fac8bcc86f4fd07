import { randomBytes } from 'node:crypto';
import { AppError, notFound } from '../../shared/errors.ts';
import type { SiteFile } from '../../shared/sites/sites.ts';
import { renderedSite, requireTemplate, type SiteContent } from './sites.ts';

const MAX_PREVIEWS = 20;
const MAX_BYTES = 32 * 1024 * 1024;
const MAX_BYTES_IN_ALL = 64 * 1024 * 1024;
const LIFE_MS = 10 * 60 * 1000;

interface Preview {
  domain: string;
  files: Map<string, SiteFile>;
  bytes: number;
  until: number;
}

const previews = new Map<string, Preview>();

const sizeOf = (files: Iterable<SiteFile>): number => {
  let sum = 0;
  for (const { content } of files) sum += content.length;
  return sum;
};

/** Removes previews that have expired, then the oldest ones until there is room for `bytes` more. */
function makeRoom(bytes: number): void {
  let left = 0;
  for (const [token, { until, bytes }] of previews) {
    if (until < Date.now()) previews.delete(token);
    else left += bytes;
  }
  for (const [token, preview] of previews) {
    if (previews.size < MAX_PREVIEWS && left + bytes <= MAX_BYTES_IN_ALL) return;
    previews.delete(token);
    left -= preview.bytes;
  }
}

const INDEXES = ['index.html', 'index.htm', 'index.php'];

/**
 * Renders a site for a preview and returns its token, which gives access without a session, and the path of its first
 * page. The preview is kept in memory for ten minutes. Throws AppError `refused` for an unknown template and for a site
 * that is too large.
 */
export async function createPreview(content: SiteContent, domain: string): Promise<{ token: string; index: string }> {
  await requireTemplate(content.template_id);
  const files = new Map((await renderedSite(content, domain)).map((file) => [file.path, file]));
  const bytes = sizeOf(files.values());
  if (bytes > MAX_BYTES) throw new AppError('refused', 'site.preview_too_large');
  makeRoom(bytes);
  const token = randomBytes(16).toString('base64url');
  previews.set(token, { domain, files, bytes, until: Date.now() + LIFE_MS });
  return { token, index: INDEXES.find((name) => files.has(name)) ?? 'index.html' };
}

/** Returns a file of a preview and the domain of its site, or the index page of a folder. Throws AppError `not_found`. */
export function findPreviewFile(token: string, path: string): { domain: string; file: SiteFile } {
  const preview = previews.get(token);
  if (!preview || preview.until < Date.now()) throw notFound();
  const folder = path === '' || path.endsWith('/') ? path : `${path}/`;
  const found = [path, ...INDEXES.map((name) => folder + name)].find((one) => preview.files.has(one));
  const file = found === undefined ? undefined : preview.files.get(found);
  if (!file) throw notFound();
  return { domain: preview.domain, file };
}
