import { z } from 'zod';
import { clockTime, DAY_MS, isZone } from '../time.ts';
import { CHANNELS, type PersonalChannel } from './notices.ts';
import { LEVELS, type Level } from './events.ts';

/** The levels that go over each channel. */
export type ChannelLevels = Record<PersonalChannel, Level[]>;

const Minute = z.string().regex(/^(?:[01]\d|2[0-3]):[0-5]\d$/, 'notices.bad_minute');

// A year that is written in more digits would not sort as text.
const LONGEST_MUTE_MS = 366 * DAY_MS;
const isSoon = (text: string): boolean => Date.parse(text) - Date.now() <= LONGEST_MUTE_MS;

const Levels = z.array(z.enum(LEVELS)).max(LEVELS.length);

/** A user's notice settings in an edit. Absent fields keep their value. */
export const PreferencesInput = z.object({
  levels: z.object({ telegram: Levels, email: Levels }).optional(),
  quiet_from: Minute.nullable().optional(),
  quiet_until: Minute.nullable().optional(),
  zone: z.string().max(60).refine(isZone, 'notices.bad_zone').optional(),
  critical_always: z.boolean().optional(),
  language: z.enum(['ru', 'en']).optional(),
  /** A login. */
  escalate_to: z.string().min(1).max(100).nullable().optional(),
  escalate_after: z.int().min(1).max(1_440).optional(),
  muted_until: z.iso.datetime().refine(isSoon, 'notices.muted_too_long').nullable().optional(),
  every_project: z.boolean().optional(),
});
export type PreferencesInput = z.infer<typeof PreferencesInput>;

/** A user's notice settings. `escalate_to` is the id of a user; null: nobody. */
export interface Preferences {
  levels: ChannelLevels;
  quiet_from: string | null;
  quiet_until: string | null;
  zone: string;
  critical_always: boolean;
  language: 'ru' | 'en';
  escalate_to: number | null;
  escalate_after: number;
  muted_until: string | null;
  every_project: boolean;
  email: string | null;
  email_confirmed_at: string | null;
  /** Waits for its code, and replaces the confirmed address then. */
  email_next: string | null;
}

/** Preferences as their user sees them, with the login of whom it escalates to, and the channels that are set up here. */
export type PreferencesView = Omit<Preferences, 'escalate_to'> & {
  escalate_to: string | null;
  channels: PersonalChannel[];
};

/** The address that is to be confirmed. The password is asked for where one is confirmed already. */
export const EmailInput = z.object({
  email: z.email('notices.bad_email').max(254),
  password: z.string().max(1_024).optional(),
});
export type EmailInput = z.infer<typeof EmailInput>;
/** The code that was sent to it. */
export const CodeInput = z.object({ code: z.string().regex(/^\d{8}$/, 'notices.bad_code') });

const isHttp = (text: string): boolean => /^https?:$/.test(URL.canParse(text) ? new URL(text).protocol : '');

/** A webhook as an administrator sets it. */
export const WebhookInput = z.object({
  name: z.string().trim().min(1).max(100),
  url: z
    .string()
    .max(2_000)
    .refine((text) => isHttp(text) && new URL(text).username === '', 'notices.bad_url'),
  levels: Levels,
  active: z.boolean(),
});
export type WebhookInput = z.infer<typeof WebhookInput>;

/** An edit of a webhook. Absent fields keep their value. */
export const WebhookChange = WebhookInput.partial();
export type WebhookChange = z.infer<typeof WebhookChange>;

/** A webhook as administrators see it: without its secret. */
export type WebhookView = WebhookInput & { id: number; created_at: string };

/** Notice settings of a user who has set none. */
export const DEFAULT_PREFERENCES: Preferences = {
  levels: Object.fromEntries(CHANNELS.map((channel) => [channel, ['critical', 'warning']])) as ChannelLevels,
  quiet_from: null,
  quiet_until: null,
  zone: 'Europe/Moscow',
  critical_always: true,
  language: 'ru',
  escalate_to: null,
  escalate_after: 15,
  muted_until: null,
  every_project: true,
  email: null,
  email_confirmed_at: null,
  email_next: null,
};

const MINUTES_A_DAY = 1_440;

const minutesOf = (text: string): number => Number(text.slice(0, 2)) * 60 + Number(text.slice(3, 5));

/** Returns the minute of the day in a zone. */
const localMinute = (time: number, zone: string): number => minutesOf(clockTime(time, zone));

/** Whether it is quiet at a time: from the first minute on, until before the last; they may lie on two days. */
export function isQuiet({ quiet_from, quiet_until, zone }: Preferences, time: number): boolean {
  if (quiet_from === null || quiet_until === null || quiet_from === quiet_until) return false;
  const [from, until, now] = [minutesOf(quiet_from), minutesOf(quiet_until), localMinute(time, zone)];
  return from < until ? now >= from && now < until : now >= from || now < until;
}

/** Returns when the quiet ends in which a time lies, also where the clocks change in between. */
function endOfQuiet({ quiet_until, zone }: Preferences, time: number): number {
  const until = minutesOf(quiet_until ?? '00:00');
  const ahead = (until - localMinute(time, zone) + MINUTES_A_DAY) % MINUTES_A_DAY || MINUTES_A_DAY;
  const guess = Math.floor(time / 60_000) * 60_000 + ahead * 60_000;
  const off = ((localMinute(guess, zone) - until + MINUTES_A_DAY * 1.5) % MINUTES_A_DAY) - MINUTES_A_DAY / 2;
  const end = guess - off * 60_000;
  // A minute that the clocks leave out is found from neither side: the later guess is after it.
  return localMinute(end, zone) === until && end > time ? end : Math.max(guess, end);
}

/** Returns when a notice of a level may be sent at the earliest: after a year, whatever is stored. */
export function dueAt(preferences: Preferences, level: Level, now: number): number {
  const muted = preferences.muted_until === null ? 0 : Date.parse(preferences.muted_until);
  const start = Math.min(Math.max(now, muted), now + LONGEST_MUTE_MS);
  if (level === 'critical' && preferences.critical_always) return start;
  return isQuiet(preferences, start) ? endOfQuiet(preferences, start) : start;
}
