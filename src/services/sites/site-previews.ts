import { randomBytes } from 'node:crypto';
import { readText, writeText } from '../../lib/text-file.ts';
import { AppError, notFound } from '../../shared/errors.ts';
import { escapeFor, isTextPath } from '../../shared/sites/site-content.ts';
import type { SiteFile } from '../../shared/sites/sites.ts';
import { renderedSite, requireTemplate, type SiteContent } from './sites.ts';

const MAX_PREVIEWS = 20;
const MAX_BYTES = 32 * 1024 * 1024;
const MAX_BYTES_IN_ALL = 64 * 1024 * 1024;
const LIFE_MS = 10 * 60 * 1000;
/** Path of previews; the token that follows gives access for ten minutes. */
export const SITE_PREVIEWS = '/api/site_previews/';

const TYPES: Record<string, string> = {
  html: 'text/html',
  htm: 'text/html',
  xhtml: 'text/html',
  // PHP is not run: its source is shown as a page.
  php: 'text/html',
  css: 'text/css',
  txt: 'text/plain',
  md: 'text/plain',
  js: 'text/plain',
  mjs: 'text/plain',
  json: 'application/json',
  svg: 'image/svg+xml',
  png: 'image/png',
  jpg: 'image/jpeg',
  jpeg: 'image/jpeg',
  gif: 'image/gif',
  webp: 'image/webp',
  avif: 'image/avif',
  ico: 'image/x-icon',
  woff: 'font/woff',
  woff2: 'font/woff2',
  ttf: 'font/ttf',
  otf: 'font/otf',
};

/** A file of a preview, with its content type. */
export interface PreviewFile {
  type: string;
  content: Buffer;
}

interface Preview {
  files: Map<string, PreviewFile>;
  bytes: number;
  until: number;
}

const previews = new Map<string, Preview>();

const sizeOf = (files: Iterable<PreviewFile>): number => {
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

// Pages refer to files from the root of their own host: these references are moved below the preview.
const FROM_ROOT = /(\s(?:href|src|poster|data)\s*=\s*["']?|url\(\s*["']?|@import\s+["'])\/(?!\/)/gi;

function placedAt(base: string, domain: string, { path, content }: SiteFile): PreviewFile {
  const type = TYPES[path.slice(path.lastIndexOf('.') + 1).toLowerCase()] ?? 'application/octet-stream';
  const read = isTextPath(path) ? readText(content) : null;
  const bytes = Buffer.from(content.buffer, content.byteOffset, content.byteLength);
  if (!read) return { type, content: bytes };
  const charset = `${type}; charset=${read.encoding}`;
  if (type !== 'text/html' && type !== 'text/css') return { type: charset, content: bytes };
  const text = read.text
    .replaceAll(`https://${domain}/`, '/')
    .replaceAll(`http://${domain}/`, '/')
    .replace(FROM_ROOT, (_, start: string) => `${start}${base}`);
  return { type: charset, content: Buffer.from(writeText(text, read, escapeFor(path))) };
}

const INDEXES = ['index.html', 'index.htm', 'index.php'];

/**
 * Renders a site for a preview and returns its address, which needs no session token: a frame sends none. The preview
 * is kept in memory for ten minutes. Throws AppError `refused` for an unknown template and for a site that is too
 * large.
 */
export async function createPreview(content: SiteContent, domain: string): Promise<{ url: string }> {
  await requireTemplate(content.template_id);
  const base = `${SITE_PREVIEWS}${randomBytes(16).toString('base64url')}/`;
  const files = new Map<string, PreviewFile>();
  for (const file of await renderedSite(content, domain)) files.set(file.path, placedAt(base, domain, file));
  const bytes = sizeOf(files.values());
  if (bytes > MAX_BYTES) throw new AppError('refused', 'site.preview_too_large');
  makeRoom(bytes);
  previews.set(base.slice(SITE_PREVIEWS.length, -1), { files, bytes, until: Date.now() + LIFE_MS });
  return { url: base + (INDEXES.find((name) => files.has(name)) ?? 'index.html') };
}

/** Returns a file of a preview, or the index page of a folder. Throws AppError `not_found`. */
export function findPreviewFile(token: string, path: string): PreviewFile {
  const preview = previews.get(token);
  if (!preview || preview.until < Date.now()) throw notFound();
  const folder = path === '' || path.endsWith('/') ? path : `${path}/`;
  const found = [path, ...INDEXES.map((name) => folder + name)].find((one) => preview.files.has(one));
  const file = found === undefined ? undefined : preview.files.get(found);
  if (!file) throw notFound();
  return file;
}
