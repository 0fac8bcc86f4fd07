import { readText, writeText } from '../lib/text-file.ts';
import { escapeFor, isTextPath } from '../shared/sites/site-content.ts';
import type { SiteFile } from '../shared/sites/sites.ts';

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

// Pages refer to files from the root of their own host: these references are moved below the preview.
const FROM_ROOT = /(\s(?:href|src|poster|data)\s*=\s*["']?|url\(\s*["']?|@import\s+["'])\/(?!\/)/gi;

/**
 * Returns a file of a preview as it is served at `base`: links to the site itself and from its root lead below the preview. The
 * type is by the name of the file.
 */
export function placedAt(
  base: string,
  { domain, file: { path, content } }: { domain: string; file: SiteFile },
): { type: string; content: Buffer } {
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
