import type { Verdict } from '../checks/blocklist.ts';
import { EXPIRING_DAYS, type DomainRow } from '../portfolio/domains.ts';
import type { Said } from '../i18n/index.ts';

/** So many observations in a row have to say that a name is blocked before its site moves by itself. */
export const WITNESSES = 3;
/** Fetches of the list so far apart are two witnesses even where the list has not changed. */
const APART_MS = 10 * 60_000;
/** What moves by itself in a UTC day: in a project, and in all. */
export const MOST_A_DAY = { project: 3, overall: 20 } as const;

/** A look at the blocklist that was kept; `entry` is what listed the name. */
export interface Observation {
  verdict: string;
  entry: string | null;
  list_version: string | null;
  list_fetched_at: string | null;
}

interface Facts extends Pick<DomainRow, 'id' | 'domain_name' | 'type' | 'transfer_type' | 'status'> {
  zone: string;
  /** What the list of now says. */
  listed: Verdict['status'];
  /** Another operation works on it. */
  busy: boolean;
}

/**
 * A main domain. `observations` are the newest first, `came_from` the ids of the domains that it has replaced. `flapped`: it was
 * seen free after it had been seen blocked, within the last day.
 */
export interface MainFacts extends Facts, Pick<DomainRow, 'cloudflare_account_id'> {
  observations: readonly Observation[];
  flapped: boolean;
  came_from: readonly number[];
  /** Its visitors go past the CDN, so nothing would forward them. */
  unproxied?: boolean;
}

/**
 * A reserve. `failed`: a site that was to move to it by itself did not, within the last day. `blocked_lately`: it was seen blocked
 * within the last day; a cut list frees it for a while.
 */
export interface ReserveFacts extends Facts, Pick<DomainRow, 'expired_at' | 'http_status_code' | 'http_error'> {
  failed: boolean;
  blocked_lately: boolean;
  /** What was seen outside that speaks against it. */
  unfit?: Unready | undefined;
}

/** A project as automatic transfer sees it. `moving`: a transfer of it is under way. */
export interface ProjectFacts {
  last_reserve: 'on' | 'off';
  moving: boolean;
  /** What was moved automatically since the UTC day began, in the project and in all. */
  moved: { project: number; overall: number };
  mains: readonly MainFacts[];
  reserves: readonly ReserveFacts[];
}

/** Why a reserve is not taken. */
export type Unready =
  | 'manual'
  | 'came_from'
  | 'blocked'
  | 'unknown'
  | 'expiring'
  | 'same_zone'
  | 'busy'
  | 'failed'
  | 'zone'
  | 'certificate'
  | 'site';

/** The reserve for a main, and how many ready ones there were; or why each is none. */
export type Found =
  | { pick: ReserveFacts; ready: number }
  | { pick: null; unready: { reserve: ReserveFacts; reason: Unready }[] };

/** What is to be done about a blocked main. `waiting`: nothing yet, and nobody has to be told. */
export interface Choice {
  main: MainFacts;
  target: ReserveFacts | null;
  decision: 'started' | 'declined' | 'waiting';
  reason: Said;
}

const covers = (entry: string | null, name: string): boolean =>
  entry !== null &&
  (entry === name || (entry.startsWith('*.') && (name === entry.slice(2) || name.endsWith(entry.slice(1)))));

/** How many of the newest observations in a row say that this very name is blocked: those of a former name don't count. */
const seenBlocked = ({ domain_name, observations }: Pick<MainFacts, 'domain_name' | 'observations'>): number => {
  const end = observations.findIndex(({ verdict, entry }) => verdict !== 'blocked' || !covers(entry, domain_name));
  return end === -1 ? observations.length : end;
};

/** Whether the last three observations say "blocked", by two versions of the list or by fetches ten minutes apart. */
export function isWitnessed(main: Pick<MainFacts, 'domain_name' | 'observations'>): boolean {
  if (seenBlocked(main) < WITNESSES) return false;
  const last = main.observations.slice(0, WITNESSES);
  const versions = new Set(last.flatMap(({ list_version }) => list_version ?? []));
  const fetched = last.flatMap(({ list_fetched_at }) => (list_fetched_at === null ? [] : Date.parse(list_fetched_at)));
  // Of no fetches the latest is -Infinity, which is not long after the first.
  return versions.size >= 2 || Math.max(...fetched) - Math.min(...fetched) >= APART_MS;
}

function unreadyFor(main: MainFacts, reserve: ReserveFacts, now: number): Unready | null {
  const { status, listed, expired_at } = reserve;
  const isBlocked = status !== 'available' || listed === 'blocked';
  if (reserve.type !== 'transfer' || reserve.transfer_type !== 'auto') return 'manual';
  // It forwards to the very site that is to leave.
  if (isBlocked && main.came_from.includes(reserve.id)) return 'came_from';
  if (isBlocked || reserve.blocked_lately) return 'blocked';
  if (listed !== 'free') return 'unknown';
  if (expired_at !== null && Date.parse(expired_at) <= now + EXPIRING_DAYS * 86_400_000) return 'expiring';
  // What forwards the one would forward the other to itself.
  if (reserve.zone === main.zone) return 'same_zone';
  if (reserve.busy) return 'busy';
  return reserve.failed ? 'failed' : (reserve.unfit ?? null);
}

const isDown = ({ http_status_code: code, http_error }: ReserveFacts): boolean =>
  http_error !== null || (code !== null && (code < 200 || code > 299));

/** Those that are not known to be down come first, then the latest expiry, one without a date last; then the id. */
const byPreference = (one: ReserveFacts, other: ReserveFacts): number =>
  Number(isDown(one)) - Number(isDown(other)) ||
  Date.parse(other.expired_at ?? '1970-01-01') - Date.parse(one.expired_at ?? '1970-01-01') ||
  one.id - other.id;

/** Which reserve a main's site would move to. The order of the reserves does not matter. */
export function pickReserve(main: MainFacts, reserves: readonly ReserveFacts[], now: number): Found {
  const looked = reserves.map((reserve) => ({ reserve, reason: unreadyFor(main, reserve, now) }));
  const ready = looked.flatMap(({ reserve, reason }) => (reason === null ? [reserve] : [])).toSorted(byPreference);
  const [pick] = ready;
  if (pick) return { pick, ready: ready.length };
  const unready = looked.flatMap(({ reserve, reason }) => (reason === null ? [] : [{ reserve, reason }]));
  return { pick: null, unready: unready.toSorted((one, other) => one.reserve.id - other.reserve.id) };
}

const choice = (main: MainFacts, decision: Choice['decision'], reason: Said): Choice => ({
  main,
  target: null,
  decision,
  reason,
});

/** Why there is none: in one word where it is the same for all. */
function noneReady(unready: readonly { reason: Unready }[]): Said {
  const reasons = new Set(unready.map(({ reason }) => reason));
  const [only] = reasons;
  if (only === undefined) return { key: 'auto_transfer.no_reserve' };
  return { key: reasons.size === 1 ? `auto_transfer.all_${only}` : 'auto_transfer.none_ready' };
}

/** Chooses for one main of those that are left; what is chosen is taken out of `left`. */
function chooseFor(main: MainFacts, left: Set<ReserveFacts>, now: number, lastToo: boolean): Choice {
  // Nothing could be forwarded.
  if (main.cloudflare_account_id === null) return choice(main, 'declined', { key: 'auto_transfer.main_no_account' });
  if (main.unproxied) return choice(main, 'declined', { key: 'auto_transfer.main_not_proxied' });
  const found = pickReserve(main, [...left], now);
  if (found.pick === null) return choice(main, 'declined', noneReady(found.unready));
  const target = found.pick.domain_name;
  if (found.ready === 1 && !lastToo) return choice(main, 'declined', { key: 'auto_transfer.last', params: { target } });
  left.delete(found.pick);
  return { main, target: found.pick, decision: 'started', reason: { key: 'auto_transfer.chosen', params: { target } } };
}

const blockedMains = ({ mains }: ProjectFacts): MainFacts[] =>
  mains
    .filter(({ type, status }) => type === 'main' && status === 'blocked')
    .toSorted((one, other) => one.id - other.id);

/** What a person's request for the project does about each of its blocked mains. A reserve is taken once. */
export function chooseAsked(project: ProjectFacts, now: number, lastToo = false): Choice[] {
  // A person may have seen to what failed.
  const left = new Set(project.reserves.map((reserve) => ({ ...reserve, failed: false, blocked_lately: false })));
  return blockedMains(project).map((main) => {
    if (main.busy) return choice(main, 'declined', { key: 'auto_transfer.main_busy' });
    if (main.listed === 'free') return choice(main, 'declined', { key: 'auto_transfer.not_listed' });
    return chooseFor(main, left, now, lastToo || project.last_reserve === 'on');
  });
}

/**
 * What happens by itself to the blocked mains of a project that may move so: one at a time, and only what was witnessed
 * and is still listed.
 */
export function chooseAlone(project: ProjectFacts, now: number): Choice[] {
  const left = new Set(project.reserves);
  let moving = project.moving;
  return blockedMains(project)
    .filter(({ transfer_type }) => transfer_type === 'auto')
    .map((main) => {
      if (main.busy) return choice(main, 'waiting', { key: 'auto_transfer.main_busy' });
      if (main.listed !== 'blocked') return choice(main, 'waiting', { key: 'auto_transfer.not_listed' });
      if (!isWitnessed(main)) {
        const params = { n: Math.min(seenBlocked(main), WITNESSES), of: WITNESSES };
        return choice(main, 'waiting', { key: 'auto_transfer.seen', params });
      }
      if (main.flapped) return choice(main, 'waiting', { key: 'auto_transfer.flapping' });
      if (moving) return choice(main, 'waiting', { key: 'auto_transfer.turn' });
      const over = overLimit(project);
      if (over) return choice(main, 'declined', over);
      const chosen = chooseFor(main, left, now, project.last_reserve === 'on');
      if (chosen.decision === 'started') moving = true;
      return chosen;
    });
}

function overLimit({ moved }: ProjectFacts): Said | null {
  if (moved.project >= MOST_A_DAY.project) {
    return { key: 'auto_transfer.limit_project', params: { limit: MOST_A_DAY.project } };
  }
  if (moved.overall < MOST_A_DAY.overall) return null;
  return { key: 'auto_transfer.limit_overall', params: { limit: MOST_A_DAY.overall } };
}

/** The most names that turned blocked within ten minutes. `times` are ISO, in any order. */
export function largestWave(times: readonly string[]): number {
  const sorted = times.map((time) => Date.parse(time)).toSorted((one, other) => one - other);
  let first = 0;
  let most = 0;
  for (const [index, at] of sorted.entries()) {
    while (at - (sorted[first] ?? at) > APART_MS) first += 1;
    most = Math.max(most, index - first + 1);
  }
  return most;
}
