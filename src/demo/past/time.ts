import { DAY_MS } from '../../shared/time.ts';
import type { domainAt } from '../domains.ts';

/** A domain of the demo, as its row is made. */
export type Domain = ReturnType<typeof domainAt>;

/** A row of a table by its columns; those that are absent stay empty. */
export type Row = Record<string, unknown>;

/** The days that the past of a demo goes back. */
export const PAST_DAYS = 90;

/** So many of the domains have a history of their own: a large portfolio is not to start slowly. */
export const STORIED = 600;

export const HOUR_MS = DAY_MS / 24;
export const MINUTE_MS = HOUR_MS / 60;

/** Returns a time in milliseconds so many days before another. */
export const before = (now: Date, days: number): number => now.getTime() - days * DAY_MS;

/** Returns a time as the database has it. */
export const iso = (time: number): string => new Date(time).toISOString();

/** Returns a whole number from 0 to below `below` that belongs to numbers, the same each time. */
export function pick(below: number, ...of: readonly number[]): number {
  let hash = 0x81_1c_9d_c5;
  for (const number of of) hash = Math.imul(hash ^ (number + 0x9e), 0x01_00_01_93);
  hash = Math.imul(hash ^ (hash >>> 15), 0x2c_1b_3c_6d);
  return ((hash ^ (hash >>> 13)) >>> 0) % below;
}
