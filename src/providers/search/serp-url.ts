const MOST_CHARACTERS = 2_000;
const MOST_HOPS = 3;

/** Addresses at which engines count clicks; the target is in the first of these parameters that there is. */
const COUNTERS = /(?:^|\.)(?:google|yandex|ya)\.[a-z]{2,3}(?:\.[a-z]{2})?$/;
const COUNTING = /^\/(?:url|clck)(?:\/|$)/;
const TARGETS = ['q', 'url', 'u'];

function webAddress(text: string): URL | null {
  if (!/^https?:\/\//i.test(text) || !URL.canParse(text)) return null;
  const url = new URL(text);
  url.username = '';
  url.password = '';
  return url;
}

function targetOf({ hostname, pathname, searchParams }: URL): URL | null {
  if (!COUNTERS.test(hostname) || !COUNTING.test(pathname)) return null;
  return TARGETS.map((name) => webAddress(searchParams.get(name) ?? '')).find((url) => url !== null) ?? null;
}

/**
 * Returns the address of a result with an ASCII host in lower case; of one that counts clicks, the target that stands in it. Empty:
 * it is no address of the web, such as `javascript:`. Longer ones are cut.
 */
export function resultUrl(raw: string): string {
  const text = raw.trim();
  let url = webAddress(text.startsWith('//') ? `https:${text}` : text);
  if (!url) return '';
  for (let hop = 0; hop < MOST_HOPS; hop += 1) url = targetOf(url) ?? url;
  if (url.href.length > MOST_CHARACTERS) url.hash = '';
  return url.href.length <= MOST_CHARACTERS ? url.href : url.href.slice(0, MOST_CHARACTERS).replace(/%.?$/, '');
}
