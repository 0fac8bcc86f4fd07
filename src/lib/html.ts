import { Parser } from 'htmlparser2';

// As deep as browsers nest elements. The parser looks through all open ones at every end tag, so a deep page of a megabyte
// would hold the process for a minute.
const DEEPEST = 512;

type Handlers = Partial<Record<'onopentag', (name: string, attributes: Record<string, string>) => void>> & {
  onclosetag?: (name: string, isImplied: boolean) => void;
  ontext?: (text: string) => void;
};

/** Where in the text the parser is, for a handler. */
export type HtmlPosition = Pick<Parser, 'startIndex' | 'endIndex'>;

/**
 * Reads HTML in time that grows with its length alone. Returns false where its elements are nested so deep that it was not read
 * to its end.
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
