import { ProviderError } from '../provider-error.ts';
import { find, findAll, parseXml, type Element } from '../xml.ts';
import { resultUrl } from './serp-url.ts';

/** An answer in the XML of search engines: an error by its code, or results. */
export type SerpAnswer =
  | { error: { code: string; text: string } }
  /**
   * Addresses of organic results in their order, empty for a result without one; `found` is how many there are in all, null
   * where that is not told.
   */
  | { urls: string[]; found: number | null };

const CAPTCHA = /captcha|капч|not a robot|не робот/i;
const ROOTS = /<(?:\w+:)?(?:yandexsearch|response)\b/i;

// Services copy titles from pages: what is no entity of XML, and what no XML may hold.
const SPOILT = /<!\[CDATA\[[\s\S]*?\]\]>|&(?!(?:amp|lt|gt|quot|apos|#\d{1,7}|#x[\da-f]{1,6});)/gi;
// oxlint-disable-next-line no-control-regex
const FORBIDDEN = /[\0-\x08\x0B\x0C\x0E-\x1F\uFFFE\uFFFF]|&#(?:x(?:[\da-f]|0[\da-f]|1[\da-f])|\d|[12]\d|3[01]);/gi;

// Words of the query are marked, in addresses too.
const MARKS = /<\/?hlword\b[^<>]*>/gi;

const mended = (text: string): string =>
  text.replaceAll(FORBIDDEN, ' ').replaceAll(SPOILT, (part) => (part === '&' ? '&amp;' : part));

/** Parses a document. What is complete but for a few characters is paid as well: it is mended. */
function parse(text: string): Element {
  try {
    return parseXml(text);
  } catch (error) {
    const again = mended(text);
    if (again === text) throw error;
    return parseXml(again);
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

const malformed = (what: string): ProviderError => new ProviderError('malformed', what);

/**
 * Parses an answer. A group may have none, one or several documents; those that say that they are something else than organic
 * are left out. Throws ProviderError `malformed`: a page in place of XML, half a document, XML of something else.
 */
export function parseSerp(text: string): SerpAnswer {
  if (!ROOTS.test(text)) {
    throw malformed(CAPTCHA.test(text) ? 'a captcha in place of results' : 'a page in place of XML');
  }
  const root = parse(text.trimStart().replaceAll(MARKS, ''));
  const response = root.name === 'response' ? root : find(root, 'response');
  const error = (response ?? root).children.find(({ name }) => name === 'error');
  if (error) return { error: { code: (error.attributes['code'] ?? '').trim(), text: error.text.trim() } };
  if (!response) throw malformed('XML without a response');
  const results = response.children.find(({ name }) => name === 'results');
  if (!results) throw malformed('a response without results');
  const urls = docsIn(results)
    .filter(isOrganic)
    .map((doc) => resultUrl(ownText(doc, 'url')));
  return { urls, found: foundIn(response) };
}
