import type { Message } from '../i18n/index.ts';
import { EXPIRING_DAYS } from '../portfolio/expiry-day.ts';
import { DAY_MS } from '../time.ts';
import { registryStateOf } from './registry-state.ts';
import type { DomainRegistrationRow } from './tables.ts';

/** The source of an expiry date; `hand`: a person. */
export type ExpirySource = 'registrar' | 'whois' | 'rdap' | 'hand';

/** The stored facts of a domain's expiry. A domain that was never looked up has no registration. */
export interface ExpiryFacts {
  expired_at: string | null;
  registration: DomainRegistrationRow | null;
}

/** The answer of a registry, as `lookUpName` gives it. */
export interface RegistryFound {
  source: 'whois' | 'rdap';
  state: 'registered' | 'free';
  expires_at: string | null;
  free_at: string | null;
  registrar: string | null;
  statuses: readonly string[];
  name_servers: readonly string[];
}

/** The result of a look-up of a domain; a source that was not asked or did not answer is absent. */
export interface ExpiryFound {
  registrar?: { expires_at: string | null };
  registry?: RegistryFound;
  error?: Message | undefined;
}

const HOUR_MS = 3_600_000;
// Sources write the same day with another time, or a day without a zone.
const SAME_DAY_MS = 2 * DAY_MS;
// No registry sells more.
const LONGEST_YEARS = 10;
// A day, less what a schedule may be early by.
const CONFIRMED_AFTER_MS = 20 * HOUR_MS;

const USUAL_AGE_MS = 22 * HOUR_MS;
const SOON_AGE_MS = 5 * HOUR_MS;
const REGISTRY_AGE_MS = 70 * HOUR_MS;
/** Facts so young are not asked for again when a person starts a check of the portfolio. */
const FRESH_MS = HOUR_MS;
// A name that ended longer ago is deleted or abandoned: it is not looked up any more.
const PAST_DAYS = 60;

const ageOf = (at: string | null | undefined, now: number): number =>
  at === null || at === undefined ? Infinity : now - Date.parse(at);

/** Whether two sources tell the same date. */
export const isSameExpiry = (one: string, other: string): boolean =>
  Math.abs(Date.parse(one) - Date.parse(other)) <= SAME_DAY_MS;

const isEarlier = (known: string | null, date: string): boolean =>
  known !== null && Date.parse(date) < Date.parse(known) - SAME_DAY_MS;

/** Whether a date is not stored without a question: it lies before the known one, or more than ten years after it and now. */
export function isSuspect(known: string | null, date: string, now: number): boolean {
  const base = new Date(Math.max(now, known === null ? 0 : Date.parse(known)));
  base.setUTCFullYear(base.getUTCFullYear() + LONGEST_YEARS);
  return isEarlier(known, date) || Date.parse(date) > base.getTime() + SAME_DAY_MS;
}

/** Returns who has told the date that stands; null: there is none. */
export function sourceOf({ expired_at, registration }: ExpiryFacts): ExpirySource | null {
  if (expired_at === null) return null;
  return registration?.source && registration.expires_at === expired_at ? registration.source : 'hand';
}

const isSoon = (expired_at: string | null, now: number): boolean => {
  const left = expired_at === null ? Infinity : Date.parse(expired_at) - now;
  return left < EXPIRING_DAYS * DAY_MS && left > -PAST_DAYS * DAY_MS;
};

/** Whether the schedule looks a domain up: daily; every six hours what ends within thirty days, has just ended, or has a date in doubt. */
export function isDue({ expired_at, registration }: ExpiryFacts, now: number): boolean {
  const isUrgent = isSoon(expired_at, now) || registration?.suspect_date != null;
  return ageOf(registration?.looked_up_at, now) > (isUrgent ? SOON_AGE_MS : USUAL_AGE_MS);
}

/** Whether what is stored is young enough not to be asked for again; after a failure nothing is. */
export const isFresh = ({ registration }: ExpiryFacts, now: number): boolean =>
  registration !== null && registration.error === null && ageOf(registration.looked_up_at, now) < FRESH_MS;

/** Whether a look-up came to nothing: no source has answered, though there is one to ask. */
export const isUnanswered = ({ registrar, registry, error }: ExpiryFound): boolean =>
  !registrar && !registry && error !== undefined && error.key !== 'expiry.no_registry';

/** Whether the last look-up came to nothing, by what is stored. */
export function wasUnanswered({ registration }: ExpiryFacts): boolean {
  if (registration === null || registration.error === null) return false;
  const { looked_up_at, found_at, registry_at } = registration;
  const { key } = JSON.parse(registration.error) as Message;
  return key !== 'expiry.no_registry' && found_at !== looked_up_at && registry_at !== looked_up_at;
}

/** Orders look-ups: what ends soon, then what was looked up longest ago. */
export function compareUrgency(one: ExpiryFacts, other: ExpiryFacts, now: number): number {
  const soon = Number(isSoon(other.expired_at, now)) - Number(isSoon(one.expired_at, now));
  const [at = '', otherAt = ''] = [one.registration?.looked_up_at, other.registration?.looked_up_at];
  return soon === 0 ? (at < otherAt ? -1 : Number(at > otherAt)) : soon;
}

/**
 * Whether the registry is asked, too, after the registrar has answered with a date: a second opinion on a suspect one, or what it
 * told is out of date. The registrars' lists cost little, the registries' pace is what lasts.
 */
export function needsRegistry({ expired_at, registration }: ExpiryFacts, date: string | null, now: number): boolean {
  if (date === null || isSuspect(expired_at, date, now)) return true;
  const age = ageOf(registration?.registry_at, now);
  return age > (isSoon(expired_at, now) ? USUAL_AGE_MS : REGISTRY_AGE_MS);
}

interface Dated {
  source: 'registrar' | 'whois' | 'rdap';
  date: string;
}

/** Returns the dates that were found, the best source first. */
function datesIn({ registrar, registry }: ExpiryFound): Dated[] {
  const dates: Dated[] = [];
  if (registrar?.expires_at) dates.push({ source: 'registrar', date: registrar.expires_at });
  if (registry?.expires_at) dates.push({ source: registry.source, date: registry.expires_at });
  return dates;
}

/** A date to take over, one to ask about, or neither. */
interface Choice {
  taken?: Dated;
  suspect?: Dated;
}

/** Whether the same earlier date was given before by a look-up a day ago. A later one waits for a person. */
function isConfirmed({ expired_at, registration }: ExpiryFacts, { date }: Dated, now: number): boolean {
  const { suspect_date = null, suspect_since = null } = registration ?? {};
  if (suspect_date === null || !isSameExpiry(suspect_date, date) || !isEarlier(expired_at, date)) return false;
  return ageOf(suspect_since, now) >= CONFIRMED_AFTER_MS;
}

function pickDate(facts: ExpiryFacts, found: ExpiryFound, now: number): Choice {
  const [best, second] = datesIn(found);
  if (!best) return {};
  const { expired_at, registration } = facts;
  if (!isSuspect(expired_at, best.date, now)) return { taken: best };
  if (second && isSameExpiry(best.date, second.date)) return { taken: best };
  const other = second && !isSuspect(expired_at, second.date, now) ? { taken: second } : {};
  const ignored = registration?.ignored_date ?? null;
  if (ignored !== null && isSameExpiry(ignored, best.date)) return other;
  if (!second && isConfirmed(facts, best, now)) return { taken: best };
  return { ...other, suspect: best };
}

const EMPTY = {
  source: null,
  expires_at: null,
  found_at: null,
  registry_at: null,
  state: null,
  statuses: '[]',
  name_servers: '[]',
  registrar: null,
  free_at: null,
  suspect_date: null,
  suspect_source: null,
  suspect_since: null,
  ignored_date: null,
  error: null,
} as const;

/** Returns the columns that the registry's answer changes. */
const toldBy = (registry: RegistryFound, at: string): Partial<DomainRegistrationRow> => ({
  registry_at: at,
  state: registryStateOf(registry),
  statuses: JSON.stringify(registry.statuses),
  name_servers: JSON.stringify(registry.name_servers),
  registrar: registry.registrar,
  free_at: registry.free_at,
});

/**
 * Returns what is to be stored after a look-up. Nothing that was known is erased by what did not answer, or told no date: a
 * registry that says the name is free changes its state, not the date.
 */
export function factsAfter(
  domain_id: number,
  facts: ExpiryFacts,
  found: ExpiryFound,
  now: Date,
): { expired_at: string | null; registration: DomainRegistrationRow } {
  const at = now.toISOString();
  const before = facts.registration;
  const { taken, suspect } = pickDate(facts, found, now.getTime());
  const { registry, error } = found;
  const isDated = datesIn(found).length > 0;
  const isSame = suspect && before?.suspect_date && isSameExpiry(before.suspect_date, suspect.date);
  const doubt: Partial<DomainRegistrationRow> = {
    suspect_date: suspect?.date ?? null,
    suspect_source: suspect?.source ?? null,
    suspect_since: suspect ? (isSame && before?.suspect_since) || at : null,
  };
  return {
    expired_at: taken?.date ?? facts.expired_at,
    registration: {
      ...EMPTY,
      ...before,
      domain_id,
      looked_up_at: at,
      ...(taken && { source: taken.source, expires_at: taken.date, found_at: at }),
      ...(registry && toldBy(registry, at)),
      ...(isDated && doubt),
      error: error ? JSON.stringify(error) : null,
    },
  };
}
