import { Parser } from 'htmlparser2';

// The depth to which browsers nest elements. The parser scans all open ones at every end tag, so a deep page of a megabyte
// would block the process for a minute.
const DEEPEST = 512;

type Handlers = Partial<Record<'onopentag', (name: string, attributes: Record<string, string>) => void>> & {
  onclosetag?: (name: string, isImplied: boolean) => void;
  ontext?: (text: string) => void;
};

/** The parser's position in the text, for a handler. */
export type HtmlPosition = Pick<Parser, 'startIndex' | 'endIndex'>;

/**
 * Parses HTML in time linear to its length. Returns false if its elements are nested so deep that it was not read to its end.
 */
export function readHtml(
  html: string,
  handlersAt: (position: HtmlPosition) => Handlers,
  options: { decodeEntities?: boolean } = {},
): boolean {
  let depth = 0;
  let deepest = 0;
  const parser: Parser = new Parser(
    {
      onopentag: (name, attributes) => {
        depth += 1;
        deepest = Math.max(deepest, depth);
        if (depth > DEEPEST) parser.pause();
        else handlers.onopentag?.(name, attributes);
      },
      onclosetag: (name, isImplied) => {
        depth -= 1;
        if (deepest <= DEEPEST) handlers.onclosetag?.(name, isImplied);
      },
      ontext: (text) => handlers.ontext?.(text),
    },
    options,
  );
  const handlers = handlersAt(parser);
  parser.end(html);
  return deepest <= DEEPEST;
}

/** Escapes a text for HTML. */
export const escapeHtml = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');
