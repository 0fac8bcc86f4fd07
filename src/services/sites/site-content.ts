import { readHtml } from '../../lib/html.ts';
import { readText, writeText } from '../../lib/text-file.ts';
import { AppError } from '../../shared/errors.ts';
import { escapeFor, fillPlaceholders, isTextPath, type SiteValues } from '../../shared/sites/site-content.ts';
import type { SiteFile } from '../../shared/sites/sites.ts';

/**
 * The parts of an uploaded page that go into a template, as they are written in its source: entities are not decoded.
 */
export interface PageParts {
  title: string;
  description: string;
  body: string;
}

/** Where the parts of a page were found; -1: no end was seen. */
interface Found {
  title: [number, number] | null;
  description: string | null;
  body: [number, number] | null;
  headEnd: number;
  htmlEnd: number;
}

function find(html: string): Found {
  const found: Found = { title: null, description: null, body: null, headEnd: -1, htmlEnd: -1 };
  let foreign = 0;
  const isRead = readHtml(
    html,
    (position) => ({
      onopentag(name, attributes) {
        if (name === 'svg' || name === 'math') foreign += 1;
        if (foreign > 0 || found.body) return;
        const after = position.endIndex + 1;
        if (name === 'body') found.body = [after, -1];
        else if (name === 'title' && !found.title) found.title = [after, -1];
        else if (name === 'meta' && attributes['name']?.trim().toLowerCase() === 'description') {
          found.description ??= attributes['content'] ?? '';
        }
      },
      onclosetag(name, isImplied) {
        if (name === 'svg' || name === 'math') foreign -= 1;
        if (isImplied) return;
        const { startIndex, endIndex } = position;
        if (name === 'title' && found.title?.[1] === -1) found.title[1] = startIndex;
        else if (name === 'body' && found.body?.[1] === -1) found.body[1] = startIndex;
        else if (name === 'head') found.headEnd = endIndex + 1;
        else if (name === 'html') found.htmlEnd = startIndex;
      },
    }),
    { decodeEntities: false },
  );
  if (!isRead) {
    throw new AppError('invalid', 'site.html_too_deep', {}, { fields: { html_file: 'site.html_too_deep' } });
  }
  return found;
}

function part(html: string, range: [number, number] | null, end = html.length): string {
  if (!range) return '';
  return html.slice(range[0], range[1] === -1 ? end : range[1]);
}

/**
 * Returns the title and description of a page's head and the inside of its body. A page without a body is a fragment:
 * all of it, or what follows its head, is the body. Throws AppError `invalid` for a page whose elements are nested too
 * deep.
 */
export function partsOf(html: string): PageParts {
  const found = find(html);
  const end = found.htmlEnd === -1 ? html.length : found.htmlEnd;
  const rest: [number, number] = found.headEnd === -1 ? [0, html.length] : [found.headEnd, end];
  return {
    // A title without an end is ignored: the rest of the page would be in it.
    title: found.title?.[1] === -1 ? '' : part(html, found.title).trim(),
    description: found.description?.trim() ?? '',
    body: part(html, found.body ?? rest, end),
  };
}

/** Reads an uploaded page. Throws AppError `invalid` where it is no text, or its elements are nested too deep. */
export function readPage(bytes: Uint8Array): string {
  const page = readText(bytes);
  if (!page) {
    throw new AppError('invalid', 'site.html_not_text', {}, { fields: { html_file: 'site.html_not_text' } });
  }
  partsOf(page.text);
  return page.text;
}

const LONGEST_PATH = 1000;
// oxlint-disable-next-line no-control-regex
const BAD_IN_PATH = /[\u0000-\u001F\u007F\\]/;

/**
 * Whether a name may become a path on a server: relative, below its root, and with nothing in it that tools treat
 * specially.
 */
const isSafePath = (path: string): boolean =>
  path !== '' &&
  path.length <= LONGEST_PATH &&
  !BAD_IN_PATH.test(path) &&
  path.split('/').every((part) => part !== '' && part !== '.' && part !== '..' && !/^[-~]/.test(part));

/** Throws `refused` where the name of a file must not become a path on a server. */
export function refuseUnsafePaths(files: readonly SiteFile[]): void {
  const bad = files.find(({ path }) => !isSafePath(path));
  if (bad) throw new AppError('refused', 'site.unsafe_file', { path: bad.path.slice(0, 100) });
}

function fill(file: SiteFile, values: SiteValues): SiteFile {
  const read = isTextPath(file.path) ? readText(file.content) : null;
  if (!read) return file;
  const text = fillPlaceholders(read.text, values);
  return text === read.text ? file : { path: file.path, content: writeText(text, read, escapeFor(file.path)) };
}

/**
 * Fills a template's files with a site's own text: the domain, and the parts of its page (null: none). Files without
 * placeholders stay the same to the byte. Throws AppError `refused` for a name that must not become a path.
 */
export function renderSite(files: SiteFile[], html: string | null, domain: string): SiteFile[] {
  refuseUnsafePaths(files);
  const { title, description, body } = html === null ? { title: '', description: '', body: '' } : partsOf(html);
  const values: SiteValues = { SITE_URL: domain, TITLE: title, DESCRIPTION: description, BODY: body };
  return files.map((file) => fill(file, values));
}
