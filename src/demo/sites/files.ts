import { lstat, readFile, stat } from 'node:fs/promises';
import { extname, join } from 'node:path';
import { webRoot } from '../../shared/portfolio/domains.ts';
import { placeOf } from '../ssh/tree.ts';

const TYPES: Record<string, string> = {
  '.html': 'text/html; charset=utf-8',
  '.htm': 'text/html; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.mjs': 'text/javascript; charset=utf-8',
  '.json': 'application/json',
  '.xml': 'application/xml',
  '.txt': 'text/plain; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.jpg': 'image/jpeg',
  '.jpeg': 'image/jpeg',
  '.gif': 'image/gif',
  '.webp': 'image/webp',
  '.ico': 'image/x-icon',
  '.woff': 'font/woff',
  '.woff2': 'font/woff2',
};

/** A file of a site as served. */
export interface Page {
  status: number;
  type: string;
  content: Buffer | string;
}

const NOT_FOUND: Page = {
  status: 404,
  type: 'text/html; charset=utf-8',
  content: '<!doctype html><title>404</title>\n',
};

async function kindOf(place: string): Promise<'file' | 'folder' | null> {
  try {
    const facts = await stat(place);
    return facts.isDirectory() ? 'folder' : facts.isFile() ? 'file' : null;
  } catch {
    return null;
  }
}

function pathIn(target: string): string | null {
  try {
    return decodeURIComponent(new URL(target, 'http://loopback').pathname);
  } catch {
    return null;
  }
}

/**
 * Returns the file of a host's web root for a request, as nginx would serve it; null if the host has no web root. `www` uses
 * that of its domain.
 */
export async function pageOf(root: string, host: string, target: string, rootOf = webRoot): Promise<Page | null> {
  const folder = rootOf(host.replace(/^www\./, ''));
  // Most hosts of a demo have none: a single lstat must be enough for them.
  if (!(await lstat(join(root, folder)).catch(() => null))) return null;
  try {
    if ((await kindOf(placeOf(root, folder))) !== 'folder') return null;
    const path = pathIn(target);
    if (path === null || path.includes('\0')) return NOT_FOUND;
    const asked = `${folder}/${path}`;
    const isFolder = (await kindOf(placeOf(root, asked))) === 'folder';
    const place = placeOf(root, isFolder ? `${asked}/index.html` : asked);
    if ((await kindOf(place)) !== 'file') return NOT_FOUND;
    return {
      status: 200,
      type: TYPES[extname(place).toLowerCase()] ?? 'application/octet-stream',
      content: await readFile(place),
    };
  } catch {
    // A cyclic link, or a file deleted meanwhile.
    return NOT_FOUND;
  }
}
