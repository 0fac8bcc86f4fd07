import { setTimeout as sleep } from 'node:timers/promises';
import { isPublicAddress } from '../lib/addresses.ts';
import type { Config } from '../lib/config.ts';
import { readPage, type HealthOptions, type PageResult } from '../providers/health.ts';
import { pickDetour, type ConnectTo } from '../providers/health/connect-to.ts';
import { AppError } from '../shared/errors.ts';
import type { SiteFile } from '../shared/sites.ts';
import { healthOptions } from './check-names.ts';

/** How the gate asks: so many good answers in a row, how far apart, and when it gives up. */
interface GateRules {
  answers: number;
  everyMs: number;
  limitMs: number;
  timeoutMs: number;
}

let rules: GateRules = { answers: 3, everyMs: 1_000, limitMs: 30_000, timeoutMs: 8_000 };

/** Other rules for this process: a test does not wait for seconds. */
export function setGate(changed: Partial<GateRules>): void {
  rules = { ...rules, ...changed };
}

/** What has to answer well before visitors are sent there: a name, the address of its server, and the file of our release. */
export interface Gate {
  domain: string;
  address: string | null;
  marker: SiteFile | null;
}

const MAX_BODY = 1_000;

/** The way to a name by its server alone; null where that must not be asked. A detour of the operator's counts for it, too. */
function byAddress({ connectTo = [], allowPrivate }: HealthOptions, { domain, address }: Gate): ConnectTo[] | null {
  if (address === null) return null;
  const ways = [443, 80].map((port1): ConnectTo => {
    const detour = pickDetour(connectTo, address, port1);
    return { host1: domain, port1, host2: detour?.host2 || address, port2: detour?.port2 ?? null };
  });
  const isOwn = ways.every(({ host2 }) => host2 === address);
  return isOwn && !allowPrivate && !isPublicAddress(address) ? null : [...ways, ...connectTo];
}

/** What is wrong with an answer, in short; null: nothing. With a file its content counts, too. */
function faultOf(page: PageResult, domain: string, file?: SiteFile): string | null {
  const host = page.url.hostname;
  if (host !== domain && host !== `www.${domain}`) return `→ ${host}`;
  if ('error' in page) return page.error;
  if (page.status < 200 || page.status > 299) return `HTTP ${page.status}`;
  return file && page.body.trim() !== Buffer.from(file.content).toString().trim() ? `≠ ${file.path}` : null;
}

async function look(options: HealthOptions, { domain, marker }: Gate): Promise<string | null> {
  const ask = { ...options, timeoutMs: rules.timeoutMs, bodyBytes: MAX_BODY };
  const first = faultOf(await readPage(domain, '/', ask), domain);
  if (first !== null || marker === null) return first;
  return faultOf(await readPage(domain, `/${marker.path}`, ask), domain, marker);
}

/** By the server first: what the CDN is asked for too early, it may remember. */
async function lookBothWays(options: HealthOptions, gate: Gate): Promise<string | null> {
  const direct = byAddress(options, gate);
  const fault = direct && (await look({ ...options, connectTo: direct }, gate));
  if (fault) return `${gate.address}: ${fault}`;
  return look(options, gate);
}

/**
 * Waits until a name answers well so many times in a row, by its server and then as visitors reach it. Throws `refused`
 * where it does not within half a minute.
 */
export async function passGate(config: Config, gate: Gate, signal: AbortSignal): Promise<void> {
  const options: HealthOptions = { ...healthOptions(config), signal };
  const end = Date.now() + rules.limitMs;
  for (let good = 0; ;) {
    const fault = await lookBothWays(options, gate);
    signal.throwIfAborted();
    good = fault === null ? good + 1 : 0;
    if (good === rules.answers) return;
    if (fault !== null && Date.now() + rules.everyMs > end) {
      throw new AppError('refused', 'transfer.gate_failed', { domain: gate.domain, what: fault });
    }
    await sleep(rules.everyMs, undefined, { signal });
  }
}

/** What a name answers to a visitor, in short: `301 → example.com`. For a note; nothing depends on it. */
export async function seenAt(config: Config, domain: string, signal: AbortSignal): Promise<string> {
  const options = { ...healthOptions(config), follow: true, timeoutMs: rules.timeoutMs, bodyBytes: MAX_BODY, signal };
  const page = await readPage(domain, '/', options);
  if ('error' in page) return page.error;
  return page.url.hostname === domain ? `HTTP ${page.status}` : `→ ${page.url.hostname}: HTTP ${page.status}`;
}
