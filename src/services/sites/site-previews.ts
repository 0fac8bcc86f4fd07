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
/** Where previews lie; what follows is as good as a password for ten minutes. */
export const SITE_PREVIEWS = '/api/site_previews/';

const TYPES: Record<string, string> = {
  html: 'text/html',
  htm: 'text/html',
  xhtml: 'text/html',
  // Nothing is run: what is shown of it is what is written in it.
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

/** A file of a preview, and how it goes out. */
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

/** What is too old goes, and the oldest where there is no room for so many bytes more. */
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

// A site is made for the root of its own host: what its pages ask for there lies below the preview.
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
 * Renders a site to be looked at and returns its address, which needs no token: a frame sends none. It is kept in memory for
 * ten minutes. Throws `refused` for an unknown template and for one that is too large.
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

/** A file of a preview; of a folder its first page. Throws `not_found`. */
export function findPreviewFile(token: string, path: string): PreviewFile {
  const preview = previews.get(token);
  if (!preview || preview.until < Date.now()) throw notFound();
  const folder = path === '' || path.endsWith('/') ? path : `${path}/`;
  const found = [path, ...INDEXES.map((name) => folder + name)].find((one) => preview.files.has(one));
  const file = found === undefined ? undefined : preview.files.get(found);
  if (!file) throw notFound();
  return file;
}
