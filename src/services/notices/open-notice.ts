// The open notice that a new event joins.
import { ENDED_BY, LEVELS, type EventKind, type Level, type StateKind } from '../../shared/notices/events.ts';
import type { OpenNotice, Opening } from './facts.ts';

// Events that are over at once join a notice that is as new as this.
const WINDOW_MS = 10 * 60_000;

/** Returns a time so many milliseconds after another. */
export const later = (at: string, ms: number): string => new Date(Date.parse(at) + ms).toISOString();

/** Whether the state that a kind tells of lasts until another event ends it. */
export const isState = (kind: EventKind): kind is StateKind => kind in ENDED_BY;

const urgency = (level: Level): number => -LEVELS.indexOf(level);

/**
 * Returns a function that finds the open notice which an opening belongs to by its cause. It is as urgent at least, or those who are told of
 * urgent ones alone would miss it, and was not acknowledged for everybody, or it would wait for nobody's answer.
 */
export function finder(open: readonly OpenNotice[]): (opening: Opening) => number | undefined {
  const keyOf = (kind: EventKind, flapping: boolean, cause: string): string => `${kind} ${String(flapping)} ${cause}`;
  const waiting = open.filter(({ acknowledged_at }) => acknowledged_at === null);
  const notices = new Map(
    waiting
      .toSorted((one, other) => urgency(one.level) - urgency(other.level))
      .map((one) => [keyOf(one.kind, one.flapping, one.cause), one]),
  );
  return ({ kind, flapping, cause, causes, at, level }) => {
    for (const key of [cause, ...causes.map((one) => one.key)]) {
      const found = key === '' ? undefined : notices.get(keyOf(kind, flapping, key));
      if (!found || urgency(found.level) < urgency(level)) continue;
      if (isState(kind) || later(found.opened_at, WINDOW_MS) > at) return found.id;
    }
    return undefined;
  };
}
