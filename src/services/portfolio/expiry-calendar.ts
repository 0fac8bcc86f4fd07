import { lastDayOf, monthOf, type ExpiryCalendar } from '../../shared/portfolio/expiry-calendar.ts';
import { dayAfter } from '../../shared/portfolio/expiry-day.ts';
import { MOSCOW_HOURS } from '../../shared/registry-day.ts';
import type { Actor } from '../access/scope.ts';
import { countDoubts, countEndings, type EndingRow } from './expiry-rows.ts';

/** Returns the day of an hour, as the registry counts. */
function dayOfHour(hour: string, inMoscow: EndingRow['in_moscow']): string {
  const day = hour.slice(0, 10);
  return inMoscow === 1 && Number(hour.slice(11)) >= 24 - MOSCOW_HOURS ? dayAfter(day, 1) : day;
}

/** Returns when the registrations of an actor's portfolio end, by day, over thirteen months from that of a day on. */
export async function readExpiryCalendar(actor: Actor, day: string): Promise<ExpiryCalendar> {
  const from = monthOf(day);
  const doubted = await countDoubts(actor);
  const calendar: ExpiryCalendar = { from, to: lastDayOf(from), days: [], before: 0, after: 0, unknown: 0, doubted };
  const days = new Map<string, number>();
  for (const { hour, in_moscow, count } of await countEndings(actor)) {
    if (hour === null) {
      calendar.unknown += count;
      continue;
    }
    const end = dayOfHour(hour, in_moscow);
    if (end < from) calendar.before += count;
    else if (end > calendar.to) calendar.after += count;
    else days.set(end, (days.get(end) ?? 0) + count);
  }
  calendar.days = [...days]
    .map(([key, count]) => ({ day: key, count }))
    .toSorted((one, other) => (one.day < other.day ? -1 : 1));
  return calendar;
}
