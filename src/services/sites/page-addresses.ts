// Addresses on a page, as browsers read them.

// Stands for the address of the page itself, which is not known.
const OWN_HOST = 'page.invalid';
const OWN = `https://${OWN_HOST}/`;

/** Returns what the addresses of a page are relative to, by the `href` of its first base; empty: it has none. */
export const baseOf = (href: string): string => (URL.canParse(href, OWN) ? new URL(href, OWN).href : OWN);

/** Returns an address on a page with that base; null: the page's own host, or none of the web. */
export function webAddress(address: string, base: string): URL | null {
  if (!URL.canParse(address, base)) return null;
  const url = new URL(address, base);
  return /^https?:$/.test(url.protocol) && url.hostname !== OWN_HOST ? url : null;
}

/** Returns the host of an address without `www`. */
export const hostIn = ({ hostname }: URL): string => hostname.replace(/^www\./, '');

/** Where a refresh sends visitors, and after how many seconds. */
interface Refresh {
  seconds: number;
  address: string;
}

const REFRESH = /^\s*(\d*)(\.[\d.]*)?(?=[\s;,])\s*[;,]?\s*(?:url\s*=\s*)?(.*)$/is;

/** Reads the content of a refresh; null: it loads the page itself again, or is none. */
export function refreshIn(content: string): Refresh | null {
  const [, seconds = '', rest, target = ''] = REFRESH.exec(content) ?? [];
  const quote = /^["']/.exec(target)?.[0];
  const address = (quote === undefined ? target : target.slice(1).split(quote, 1)[0]!).trim();
  return `${seconds}${rest ?? ''}` === '' || address === '' ? null : { seconds: Number(seconds), address };
}

/** Whether a tag is a refresh. */
export const isRefresh = (name: string, { 'http-equiv': kind = '' }: Record<string, string>): boolean =>
  name === 'meta' && kind.trim().toLowerCase() === 'refresh';
