import { isIPv6 } from 'node:net';
import type { CertificateFault, HealthError, HealthResult, HealthScheme, Redirect } from '../shared/checks/health.ts';
import type { Answer, Failure } from './health/ask.ts';
import { hostOf, STAGES } from './health/socket.ts';
import { startClock } from './health/clock.ts';
import { pickDetour, type ConnectTo } from '../lib/outgoing/connect-to.ts';
import { startPace } from './health/pace.ts';
import { openNames } from './health/resolve.ts';
import { visit, type Run, type Visit } from './health/visit.ts';

export interface HealthOptions {
  scheme?: HealthScheme;
  /** Whether redirects are followed, at most five; the last code counts. Default true. */
  follow?: boolean;
  /** Milliseconds for one host, including redirects but not name look-ups. Default 10,000. */
  timeoutMs?: number;
  /** Hosts under way at once. Default 500. */
  concurrency?: number;
  /** Also asks addresses that are not public, and follows redirects to any port. Default false. */
  allowPrivate?: boolean;
  connectTo?: ConnectTo[];
  /** The name server to ask, as parseDnsServer returns it. Default: the system's. */
  dns?: string;
  /** A certificate authority in PEM that is trusted instead of the usual ones. Set by the demo only, never by an operator. */
  ca?: string | undefined;
  /** Hosts to start first: those that hung last time, so that their waits overlap all other work. */
  slowFirst?: ReadonlySet<string>;
  /** Aborts hosts under way, without a result for them. */
  signal?: AbortSignal;
}

const MAX_REDIRECTS = 5;
const MAX_LOCATION = 2_048;
const REDIRECT_CODES = new Set([301, 302, 303, 307, 308]);

/**
 * Checks whether hosts answer, many at a time, and calls `onResult` with each verdict as it comes; a host named twice is
 * checked once. Failures of a host are its result, and never throw. Does not connect to addresses that are not public unless
 * the options allow it, whatever a name or a redirect says.
 */
export async function checkHealth(
  hosts: Iterable<string>,
  options: HealthOptions,
  onResult: (result: HealthResult) => void,
): Promise<void> {
  const run = startRun(options);
  const { signal } = run;
  const queue = signal?.aborted ? [] : inOrder(hosts, options.slowFirst).reverse();
  const stop = () => {
    queue.length = 0;
    run.names.cancel();
    for (const socket of run.open) socket.destroy();
  };
  const pace = startPace();
  let width = Math.min(options.concurrency ?? 500, queue.length);
  const work = async () => {
    for (;;) {
      await pace();
      const host = queue.pop();
      if (host === undefined) break;
      const result = await checkHost(run, host);
      if (signal?.aborted) return;
      if (result.error === 'local_failure' && width > 1) {
        // Out of sockets is no verdict: the other workers take the host over, and this one ends.
        queue.push(host);
        break;
      }
      onResult(result);
    }
    width -= 1;
  };
  signal?.addEventListener('abort', stop);
  await Promise.all(Array.from({ length: width }, work));
  signal?.removeEventListener('abort', stop);
  run.clock.stop();
}

const startRun = (options: HealthOptions): Run => ({
  scheme: options.scheme ?? 'auto',
  follow: options.follow ?? true,
  timeoutMs: options.timeoutMs ?? 10_000,
  allowPrivate: options.allowPrivate ?? false,
  connectTo: options.connectTo ?? [],
  names: openNames(options.dns),
  open: new Set(),
  clock: startClock(),
  ca: options.ca,
  signal: options.signal,
});

/** One answer on the way to a page, and its host. */
export interface Hop {
  host: string;
  status: number;
}

/**
 * A page that was read: the first bytes of its body, or why there is none. `certificate` is the first fault of a certificate
 * on the way, `status` that of the last answer, `hops` are all answers; `noCertificate`: the server has none for the name; `refresh`: that header.
 */
export type PageResult = { url: URL; certificate: CertificateFault | null; hops: Hop[] } & (
  | { status: number; body: string; refresh?: string | undefined }
  | { error: HealthError; noCertificate: boolean }
);

/**
 * Reads a page of a host, https first and http if TLS fails, with the rules of `checkHealth`: only public addresses unless the
 * options allow others, at most five redirects. Failures of a host never throw.
 */
export async function readPage(
  host: string,
  path: string,
  { bodyBytes, ...options }: HealthOptions & { bodyBytes: number },
): Promise<PageResult> {
  const run: Run = { ...startRun(options), bodyBytes };
  const stop = () => {
    run.names.cancel();
    for (const socket of run.open) socket.destroy();
  };
  options.signal?.addEventListener('abort', stop);
  try {
    const start = startUrl(host, run.scheme);
    if (start === null) {
      const url = new URL('http://invalid/');
      return { error: 'bad_name', url, certificate: null, hops: [], noCertificate: false };
    }
    return await followPage(run, new URL(path, start));
  } finally {
    options.signal?.removeEventListener('abort', stop);
    run.clock.stop();
  }
}

async function followPage(run: Run, start: URL): Promise<PageResult> {
  const state: Visit = { run, left: run.timeoutMs, lookups: [] };
  let { url, outcome } = await visitFirst(state, start);
  let certificate: CertificateFault | null = null;
  const hops: Hop[] = [];
  const failed = (error: HealthError, noCertificate = false): PageResult => ({
    error,
    noCertificate,
    url,
    certificate,
    hops,
  });
  while (hops.length <= MAX_REDIRECTS) {
    if ('error' in outcome) return failed(outcome.error, outcome.noCertificate);
    certificate ??= outcome.certificate;
    hops.push({ host: url.hostname, status: outcome.status });
    const target = redirectTarget(outcome, url);
    if (target === null || !run.follow) {
      return { status: outcome.status, url, body: outcome.body ?? '', certificate, hops, refresh: outcome.refresh };
    }
    if (target === 'broken') return failed('bad_answer');
    if (target.protocol !== 'http:' && target.protocol !== 'https:') return failed('unsupported_scheme');
    url = target;
    outcome = await visit(state, url, 1);
  }
  return failed('too_many_redirects');
}

function inOrder(hosts: Iterable<string>, slowFirst: ReadonlySet<string> = new Set()): string[] {
  const unique = [...new Set(hosts)];
  return [...unique.filter((host) => slowFirst.has(host)), ...unique.filter((host) => !slowFirst.has(host))];
}

async function checkHost(run: Run, domain: string): Promise<HealthResult> {
  const redirects: Redirect[] = [];
  const state: Visit = { run, left: run.timeoutMs, lookups: [] };
  let certificate: CertificateFault | null = null;
  const verdict = (url: URL | null, code: number | null, error: HealthError | null): HealthResult => ({
    domain,
    http_status_code: code,
    error,
    tls_error: certificate,
    ms: Math.round(run.timeoutMs - state.left),
    redirects,
    scheme: code === null ? null : url?.protocol === 'https:' ? 'https' : 'http',
    final_url: url?.href ?? null,
  });

  const start = startUrl(domain, run.scheme);
  if (start === null) return verdict(null, null, 'bad_name');
  let { url, outcome } = await visitFirst(state, start);
  for (;;) {
    if ('error' in outcome) return verdict(url, null, outcome.error);
    certificate ??= outcome.certificate;
    const target = redirectTarget(outcome, url);
    if (target === null) return verdict(url, outcome.status, null);
    if (target === 'broken') return verdict(url, null, 'bad_answer');
    redirects.push({ url: url.href, status: outcome.status, location: target.href.slice(0, MAX_LOCATION) });
    if (!run.follow) return verdict(url, outcome.status, null);
    if (target.protocol !== 'http:' && target.protocol !== 'https:') return verdict(url, null, 'unsupported_scheme');
    if (redirects.some((redirect) => redirect.url === target.href)) return verdict(url, null, 'redirect_loop');
    if (redirects.length > MAX_REDIRECTS) return verdict(url, null, 'too_many_redirects');
    url = target;
    outcome = await visit(state, url, 1);
  }
}

// A bare name or address: no path, no port, no user.
function startUrl(domain: string, scheme: HealthScheme): URL | null {
  const host = isIPv6(domain) ? `[${domain}]` : domain;
  const text = `${scheme === 'http' ? 'http' : 'https'}://${host}/`;
  const extra = /[\s/\\?#@]/.test(host) || host.replace(/^\[.*\]/, '').includes(':');
  return extra ? null : parseUrl(text);
}

/** Parses a URL; null if it is invalid. */
function parseUrl(text: string, base?: URL): URL | null {
  try {
    return new URL(text, base);
  } catch {
    return null;
  }
}

/** Makes the first request for a host. */
const visitFirst = (state: Visit, url: URL): Promise<{ url: URL; outcome: Answer | Failure }> =>
  state.run.scheme === 'auto' ? visitEither(state, url) : visit(state, url, 1).then((outcome) => ({ url, outcome }));

/**
 * Asks https, with half of the time to connect; if TLS fails in it, http gets the rest, so that a host that hangs costs one
 * timeout, not two. So it does where the name is not found and a detour leads http elsewhere. Of two failures the one that came further is returned.
 */
async function visitEither(state: Visit, url: URL): Promise<{ url: URL; outcome: Answer | Failure }> {
  const first = await visit(state, url, 0.5);
  if (!('error' in first) || !fallsBack(first, url, state.run)) return { url, outcome: first };
  const plain = new URL(url.href);
  plain.protocol = 'http:';
  const second = await visit(state, plain, 1);
  const further = 'error' in second && STAGES.indexOf(second.stage) < STAGES.indexOf(first.stage) ? first : second;
  return { url: further === first ? url : plain, outcome: further };
}

/** Whether http may answer where https has failed. */
const fallsBack = ({ stage, error }: Failure, url: URL, { connectTo }: Run): boolean =>
  ['connect', 'tls'].includes(stage) || (error.startsWith('dns_') && !!pickDetour(connectTo, hostOf(url), 80)?.host2);

// Node decodes headers as latin1, but sites write raw UTF-8 here. Name and password in the address are dropped.
function redirectTarget({ status, location }: Answer, base: URL): URL | 'broken' | null {
  if (!REDIRECT_CODES.has(status) || location === undefined || location === '') return null;
  const text = Buffer.from(location, 'latin1').toString('utf8');
  const target = parseUrl(text, base);
  if (target === null) return 'broken';
  target.username = '';
  target.password = '';
  target.hash = '';
  return target;
}
