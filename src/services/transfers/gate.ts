import { setTimeout as sleep } from 'node:timers/promises';
import { escapeHtml } from '../../lib/html.ts';
import { Waiting } from '../../operations/waiting.ts';
import { readPage, type HealthOptions, type PageResult } from '../../providers/health.ts';
import { byAddress, type Place } from '../../providers/health/by-address.ts';
import { AppError } from '../../shared/errors.ts';
import type { Key } from '../../shared/i18n/index.ts';
import type { SiteFile } from '../../shared/sites/sites.ts';
import type { Readiness, SeenPage } from '../../shared/transfers/transfer-plan.ts';
import type { Likeness } from '../../shared/sites/stock-pages.ts';
import { healthOptions } from '../checks/check-names.ts';
import { sendsBackTo } from '../sites/sends-back.ts';
import { likenessOf, titleOf } from '../sites/site-likeness.ts';
import { isSamePage, printOf } from '../sites/site-print.ts';
import { minuteOf } from '../../shared/time.ts';

/**
 * `answers` good answers in a row, `everyMs` apart, within `limitMs`; `timeoutMs` is for one request. `certificate` and
 * `redirect`: how often and how long to wait for them.
 */
interface GateRules {
  answers: number;
  everyMs: number;
  limitMs: number;
  timeoutMs: number;
  certificate: { everyMs: number; limitMs: number };
  redirect: { everyMs: number; limitMs: number };
}

let rules: GateRules = {
  answers: 3,
  everyMs: 1_000,
  limitMs: 30_000,
  timeoutMs: 8_000,
  certificate: { everyMs: 10_000, limitMs: 600_000 },
  redirect: { everyMs: 15_000, limitMs: 900_000 },
};

/** Returns the rules that the gate and the redirect check apply. */
export const gateRules = (): Readonly<GateRules> => rules;

/** Changes the rules for this process, so that tests need not wait for seconds. */
export function setGate(changed: Partial<GateRules>): void {
  rules = { ...rules, ...changed };
}

/**
 * The site of the source, which a site that we did not deploy has to resemble. `kept` returns the stored page, for a
 * source that does not answer; null: none.
 */
export interface Model extends Place {
  kept: () => Promise<string | null>;
}

/**
 * A reserve that has to answer before visitors are sent there: its name, its server's address, and the marker file of
 * our release. Without a marker it has to resemble `model`, or be the page that a person has confirmed (`confirm_site`,
 * its print); a stock page never passes.
 */
export interface Gate extends Place {
  marker: SiteFile | null;
  model: Model | null;
  confirm_site?: string | undefined;
}

const MARKER_BYTES = 1_000;
export const PAGE_BYTES = 512 * 1024;
// Characters of a title or an address that are shown.
const MOST_SHOWN = 200;

/** A fault: a short text (`what`) or a message key. `issuing`: only the certificate is missing yet. */
type Fault = { what: string; issuing?: boolean } | { key: Key };

/** Whether a host is the domain's own, or its www. */
export const isOwnHost = (host: string, domain: string): boolean => host === domain || host === `www.${domain}`;

/** Returns the fault of a page by its likeness; null: it shows the site. A person can confirm any page that is no `stock`. */
export function likenessFault({ verdict, why }: Likeness): Key | null {
  if (verdict === 'like') return null;
  if (verdict === 'stock') return `transfer.page_${why}` as Key;
  return why === 'sends_back' ? 'transfer.site_sends_back' : `transfer.site_${verdict}`;
}

/** Whether a page was reached by way of a domain. */
const isBy = ({ hops, url }: PageResult, domain: string): boolean =>
  [...hops.map(({ host }) => host), url.hostname].some((host) => isOwnHost(host, domain));

/** Returns the fault of an answer, or null. A visitor needs https with a valid certificate. */
function faultOf(page: PageResult, domain: string, asVisitor: boolean): Fault | null {
  const { hostname, protocol, origin } = page.url;
  if (!isOwnHost(hostname, domain)) return { what: `→ ${hostname}` };
  if (asVisitor && page.certificate !== null) return { what: `TLS: ${page.certificate}` };
  if ('error' in page) return { what: page.error, issuing: asVisitor && page.noCertificate };
  if (asVisitor && protocol !== 'https:') return { what: `→ ${origin}` };
  return page.status < 200 || page.status > 299 ? { what: `HTTP ${page.status}` } : null;
}

type Shown = Extract<PageResult, { body: string }>;

/** The body of a page, which begins with the refresh of its head. */
export const bodyOf = (page: PageResult): string =>
  !('body' in page)
    ? ''
    : page.refresh === undefined
      ? page.body
      : `<meta http-equiv="refresh" content="${escapeHtml(page.refresh)}">${page.body}`;

/**
 * Returns the current page of the source, through the CDN or else from its server; the stored page where neither
 * answers. A source that forwards to the reserve already counts with the page that its visitors get there.
 */
async function modelPage(options: HealthOptions, model: Model, reserve: string): Promise<string | null> {
  const direct = byAddress(options, model);
  const ways = [options, ...(direct ? [{ ...options, connectTo: direct }] : [])];
  for (const way of ways) {
    const page = await readPage(model.domain, '/', { ...way, timeoutMs: rules.timeoutMs, bodyBytes: PAGE_BYTES });
    if ([model.domain, reserve].some((domain) => faultOf(page, domain, false) === null)) return bodyOf(page);
  }
  return model.kept();
}

/** Whether a page shows the site of the model. */
const likenessTo = (model: Model, source: string | null, domain: string, html: string): Likeness =>
  likenessOf({ html: source, domain: model.domain }, { html, domain });

const namesOf = ({ domain }: Model, reserve: string): string[] =>
  [domain, reserve].toSorted((one, other) => other.length - one.length);

/** Returns what a person is shown of a page. Control characters are cut out of its title, which is foreign text. */
const seenOf = (page: Shown, names: readonly string[]): SeenPage => ({
  address: page.url.href.slice(0, MOST_SHOWN),
  status: page.status,
  title: titleOf(page.body)
    .replaceAll(/[\p{C}\s]+/gu, ' ')
    .trim()
    .slice(0, MOST_SHOWN),
  print: printOf(bodyOf(page), names),
});

/** A look asks for the page first, then for the marker file or the likeness. */
interface Look {
  options: HealthOptions;
  asVisitor: boolean;
  gate: Gate;
  source: () => Promise<string | null>;
}

async function look({ options, asVisitor, gate, source }: Look): Promise<Fault | null> {
  const { domain, marker, model, confirm_site } = gate;
  const scheme = asVisitor ? ('https' as const) : ('auto' as const);
  const ask = { ...options, scheme, timeoutMs: rules.timeoutMs };
  const page = await readPage(domain, '/', { ...ask, bodyBytes: PAGE_BYTES });
  if (model && isBy(page, model.domain)) return { key: 'transfer.page_sends_back' };
  const first = faultOf(page, domain, asVisitor);
  if (first) return first;
  if (marker) {
    const found = await readPage(domain, `/${marker.path}`, { ...ask, bodyBytes: MARKER_BYTES });
    if (model && sendsBackTo(model.domain, bodyOf(page)) === 'surely') return { key: 'transfer.page_sends_back' };
    const isOurs = bodyOf(found).trim() === Buffer.from(marker.content).toString().trim();
    return faultOf(found, domain, asVisitor) ?? (isOurs ? null : { what: `≠ ${marker.path}` });
  }
  if (!model) return null;
  const likeness = likenessTo(model, await source(), domain, bodyOf(page));
  const fault = likenessFault(likeness);
  if (fault === null) return null;
  if (likeness.verdict === 'stock' || confirm_site === undefined) return { key: fault };
  return isSamePage(confirm_site, printOf(bodyOf(page), namesOf(model, domain)))
    ? null
    : { key: 'transfer.site_changed' };
}

/** Asks the server first: the CDN may cache an answer that it fetches too early. */
async function lookBothWays(options: HealthOptions, gate: Gate, source: Look['source']): Promise<Fault | null> {
  const connectTo = byAddress(options, gate);
  const direct = connectTo && { options: { ...options, connectTo }, asVisitor: false, gate, source };
  const fault = direct && (await look(direct));
  if (fault) return 'what' in fault ? { what: `${gate.address}: ${fault.what}` } : fault;
  return look({ options, asVisitor: true, gate, source });
}

/** Throws AppError `refused` with the message of a fault that lasts. */
function refuse({ domain, model }: Gate, fault: Fault): never {
  const source = model?.domain ?? domain;
  if ('key' in fault) throw new AppError('refused', fault.key, { domain, source }, { code: 'site_not_alike' });
  if (fault.issuing) throw new AppError('refused', 'transfer.certificate_late', { domain });
  throw new AppError('refused', 'transfer.gate_failed', { domain, what: fault.what });
}

/**
 * Waits until a name answers well three times in a row, from its server and then as visitors reach it (https, valid
 * certificate). Throws AppError `refused` where it does not within 30 s, and Waiting, unless `isOver`, where only the
 * certificate is missing.
 */
export async function passGate(gate: Gate, signal: AbortSignal, isOver = true): Promise<void> {
  const options: HealthOptions = { ...healthOptions(), signal };
  const end = performance.now() + rules.limitMs;
  const { model } = gate;
  let read: Promise<string | null> | undefined;
  const source = async (): Promise<string | null> =>
    (read ??= model ? modelPage(options, model, gate.domain) : Promise.resolve(null));
  for (let good = 0; ;) {
    const fault = await lookBothWays(options, gate, source);
    signal.throwIfAborted();
    good = fault === null ? good + 1 : 0;
    if (good === rules.answers) return;
    if (fault && 'issuing' in fault && fault.issuing && !isOver) {
      const say = (until: string) =>
        ({ key: 'transfer.waits_certificate', params: { domain: gate.domain, until: minuteOf(until) } }) as const;
      throw new Waiting(say, rules.certificate);
    }
    if (fault && performance.now() + rules.everyMs > end) refuse(gate, fault);
    await sleep(rules.everyMs, undefined, { signal });
  }
}

/** Looks at a reserve once, for a plan. Without a `model` its page and likeness are null. */
export async function lookOnce(
  place: Place,
  model: Model | null,
  signal: AbortSignal,
): Promise<Pick<Readiness, 'certificate' | 'likeness' | 'seen'>> {
  const options: HealthOptions = { ...healthOptions(), signal, timeoutMs: rules.timeoutMs };
  const { domain } = place;
  const connectTo = byAddress(options, place);
  const [visited, direct, source] = await Promise.all([
    readPage(domain, '/', { ...options, scheme: 'https', bodyBytes: PAGE_BYTES }),
    connectTo && model ? readPage(domain, '/', { ...options, connectTo, bodyBytes: PAGE_BYTES }) : null,
    model ? modelPage(options, model, domain) : null,
  ]);
  // A redirect to the source may be a rule that the move takes away: the gate asks again.
  const noAnswer: Likeness = { verdict: 'unclear', why: 'no_answer', score: null };
  // The name will lead to its server, so the server's page counts.
  const page = direct ?? visited;
  const shown = 'error' in page || faultOf(page, domain, false) !== null ? null : page;
  return {
    certificate: certificateOf(visited),
    seen: model && shown && seenOf(shown, namesOf(model, domain)),
    likeness: model && (shown ? likenessTo(model, source, domain, bodyOf(shown)) : noAnswer),
  };
}

function certificateOf(page: PageResult): Readiness['certificate'] {
  if (page.certificate !== null) return 'foreign';
  if (!('error' in page)) return 'good';
  return page.noCertificate ? 'issuing' : 'unknown';
}
