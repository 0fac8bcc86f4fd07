import type { Verdict } from '../checks/blocklist.ts';
import type { DomainRow } from '../portfolio/tables.ts';
import { EXPIRING_DAYS } from '../portfolio/expiry-day.ts';
import type { Message } from '../i18n/index.ts';
import { DAY_MS } from '../time.ts';

/** Number of observations in a row that must say "blocked" before a site moves automatically. */
export const WITNESSES = 3;
/** Fetches of the list so far apart are independent, even if the list has not changed. */
const APART_MS = 10 * 60_000;
/**
 * Limits of automatic transfers in a UTC day: in a project, and overall. `main` limits the tries of a main domain within 24 hours that have
 * failed through no fault of the reserve.
 */
export const MOST_A_DAY = { project: 3, overall: 20, main: 3 } as const;

/** A stored check against the blocklist; `entry` is the one that listed the name. */
export interface Observation {
  verdict: string;
  entry: string | null;
  list_version: string | null;
  list_fetched_at: string | null;
}

interface Facts extends Pick<DomainRow, 'id' | 'domain_name' | 'type' | 'transfer_type' | 'status'> {
  zone: string;
  /** Verdict of the current list. */
  listed: Verdict['status'];
  /** Another operation works on it. */
  busy: boolean;
}

/**
 * A main domain. `observations` come newest first, `came_from` are the ids of the domains that it has replaced. `flapped`: it
 * was seen free after it had been seen blocked, within the last day. `tried`: how many automatic transfers of it failed within the last day
 * through no fault of the reserve; `called_off`: a person has cancelled one.
 */
export interface MainFacts extends Facts, Pick<DomainRow, 'cloudflare_account_id' | 'server_id'> {
  observations: readonly Observation[];
  flapped: boolean;
  tried: number;
  called_off: boolean;
  came_from: readonly number[];
  /** Why it could not be forwarded, as a look outside has found. */
  unfit?: Message | undefined;
}

/**
 * A reserve. `failed`: an automatic transfer to it failed within the last day. `blocked_lately`: it was seen blocked within the
 * last day; a truncated list may free it for a while.
 */
export interface ReserveFacts extends Facts, Pick<DomainRow, 'expired_at' | 'http_status_code' | 'http_error'> {
  failed: boolean;
  blocked_lately: boolean;
  /** The servers on which it would get, having none, a folder that is another's. */
  taken_on?: readonly number[] | undefined;
  /** Reason against it that a look outside has found. */
  unfit?: Unready | undefined;
}

/** A project as automatic transfer sees it. `moving`: a transfer of it is under way. */
export interface ProjectFacts {
  last_reserve: 'on' | 'off';
  moving: boolean;
  /** Number of automatic transfers since the UTC day began, in the project and overall. */
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
  | 'folder'
  | 'busy'
  | 'failed'
  | 'zone'
  | 'certificate'
  | 'site';

/** The reserve for a main domain, and the number of ready ones; or why each is not ready. */
export type Found =
  | { pick: ReserveFacts; ready: number }
  | { pick: null; unready: { reserve: ReserveFacts; reason: Unready }[] };

/** Decision about a blocked main domain. `waiting`: nothing is done yet, and nobody is notified. */
export interface Choice {
  main: MainFacts;
  target: ReserveFacts | null;
  decision: 'started' | 'declined' | 'waiting';
  reason: Message;
}

const covers = (entry: string | null, name: string): boolean =>
  entry !== null &&
  (entry === name || (entry.startsWith('*.') && (name === entry.slice(2) || name.endsWith(entry.slice(1)))));

/** Number of the newest observations in a row that say "blocked" for this very name: those of a former name don't count. */
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
  // Without fetches the difference is -Infinity: not far enough apart.
  return versions.size >= 2 || Math.max(...fetched) - Math.min(...fetched) >= APART_MS;
}

function unreadyFor(main: MainFacts, reserve: ReserveFacts, now: number): Unready | null {
  const { status, listed, expired_at } = reserve;
  const isBlocked = status !== 'available' || listed === 'blocked';
  if (reserve.type !== 'transfer' || reserve.transfer_type !== 'auto') return 'manual';
  // A domain that this one has replaced redirects to the very site that is to move.
  if (isBlocked && main.came_from.includes(reserve.id)) return 'came_from';
  if (isBlocked || reserve.blocked_lately) return 'blocked';
  if (listed !== 'free') return 'unknown';
  if (expired_at !== null && Date.parse(expired_at) <= now + EXPIRING_DAYS * DAY_MS) return 'expiring';
  // In one zone the redirect of the main domain would redirect the reserve to itself.
  if (reserve.zone === main.zone) return 'same_zone';
  if (main.server_id !== null && reserve.taken_on?.includes(main.server_id)) return 'folder';
  if (reserve.busy) return 'busy';
  return reserve.failed ? 'failed' : (reserve.unfit ?? null);
}

const isDown = ({ http_status_code: code, http_error }: ReserveFacts): boolean =>
  http_error !== null || (code !== null && (code < 200 || code > 299));

/** Orders reserves: not known to be down first, then the latest expiry (no date last), then the id. */
const byPreference = (one: ReserveFacts, other: ReserveFacts): number =>
  Number(isDown(one)) - Number(isDown(other)) ||
  Date.parse(other.expired_at ?? '1970-01-01') - Date.parse(one.expired_at ?? '1970-01-01') ||
  one.id - other.id;

/** Picks the reserve to which a main domain's site would move. The order of `reserves` does not matter. */
export function pickReserve(main: MainFacts, reserves: readonly ReserveFacts[], now: number): Found {
  const looked = reserves.map((reserve) => ({ reserve, reason: unreadyFor(main, reserve, now) }));
  const ready = looked.flatMap(({ reserve, reason }) => (reason === null ? [reserve] : [])).toSorted(byPreference);
  const [pick] = ready;
  if (pick) return { pick, ready: ready.length };
  const unready = looked.flatMap(({ reserve, reason }) => (reason === null ? [] : [{ reserve, reason }]));
  return { pick: null, unready: unready.toSorted((one, other) => one.reserve.id - other.reserve.id) };
}

const choice = (main: MainFacts, decision: Choice['decision'], reason: Message): Choice => ({
  main,
  target: null,
  decision,
  reason,
});

/** Returns why no reserve is ready: the common reason if it is the same for all. */
function noneReady(unready: readonly { reason: Unready }[]): Message {
  const reasons = new Set(unready.map(({ reason }) => reason));
  const [only] = reasons;
  if (only === undefined) return { key: 'auto_transfer.no_reserve' };
  return { key: reasons.size === 1 ? `auto_transfer.all_${only}` : 'auto_transfer.none_ready' };
}

/** Chooses a reserve out of `left` for a main domain, and removes it from `left`. */
function chooseFor(main: MainFacts, left: Set<ReserveFacts>, now: number, lastToo: boolean): Choice {
  // Without an account no redirect can be set.
  if (main.cloudflare_account_id === null) return choice(main, 'declined', { key: 'auto_transfer.main_no_account' });
  if (main.unfit) return choice(main, 'declined', main.unfit);
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

/** Chooses for each blocked main domain of a project at a person's request. A reserve is used once. */
export function chooseAsked(project: ProjectFacts, now: number, lastToo = false): Choice[] {
  // The person may have repaired the cause of a failure.
  const left = new Set(project.reserves.map((reserve) => ({ ...reserve, failed: false, blocked_lately: false })));
  return blockedMains(project).map((main) => {
    if (main.busy) return choice(main, 'declined', { key: 'auto_transfer.main_busy' });
    if (main.listed === 'free') return choice(main, 'declined', { key: 'auto_transfer.not_listed' });
    return chooseFor(main, left, now, lastToo || project.last_reserve === 'on');
  });
}

/**
 * Chooses automatically for the blocked main domains of a project with transfer type `auto`: one at a time, and only those
 * witnessed and still listed.
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
      // Else the next run would begin it anew.
      if (main.called_off) return choice(main, 'declined', { key: 'auto_transfer.main_called_off' });
      if (moving) return choice(main, 'waiting', { key: 'auto_transfer.turn' });
      const over = overLimit(project) ?? overTries(main);
      if (over) return choice(main, 'declined', over);
      const chosen = chooseFor(main, left, now, project.last_reserve === 'on');
      if (chosen.decision === 'started') moving = true;
      return chosen;
    });
}

/** Refuses a main domain after too many failed tries: these spend neither a reserve nor another limit, and would never end. */
const overTries = ({ tried }: MainFacts): Message | null =>
  tried < MOST_A_DAY.main ? null : { key: 'auto_transfer.limit_main', params: { limit: MOST_A_DAY.main } };

function overLimit({ moved }: ProjectFacts): Message | null {
  if (moved.project >= MOST_A_DAY.project) {
    return { key: 'auto_transfer.limit_project', params: { limit: MOST_A_DAY.project } };
  }
  if (moved.overall < MOST_A_DAY.overall) return null;
  return { key: 'auto_transfer.limit_overall', params: { limit: MOST_A_DAY.overall } };
}

/** Returns the largest number of names that turned blocked within ten minutes. `times` are ISO, in any order. */
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
