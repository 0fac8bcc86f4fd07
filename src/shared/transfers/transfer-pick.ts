import type { Verdict } from '../checks/blocklist.ts';
import type { DomainRow } from '../portfolio/tables.ts';
import { EXPIRING_DAYS } from '../portfolio/expiry-day.ts';
import type { Message } from '../i18n/index.ts';
import { DAY_MS } from '../time.ts';
import { isWitnessed, seenBlocked, WITNESSES, type Observation } from './witnesses.ts';

/**
 * Limits of automatic transfers in a UTC day: in a project, and overall. `main` limits the tries of a main domain within 24 hours that have
 * failed through no fault of the reserve.
 */
export const MOST_A_DAY = { project: 3, overall: 20, main: 3 } as const;

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

/** The facts of a main domain that may speak against a reserve. */
type Claims = Pick<MainFacts, 'came_from' | 'zone' | 'server_id'>;

/** A main domain that speaks against none: what is not ready for it is ready for no other. */
const ANY: Claims = { came_from: [], zone: '', server_id: null };

function clashOf(main: Claims, { zone, taken_on }: ReserveFacts): Unready | null {
  // In one zone the redirect of the main domain would redirect the reserve to itself.
  if (zone === main.zone) return 'same_zone';
  return main.server_id !== null && taken_on?.includes(main.server_id) ? 'folder' : null;
}

function unreadyFor(main: Claims, reserve: ReserveFacts, now: number): Unready | null {
  const { status, listed, expired_at } = reserve;
  const isBlocked = status !== 'available' || listed === 'blocked';
  if (reserve.type !== 'transfer' || reserve.transfer_type !== 'auto') return 'manual';
  // A domain that this one has replaced redirects to the very site that is to move.
  if (isBlocked && main.came_from.includes(reserve.id)) return 'came_from';
  if (isBlocked || reserve.blocked_lately) return 'blocked';
  if (listed !== 'free') return 'unknown';
  if (expired_at !== null && Date.parse(expired_at) <= now + EXPIRING_DAYS * DAY_MS) return 'expiring';
  const clash = clashOf(main, reserve);
  if (clash) return clash;
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

/**
 * The reserves that are left to the main domains of a project. `able`: those that are ready unless a main domain clashes with them, the
 * preferred first.
 */
interface Left {
  able: Set<ReserveFacts>;
  unable: readonly ReserveFacts[];
}

/** Sorts the reserves of a project once, for all its main domains. */
function sortOut(reserves: readonly ReserveFacts[], now: number): Left {
  const able = new Set(reserves.filter((reserve) => unreadyFor(ANY, reserve, now) === null).toSorted(byPreference));
  return { able, unable: reserves.filter((reserve) => !able.has(reserve)) };
}

/** Picks the reserve to which a main domain's site would move. The order of `reserves` does not matter. */
export function pickReserve(main: MainFacts, reserves: readonly ReserveFacts[], now: number): Found {
  const ready = [...sortOut(reserves, now).able].filter((reserve) => clashOf(main, reserve) === null);
  const [pick] = ready;
  if (pick) return { pick, ready: ready.length };
  const looked = reserves.map((reserve) => ({ reserve, reason: unreadyFor(main, reserve, now) }));
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
function noneReady(main: MainFacts, { able, unable }: Left, now: number): Message {
  const reasons = new Set<Unready>();
  for (const reserves of [able, unable]) {
    for (const reserve of reserves) {
      const reason = unreadyFor(main, reserve, now);
      if (reason) reasons.add(reason);
      if (reasons.size > 1) return { key: 'auto_transfer.none_ready' };
    }
  }
  const [only] = reasons;
  return { key: only === undefined ? 'auto_transfer.no_reserve' : `auto_transfer.all_${only}` };
}

/** Returns the ready reserve for a main domain, and the next one that is ready. */
function bestOf(main: MainFacts, { able }: Left): ReserveFacts[] {
  const best: ReserveFacts[] = [];
  for (const reserve of able) {
    if (clashOf(main, reserve) === null) best.push(reserve);
    if (best.length === 2) break;
  }
  return best;
}

/** Chooses a reserve out of `left` for a main domain, and removes it from `left`. */
function chooseFor(main: MainFacts, left: Left, now: number, lastToo: boolean): Choice {
  // Without an account no redirect can be set.
  if (main.cloudflare_account_id === null) return choice(main, 'declined', { key: 'auto_transfer.main_no_account' });
  if (main.unfit) return choice(main, 'declined', main.unfit);
  const [pick, next] = bestOf(main, left);
  if (!pick) return choice(main, 'declined', noneReady(main, left, now));
  const target = pick.domain_name;
  if (!next && !lastToo) return choice(main, 'declined', { key: 'auto_transfer.last', params: { target } });
  left.able.delete(pick);
  return { main, target: pick, decision: 'started', reason: { key: 'auto_transfer.chosen', params: { target } } };
}

const blockedMains = ({ mains }: ProjectFacts): MainFacts[] =>
  mains
    .filter(({ type, status }) => type === 'main' && status === 'blocked')
    .toSorted((one, other) => one.id - other.id);

/** Chooses for each blocked main domain of a project at a person's request. A reserve is used once. */
export function chooseAsked(project: ProjectFacts, now: number, lastToo = false): Choice[] {
  // The person may have repaired the cause of a failure.
  const reserves = project.reserves.map((reserve) => ({ ...reserve, failed: false, blocked_lately: false }));
  const left = sortOut(reserves, now);
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
  let left: Left | undefined;
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
      left ??= sortOut(project.reserves, now);
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
