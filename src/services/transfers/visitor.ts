import { readPage, type PageResult } from '../../providers/health.ts';
import { AppError } from '../../shared/errors.ts';
import { toUnicode } from '../../shared/portfolio/domain-name.ts';
import type { SeenMove, SeenName } from '../../shared/transfers/transfer-page.ts';
import type { Actor } from '../access/scope.ts';
import { healthOptions } from '../checks/check-names.ts';
import { titleOf } from '../sites/site-likeness.ts';
import { findMove } from './page.ts';
import { hasDomain } from './rows.ts';

// A person waits.
const LIMIT_MS = 8_000;
const PAGE_BYTES = 64 * 1024;
const MOST_SHOWN = 120;
// An answer that is so young is given again: several who look at once, and a press too many, ask the sites once.
const FRESH_MS = 5_000;
// Limits of this process: looks at once, and looks of one person within a minute.
const MOST_AT_ONCE = 8;
const MOST_OF_ONE = 30;
const MINUTE_MS = 60_000;

interface Name {
  id: number;
  name: string;
}

const isHostOf = (host: string, name: string): boolean => host === name || host === `www.${name}`;

function titleIn(page: PageResult): string | null {
  if (!('body' in page)) return null;
  // Foreign text: control characters are cut out.
  const title = titleOf(page.body)
    .replaceAll(/[\p{C}\s]+/gu, ' ')
    .trim();
  return title === '' ? null : title.slice(0, MOST_SHOWN);
}

/** Asks a name from outside, as a browser does: https first, and its redirects. Failures of the site are the answer. */
async function seeName({ name }: Name, other: string | null): Promise<SeenName> {
  const from = performance.now();
  const page = await readPage(name, '/', { ...healthOptions(), timeoutMs: LIMIT_MS, bodyBytes: PAGE_BYTES });
  const { url, certificate, hops } = page;
  const isAway = !isHostOf(url.hostname, name);
  // All redirects of the name itself have to be for good.
  const own = hops.filter(({ host }) => isHostOf(host, name)).map(({ status }) => status);
  const isForGood = own.length > 0 && own.every((status) => status === 301 || status === 308);
  return {
    domain_name: name,
    unicode_name: toUnicode(name),
    status: 'error' in page ? null : page.status,
    error: 'error' in page ? page.error : null,
    certificate,
    no_certificate: 'error' in page && page.noCertificate,
    address: url.origin,
    is_https: url.protocol === 'https:',
    leads_to: isAway ? toUnicode(url.hostname) : null,
    for_good: isForGood,
    forwards: isAway && isForGood && other !== null && isHostOf(url.hostname, other),
    title: titleIn(page),
    ms: Math.round(performance.now() - from),
  };
}

const kept = new Map<string, { at: number; isRunning: boolean; seen: Promise<SeenMove> }>();
const times = new Map<number | null, number[]>();

/** Throws AppError `too_many` where this process or this person looks too often. */
function claimLook(actor: Actor, now: number): void {
  for (const [key, { at, isRunning }] of kept) if (!isRunning && now - at > FRESH_MS) kept.delete(key);
  const running = [...kept.values()].filter(({ isRunning }) => isRunning).length;
  for (const [id, own] of times) if ((own.at(-1) ?? -Infinity) < now - MINUTE_MS) times.delete(id);
  const recent = (times.get(actor.id) ?? []).filter((at) => at > now - MINUTE_MS);
  if (running < MOST_AT_ONCE && recent.length < MOST_OF_ONE) {
    times.set(actor.id, [...recent, now]);
    return;
  }
  throw new AppError('too_many', 'transfer_page.look_busy', {}, { retryAfter: running < MOST_AT_ONCE ? 30 : 5 });
}

async function see(actor: Actor, source: Name, target: Name | null): Promise<SeenMove> {
  const at = new Date().toISOString();
  const look = async (one: Name | null, other: Name | null): Promise<SeenName | null> =>
    one && (await hasDomain(actor, one)) ? seeName(one, other?.name ?? null) : null;
  const [seenSource, seenTarget] = await Promise.all([look(source, target), look(target, source)]);
  return { at, source: seenSource, target: seenTarget };
}

/**
 * Returns what visitors of the two names of a move of the caller's get now, by a look from here that asks each once by its name; nothing is
 * stored. An answer of the last five seconds is given again. Names that are not the caller's any more are not asked. Throws AppError
 * `not_found`, and `too_many` where too much is asked at once.
 */
export async function lookAsVisitor(actor: Actor, id: number, move?: number): Promise<SeenMove> {
  const { row, source, target } = await findMove(actor, id, move);
  const key = `${actor.id} ${row.id}`;
  const now = performance.now();
  const known = kept.get(key);
  if (known && (known.isRunning || now - known.at < FRESH_MS)) return known.seen;
  claimLook(actor, now);
  const look = { at: now, isRunning: true, seen: see(actor, source, target) };
  kept.set(key, look);
  try {
    return await look.seen;
  } catch (error) {
    kept.delete(key);
    throw error;
  } finally {
    Object.assign(look, { at: performance.now(), isRunning: false });
  }
}
