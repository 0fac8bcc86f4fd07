const MOST_CHARACTERS = 2_000;
const MOST_HOST = 253;
const MOST_HOPS = 3;

const ENGINES = /(?:^|\.)(?:google|yandex|ya)\.[a-z]{2,3}(?:\.[a-z]{2})?$/;

/** Addresses at which engines count clicks or show a page of their cache; the target is in the first of these parameters. */
const COUNTING = /^\/(?:(?:url|clck)(?:\/|$)|turbo$)/;
const TARGETS = ['q', 'url', 'u', 'text'];

/**
 * Addresses at which engines keep copies of pages, with the host and the path of the original in their path: a copy stands for its
 * original. Translations are pages of the translator's own.
 */
const COPIES: readonly [host: RegExp, path: RegExp][] = [
  [ENGINES, /^\/(?:turbo|amp)\/(?:s\/)?([^/]+)\/(?:s\/)?(.*)$/],
  [/^(?!translated\.).*\.turbopages\.org$/, /^\/([^/]+)\/s\/(.*)$/],
  [/(?:^|\.)cdn\.ampproject\.org$/, /^\/[cv]\/(?:s\/)?([^/]+)\/?(.*)$/],
];

// A host with a dot, without its scheme.
const BARE = /^[\p{L}\p{N}-]+(?:\.[\p{L}\p{N}-]+)+\.?(?::\d{1,5})?(?:[/?#]|$)/u;

function webAddress(raw: string): URL | null {
  const text = BARE.test(raw) ? `https://${raw}` : raw;
  if (!/^https?:\/\//i.test(text) || !URL.canParse(text)) return null;
  const url = new URL(text);
  // No name is longer, and one that is cut would be another.
  if (url.hostname.length > MOST_HOST) return null;
  url.username = '';
  url.password = '';
  return url;
}

function originalOf({ hostname, pathname, search }: URL): URL | null {
  for (const [host, path] of COPIES) {
    const [, site = '', rest = ''] = (host.test(hostname) && path.exec(pathname)) || [];
    if (site.includes('.')) return webAddress(`https://${site}/${rest}${search}`);
  }
  return null;
}

function targetOf(url: URL): URL | null {
  const { hostname, pathname, searchParams } = url;
  if (!ENGINES.test(hostname) || !COUNTING.test(pathname)) return originalOf(url);
  return TARGETS.map((name) => webAddress(searchParams.get(name) ?? '')).find((target) => target !== null) ?? null;
}

/**
 * Returns the address of a result with an ASCII host in lower case; of one that counts clicks or is a copy, the target that stands
 * in it. Empty: it is no address of the web, such as `javascript:`. Longer ones are cut.
 */
export function resultUrl(raw: string): string {
  const text = raw.trim();
  let url = webAddress(text.startsWith('//') ? `https:${text}` : text);
  if (!url) return '';
  for (let hop = 0; hop < MOST_HOPS; hop += 1) url = targetOf(url) ?? url;
  if (url.href.length > MOST_CHARACTERS) url.hash = '';
  return url.href.length <= MOST_CHARACTERS ? url.href : url.href.slice(0, MOST_CHARACTERS).replace(/%.?$/, '');
}
