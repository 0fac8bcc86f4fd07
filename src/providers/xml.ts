import { SaxesParser } from 'saxes';
import { ProviderError } from './provider-error.ts';

/** An element of an XML document. Names are without their namespace's prefix. */
export interface Element {
  name: string;
  attributes: Readonly<Record<string, string>>;
  children: Element[];
  /** Its own text, without that of its children. */
  text: string;
}

const MOST_DEEP = 100;
// So many take 150 MB.
const MOST_ELEMENTS = 500_000;

const localName = (name: string): string => name.slice(name.indexOf(':') + 1);

/** Parses a whole document. Throws ProviderError `malformed` if it is none: HTML, half a document, entities of its own. */
export function parseXml(text: string): Element {
  const root: Element = { name: '', attributes: {}, children: [], text: '' };
  const open = [root];
  let elements = 0;
  const parser = new SaxesParser();
  parser.on('error', (error) => {
    throw new ProviderError('malformed', 'the answer is no complete XML', { cause: error });
  });
  parser.on('opentag', ({ name, attributes }) => {
    if (open.length > MOST_DEEP) throw new ProviderError('malformed', 'the answer is nested too deeply');
    if ((elements += 1) > MOST_ELEMENTS) throw new ProviderError('malformed', 'the answer has too many elements');
    const element: Element = { name: localName(name), attributes, children: [], text: '' };
    open.at(-1)?.children.push(element);
    open.push(element);
  });
  const add = (part: string): void => {
    const element = open.at(-1);
    if (element) element.text += part;
  };
  parser.on('text', add);
  parser.on('cdata', add);
  parser.on('closetag', () => void open.pop());
  parser.write(text).close();
  const [document] = root.children;
  if (!document) throw new ProviderError('malformed', 'the answer is no complete XML');
  return document;
}

/** Returns the elements of a name anywhere below an element, in the document's order. */
export const findAll = (element: Element, name: string): Element[] =>
  element.children.flatMap((child) => [...(child.name === name ? [child] : []), ...findAll(child, name)]);

/** Returns the first element of a name below an element. */
export const find = (element: Element, name: string): Element | undefined => findAll(element, name)[0];

/** Returns the trimmed text of the first element of a name; empty if there is none. */
export const textIn = (element: Element, name: string): string => find(element, name)?.text.trim() ?? '';

const ESCAPES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };
// No XML document may hold these, escaped or not.
// oxlint-disable-next-line no-control-regex
const FORBIDDEN = /[\0-\x08\x0B\x0C\x0E-\x1F\uFFFE\uFFFF]/g;

/** Writes a text for an XML document. */
export const escapeXml = (text: string): string =>
  text.replaceAll(FORBIDDEN, '').replaceAll(/[&<>"]/g, (char) => ESCAPES[char] ?? char);
