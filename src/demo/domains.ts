import { domainToASCII } from 'node:url';
import type { DomainRow } from '../shared/portfolio/tables.ts';
import { toUnicode } from '../shared/portfolio/domain-name.ts';
import { webRoot } from '../shared/portfolio/domains.ts';
import type { HealthError } from '../shared/checks/health.ts';
import { ACCOUNTS, PROJECTS, REGISTRARS, SERVERS } from './team.ts';
import { TEMPLATES } from './templates.ts';
import { DAY_MS } from '../shared/time.ts';

const ENDS = ['mir', 'portal', 'blog', 'klub', 'plus', 'info', 'zhurnal', 'pro'];
const ZONES = ['ru', 'com', 'ru', 'net', 'online', 'ru', 'org', 'site'];

/** The fault of a site that does not answer 200. */
export interface Trouble {
  status: number | null;
  error: HealthError | null;
  /** A page in place of its own, such as a hoster's. */
  html?: string;
}

/** Returns the time so many days from another, as stored in the database. */
export const daysFrom = (now: Date, days: number): string => new Date(now.getTime() + days * DAY_MS).toISOString();

/** Returns the project of the n-th domain, from 0, and its number there. All its other values derive from the two. */
const placeOf = (index: number) => ({ project: index % PROJECTS.length, number: Math.floor(index / PROJECTS.length) });

/** One name of forty in a project is an IDN; the others have a word, an ending, and a number once the endings are used up. */
function nameOf(project: number, number: number): string {
  const { slug, word } = PROJECTS[project] ?? { slug: 'site', word: 'сайт' };
  const round = Math.floor(number / ENDS.length);
  if (number % 40 === 3) return domainToASCII(`${word}${round === 0 ? '' : `-${round + 1}`}.рф`);
  const end = `${ENDS[number % ENDS.length]}${round === 0 ? '' : round + 1}`;
  return `${slug}-${end}.${ZONES[(number + project) % ZONES.length]}`;
}

// Registries that the two foreign registrars do not sell for.
const RUSSIAN = /\.(?:ru|xn--p1ai)$/;
const ABROAD = REGISTRARS.filter(({ type }) => !type.endsWith('.ru')).length;

/** Returns the id of a registrar that sells a name. The Russian ones come first. */
const registrarOf = (name: string, index: number): number =>
  (index % (RUSSIAN.test(name) ? REGISTRARS.length - ABROAD : REGISTRARS.length)) + 1;

const indexOf = (project: number, number: number): number => number * PROJECTS.length + project;

// Two projects have no target for a transfer: one has no reserve, the only reserve of the other is blocked.
const WITHOUT_RESERVE = 5;
const WITH_BLOCKED_RESERVE = 4;
const LONE_RESERVE = 27;

function isMain(project: number, number: number): boolean {
  if (project === WITHOUT_RESERVE) return true;
  return project === WITH_BLOCKED_RESERVE ? number !== LONE_RESERVE : number % 5 < 2;
}

/** Two main domains of forty names are blocked, and in every third project a reserve, too. */
const isBlocked = (project: number, number: number): boolean =>
  number % 20 === 0 ||
  (number % 40 === 27 && project % 3 === 0) ||
  (project === WITH_BLOCKED_RESERVE && number === LONE_RESERVE);

// Since how many days names are blocked, by turns.
const BLOCKED_FOR = [0.3, 1.2, 2.1, 4.4, 6.2, 9.3, 15.1];

/** Returns since how many days the n-th domain is blocked, if it is. */
export const blockedFor = (index: number): number => BLOCKED_FOR[(index * 5) % BLOCKED_FOR.length] ?? 1;

// Number of a main domain that, in every project, answers, is not blocked and has all that a site needs.
const ARRIVED_AT = 11;

/**
 * Past transfers of projects: the indexes of the names they left, oldest first, and of the present one. `ago` are the days since each was left; `auto`
 * are the places of those that were left automatically.
 */
export const MOVES = [
  { project: 0, left: [2, 8], ago: [39, 17.3], auto: [1] },
  { project: 1, left: [3, 8, 13, 18, 28, 33, 38], ago: [219, 189, 159, 129, 99, 69, 39], auto: [1, 4] },
  { project: 2, left: [3, 8], ago: [24.6, 6.3], auto: [1] },
  { project: 3, left: [2], ago: [0.45], auto: [0] },
].map(({ project, left, ago, auto }) => ({
  ago,
  auto,
  left: left.map((number) => indexOf(project, number)),
  now: indexOf(project, ARRIVED_AT),
}));

/** Indexes of main domains with a deployed site: two blocked ones in each project that can move, and those that were moved to. */
export const DEPLOYED = [0, 20]
  .flatMap((number) => [0, 1, 2, 3].map((project) => indexOf(project, number)))
  .concat(MOVES.map(({ now }) => now));

/** Returns the template of a deployed site, by its place among them. */
export const siteTemplate = (turn: number): number => (turn % TEMPLATES.length) + 1;

const LEFT = new Set(MOVES.flatMap(({ left }) => left));

// A name that was left because of its block is listed for so many days more.
const LISTED_DAYS = 12;

/** Indexes of names that were left a short time ago, and are listed still. */
const LISTED = new Set(MOVES.flatMap(({ left, ago }) => left.filter((_, step) => (ago[step] ?? 0) < LISTED_DAYS)));

/** Returns the fault of a site; undefined if it answers 200, as names that were left do through their redirect. */
export function troubleOf(index: number): Trouble | undefined {
  if (LEFT.has(index)) return undefined;
  const { project, number } = placeOf(index);
  const turn = number + project;
  if (turn % 13 === 5) return { status: 503, error: null };
  if (turn % 17 === 6) return { status: 404, error: null };
  if (turn % 90 === 8) return { status: null, error: 'timeout' };
  return turn % 23 === 9 ? { status: null, error: 'reset' } : undefined;
}

/** Days until the expiry: past, today, soon or later; null for a few names. */
function daysLeft(index: number, number: number): number | null {
  if (number % 37 === 36) return null;
  if (number % 16 === 1) return -1 - (number % 9);
  if (number % 40 === 22) return 0;
  if (number % 16 === 9) return 1 + (index % 28);
  return 40 + ((index * 7) % 320);
}

/** Time of a host's last check, in days from now: an hour ago, or three days ago (stale if it did not answer). */
const lastAsked = (number: number): number => (number % 11 === 4 ? -3 : -1 / 24);

function accountOf(project: number, number: number): number | null {
  if (number % 8 === 7) return null;
  return number % 20 === 13 ? ACCOUNTS.length : (project % 2) + 1;
}

/** Indexes of reserves that were bought within the last ninety days: what they are paid for ends a year later. */
export const BOUGHT = [
  [1, 37],
  [0, 14],
  [3, 14],
  [2, 14],
  [2, 12],
  [0, 28],
  [2, 37],
].map(([project = 0, number = 0]) => indexOf(project, number));
const YEAR_DAYS = 365;
const BOUGHT_AGO = [81, 64, 52, 33, 15, 4, 2];

/** When the n-th domain came into the portfolio, in days before now. */
function addedAgo(index: number, number: number): number {
  const bought = BOUGHT.indexOf(index);
  return bought === -1 ? 400 - (number % 300) : (BOUGHT_AGO[bought] ?? 0);
}

function templateOf(index: number, isAMain: boolean): number | null {
  const turn = DEPLOYED.indexOf(index);
  if (turn !== -1) return siteTemplate(turn);
  return isAMain ? null : (index % TEMPLATES.length) + 1;
}

/** Makes the row of the n-th domain, from 0; columns that are absent stay empty. */
export function domainAt(index: number, now: Date) {
  const { project, number } = placeOf(index);
  const domain_name = nameOf(project, number);
  const neverAsked = number % 29 === 10;
  const trouble = troubleOf(index);
  const added = addedAgo(index, number);
  const left = BOUGHT.includes(index) ? YEAR_DAYS - added : daysLeft(index, number);
  const blocked = isBlocked(project, number) || LISTED.has(index);
  const indexed = number % 7 === 6 ? null : number % 3 !== 2;
  return {
    id: index + 1,
    user_id: PROJECTS[project]?.user_id ?? 1,
    project_id: number % 24 === 23 ? null : project + 1,
    domain_name,
    unicode_name: toUnicode(domain_name),
    file_path: webRoot(domain_name),
    type: isMain(project, number) ? 'main' : 'transfer',
    transfer_type: number % 6 === 5 || LEFT.has(index) ? 'manual' : 'auto',
    transfer_dns: number % 3 === 0 ? 'on' : 'off',
    server_id: (index % SERVERS.length) + 1,
    cloudflare_account_id: accountOf(project, number),
    registrars_id: registrarOf(domain_name, index),
    template_id: templateOf(index, isMain(project, number)),
    status: blocked ? 'blocked' : 'available',
    block_entry: blocked ? domain_name : null,
    last_block_check_at: daysFrom(now, -1 / 24),
    http_status_code: neverAsked ? null : (trouble ?? { status: 200 }).status,
    http_error: neverAsked ? null : (trouble?.error ?? null),
    last_http_check_at: neverAsked ? null : daysFrom(now, lastAsked(number)),
    google_indexation: indexed === null ? null : Number(indexed),
    yandex_indexation: indexed === null ? null : Number(number % 4 !== 3),
    last_check_indexation: indexed === null ? null : daysFrom(now, -1),
    expired_at: left === null ? null : `${daysFrom(now, left).slice(0, 10)}T00:00:00.000Z`,
    created_at: daysFrom(now, -added),
    updated_at: daysFrom(now, -1),
  } satisfies Partial<DomainRow>;
}
