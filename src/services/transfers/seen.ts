import { readPage, type PageResult } from '../../providers/health.ts';
import { healthOptions } from '../checks/check-names.ts';
import { sendsBackTo } from '../sites/sends-back.ts';
import { bodyOf, gateRules, isOwnHost, PAGE_BYTES } from './gate.ts';

/** Returns what is wrong with the end of a way from a domain: any certificate on it, the last answer, or a page that sends back. */
function faultAtEnd(page: PageResult, domain: string): string | null {
  if (page.certificate !== null) return `TLS: ${page.certificate}`;
  if ('error' in page) return page.error;
  if (page.status < 200 || page.status > 299) return `HTTP ${page.status}`;
  return sendsBackTo(domain, bodyOf(page)) === 'surely' ? `→ ${domain}` : null;
}

/**
 * Returns what a visitor of a name gets: `seen` in short, as `301 → example.com: HTTP 200`; `forwards`: it forwards to
 * `to` by 301; `fault`: why the visitor who was forwarded gets no page, or sees a warning of the browser.
 */
export async function seenAt(
  domain: string,
  to: string,
  signal: AbortSignal,
): Promise<{ seen: string; forwards: boolean; fault: string | null }> {
  const options = { ...healthOptions(), timeoutMs: gateRules().timeoutMs, bodyBytes: PAGE_BYTES, signal };
  const page = await readPage(domain, '/', options);
  const host = page.url.hostname;
  // A name may redirect to itself first (http to https, www): all its own redirects have to be permanent.
  const away = page.hops.findIndex((hop) => !isOwnHost(hop.host, domain));
  const own = (away === -1 ? page.hops : page.hops.slice(0, away)).map(({ status }) => status);
  const last = own.at(-1);
  const answer = 'error' in page ? page.error : `HTTP ${page.status}`;
  const forwards = last === 301 && own.every((status) => status === 301 || status === 308) && isOwnHost(host, to);
  const way = own.filter((status, index) => index === own.length - 1 || status !== 301).join(' → ');
  const seen = isOwnHost(host, domain) || last === undefined ? answer : `${way} → ${host}: ${answer}`;
  return { seen, forwards, fault: forwards ? faultAtEnd(page, domain) : null };
}
