// Whether a page sends its visitors back to a domain that is to forward to it, as far as that shows without running its scripts.
import { readHtml } from '../../lib/html.ts';
import { baseOf, isRefresh, refreshIn, webAddress } from './page-addresses.ts';

// From so many seconds on a refresh loads a page anew, as news sites do: its visitors have seen it by then.
const RELOAD_SECONDS = 60;
// A longer script is no jump in plain sight.
const MOST_SCRIPT = 2_000;
const SCRIPT_TYPE = /^(?:|module|(?:text|application)\/(?:x-)?(?:java|ecma)script)$/i;

/** Returns the contents of a page's refreshes, the `href` of its base, and the inline scripts that browsers run. */
function waysOf(html: string) {
  let [base, hidden, inert, isScript] = ['', 0, 0, false];
  const [contents, scripts]: [string[], string[]] = [[], []];
  const count = (name: string, by: number): void => {
    if (name === 'noscript' || name === 'template') hidden += by;
    if (name === 'template') inert += by;
  };
  readHtml(html, () => ({
    onopentag(name, attributes) {
      const { content = '', href = '', type = '' } = attributes;
      if (name === 'base' && hidden === 0) base ||= href;
      // Robots and other visitors without scripts follow one of <noscript>.
      if (inert === 0 && isRefresh(name, attributes)) contents.push(content);
      isScript = name === 'script' && hidden === 0 && SCRIPT_TYPE.test(type.trim());
      if (isScript) scripts.push('');
      count(name, 1);
    },
    onclosetag(name) {
      isScript = false;
      count(name, -1);
    },
    ontext(part) {
      if (isScript) scripts.push((scripts.pop() ?? '') + part);
    },
  }));
  return { contents, base: baseOf(base), scripts };
}

const JUMP =
  /(?:^|[^.\w$])(?:(?:window|document|self|top|parent) ?\. ?)*location(?: ?\. ?href)? ?(?:= ?|\. ?(?:replace|assign) ?\( ?)(["'`])((?:https?:)?\/\/[^"'`]*)\1/g;
const STRING = /(["'`])(?:(?!\1).)*\1/g;
const FUNCTION = /\bfunction\b|=>/;
const CONDITION = /\b(?:if|switch|while|for)\b|&&|\|\||\?/;
const OTHER_HOST = /\bhost(?:name)? ?!==? ?(["'`])(?:www\.)?([^"'`]+)\1/g;

/** Whether an address is that of a domain or its www. */
const isOf = ({ hostname }: URL, domain: string): boolean => hostname === domain || hostname === `www.${domain}`;

/** Whether a script jumps to a domain as it runs: always, or where its page has another name. One with functions is not judged. */
function jumpsTo(domain: string, script: string): boolean {
  if (script.length > MOST_SCRIPT || !script.includes('location')) return false;
  const code = script
    .replaceAll(String.raw`\/`, '/')
    .replaceAll(/\/\*[^]*?\*\//g, ' ')
    .replaceAll(/(?:^|\s)\/\/.*$/gm, ' ')
    .replaceAll(/\s+/g, ' ');
  const bare = code.replaceAll(STRING, ' ');
  if (FUNCTION.test(bare)) return false;
  const isGuarded = [...code.matchAll(OTHER_HOST)].some(([, , host]) => host === domain);
  if (CONDITION.test(bare) && !isGuarded) return false;
  return [...code.matchAll(JUMP)].some(([, , address = '']) => {
    const url = webAddress(address, baseOf(''));
    return url !== null && isOf(url, domain);
  });
}

const isFirstPage = ({ pathname }: URL): boolean => /^\/(?:index\.\w+)?$/.test(pathname);

/**
 * Whether the first page of a site sends its visitors to a domain: `surely` to its first page, which would forward them to this one
 * again; `perhaps` to another page of it, or by a script. Null: that is not seen.
 */
export function sendsBackTo(domain: string, html: string): 'surely' | 'perhaps' | null {
  const { contents, base, scripts } = waysOf(html);
  const targets = contents
    .flatMap((content) => refreshIn(content) ?? [])
    .filter(({ seconds }) => seconds < RELOAD_SECONDS)
    .flatMap(({ address }) => webAddress(address, base) ?? [])
    .filter((url) => isOf(url, domain));
  if (targets.some(isFirstPage)) return 'surely';
  return targets.length > 0 || scripts.some((script) => jumpsTo(domain, script)) ? 'perhaps' : null;
}
