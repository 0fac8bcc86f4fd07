import { ProviderError } from '../provider-error.ts';
import { find, findAll, parseXml, type Element } from '../xml.ts';
import { resultUrl } from './serp-url.ts';

/** An answer in the XML of search engines: an error by its code, or results. */
export type SerpAnswer =
  | { error: { code: string; text: string } }
  /**
   * Addresses of organic results in their order, empty for a result without one; `docs` is how many documents of all kinds the page
   * has, `found` how many results there are in all, null where that is not told.
   */
  | { urls: string[]; docs: number; found: number | null };

const CAPTCHA = /captcha|капч|not a robot|не робот/i;
const ROOTS = /<(?:\w+:)?(?:yandexsearch|response)\b/i;

// Services copy titles from pages: what is no entity of XML, what no XML may hold, and an end of CDATA without its beginning.
const SPOILT = /<!\[CDATA\[[\s\S]*?(?:\]\]>|$)|\]\]>|&(?:(?:amp|lt|gt|quot|apos);|#x([\da-fA-F]{1,6});|#(\d{1,7});)?/g;
// oxlint-disable-next-line no-control-regex
const FORBIDDEN = /[\0-\x08\x0B\x0C\x0E-\x1F\uFFFE\uFFFF]/g;

// Words of the query are marked, in addresses too.
const MARKS = /<\/?hlword\b[^<>]*>/gi;

/** Whether XML may hold the character of a code. */
const isAllowed = (code: number): boolean =>
  [0x9, 0xa, 0xd].includes(code) ||
  (code >= 0x20 && code <= 0xd7_ff) ||
  (code >= 0xe0_00 && code <= 0xff_fd) ||
  (code >= 0x1_00_00 && code <= 0x10_ff_ff);

function mendedPart(part: string, hex?: string, decimal?: string): string {
  if (part === '&') return '&amp;';
  if (part === ']]>') return ']]&gt;';
  if (hex === undefined && decimal === undefined) return part;
  return isAllowed(hex === undefined ? Number(decimal) : Number.parseInt(hex, 16)) ? part : ' ';
}

const mended = (text: string): string => text.replaceAll(FORBIDDEN, ' ').replaceAll(SPOILT, mendedPart);

/** Parses a document. A document with a few spoilt characters was paid as well: it is mended. */
function parse(text: string): Element {
  try {
    return parseXml(text);
  } catch {
    return parseXml(mended(text));
  }
}

const ownText = (element: Element, name: string): string =>
  element.children.find((one) => one.name === name)?.text.trim() ?? '';

/** Returns the documents below an element in their order. */
const docsIn = (element: Element): Element[] =>
  element.children.flatMap((child) => (child.name === 'doc' ? [child] : docsIn(child)));

const isOrganic = (doc: Element): boolean => ['', 'organic'].includes(ownText(doc, 'contenttype').toLowerCase());

function foundIn(response: Element): number | null {
  const direct = response.children.filter(({ name }) => name === 'found');
  const counts = direct.length > 0 ? direct : findAll(response, 'found');
  const text = (counts.find(({ attributes }) => attributes['priority'] === 'all') ?? counts[0])?.text.trim() ?? '';
  return /^\d{1,15}$/.test(text) ? Number(text) : null;
}

const malformed = (what: string, unanswered = false): ProviderError =>
  new ProviderError('malformed', what, { unanswered });

// Elements that results without a document may hold; any other element is of another form.
const HOLDERS = new Set(['results', 'grouping', 'group']);
const COUNTS = new Set(['page', 'doccount', 'found', 'found-docs', 'found-docs-human']);

const isEmpty = ({ name, text, children }: Element): boolean =>
  COUNTS.has(name) || (HOLDERS.has(name) && text.trim() === '' && children.every(isEmpty));

/**
 * Parses an answer. A group may have none, one or several documents; those that say that they are something else than organic
 * are left out. Throws ProviderError `malformed`: a page in place of XML, half a document, XML of something else. A text without a
 * response of the search is `unanswered`: it comes from a server in front of the search.
 */
export function parseSerp(text: string): SerpAnswer {
  if (!ROOTS.test(text)) {
    throw malformed(CAPTCHA.test(text) ? 'a captcha in place of results' : 'a page in place of XML', true);
  }
  const root = parse(text.trimStart().replaceAll(MARKS, ''));
  const response = root.name === 'response' ? root : find(root, 'response');
  const error = (response ?? root).children.find(({ name }) => name === 'error');
  if (error) return { error: { code: (error.attributes['code'] ?? '').trim(), text: error.text.trim() } };
  if (!response) throw malformed('XML without a response', true);
  const results = response.children.find(({ name }) => name === 'results');
  if (!results) throw malformed('a response without results');
  const docs = docsIn(results);
  if (docs.length === 0 && !isEmpty(results)) throw malformed('results of another form');
  const urls = docs.filter(isOrganic).map((doc) => resultUrl(ownText(doc, 'url')));
  if (urls.length > 0 && urls.every((url) => url === '')) throw malformed('results without addresses');
  return { urls, docs: docs.length, found: foundIn(response) };
}
