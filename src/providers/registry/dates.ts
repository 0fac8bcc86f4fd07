/**
 * Reads the dates of registries. They write days as `2027-08-13`, `13-Aug-2027`, `13.08.2027`, `2027. 08. 13.`, `20270813` and
 * more, with or without a time and a zone. A date without a zone is taken in UTC, unless its registry's day begins elsewhere.
 */

const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];

interface Day {
  year: number;
  month: number;
  day: number;
  /** The rest of the text after the day: a time and a zone. */
  rest: string;
}

type Reader = (text: string) => Day | null;

const made = (year: string, month: string, day: string, rest: string): Day => ({
  year: Number(year),
  month: Number(month),
  day: Number(day),
  rest,
});

const byPattern =
  (pattern: RegExp, order: 'ymd' | 'dmy'): Reader =>
  (text) => {
    const [, one = '', month = '', three = '', rest = ''] = pattern.exec(text) ?? [];
    if (one === '') return null;
    const number = /\d/.test(month) ? month : String(MONTHS.indexOf(month.slice(0, 3).toLowerCase()) + 1);
    return order === 'ymd' ? made(one, number, three, rest) : made(three, number, one, rest);
  };

const READERS: Reader[] = [
  // 2027-08-13, 2027.08.13, 2027/08/13, 2027. 08. 13., 2027-Aug-13
  byPattern(/^(\d{4})[-./]\s?(\d{1,2}|[a-z]{3})[-./]\s?(\d{1,2})(?!\d)\.?(.*)$/is, 'ymd'),
  // 20270813
  byPattern(/^(\d{4})(\d\d)(\d\d)(?!\d)(.*)$/s, 'ymd'),
  // 13-Aug-2027, 13 August 2027, 13.08.2027, 13/08/2027, 1.1.2027
  byPattern(/^(\d{1,2})[-./ ]([a-z]{3,9}|\d{1,2})[-./ ](\d{4})(?!\d)(.*)$/is, 'dmy'),
  // August 13 2027
  (text) => {
    const [, month = '', day = '', year = '', rest = ''] = /^([a-z]{3,9}) (\d{1,2}),? (\d{4})(.*)$/is.exec(text) ?? [];
    return month === '' ? null : made(year, String(MONTHS.indexOf(month.slice(0, 3).toLowerCase()) + 1), day, rest);
  },
  // Fri Aug 13 12:00:00 2027
  (text) => {
    const [, month = '', day = '', time = '', year = ''] =
      /^[a-z]{3},? ([a-z]{3}) {1,2}(\d{1,2}) (\d\d:\d\d:\d\d)(?: [a-z]{3,4})? (\d{4})/i.exec(text) ?? [];
    return month === '' ? null : made(year, String(MONTHS.indexOf(month.toLowerCase()) + 1), day, ` ${time}`);
  },
];

// `T04:00:00Z`, ` 10:57:37+02`, ` 11:59:59 (UTC+8)`.
const TIME = /^[T ,]?\s*(\d\d):?(\d\d)(?::?(\d\d))?(?:\.\d+)?\s*\(?((?:UTC|GMT)?[+-]\d\d?(?::?\d\d)?|Z|UTC|GMT)?/i;
const ZONE = /([+-])(\d\d?):?(\d\d)?$/;

function offsetOf(zone: string): number | null {
  const [, sign = '', hours = '', minutes = '0'] = ZONE.exec(zone) ?? [];
  if (sign !== '') return (sign === '-' ? -1 : 1) * (Number(hours) * 60 + Number(minutes));
  return zone === '' ? null : 0;
}

/**
 * Returns the time of a registry's date in UTC (ISO 8601); null: it is no date. `dayOffset` is the zone of a date without one,
 * in minutes east of UTC.
 */
export function timeOf(text: string, dayOffset = 0): string | null {
  for (const read of READERS) {
    const day = read(text.trim());
    if (!day) continue;
    const [, hours = '0', minutes = '0', seconds = '0', zone = ''] = TIME.exec(day.rest) ?? [];
    const at = Date.UTC(day.year, day.month - 1, day.day, Number(hours), Number(minutes), Number(seconds));
    const isDay = new Date(Date.UTC(day.year, day.month - 1, day.day)).getUTCDate() === day.day && day.month > 0;
    if (!isDay || Number.isNaN(at)) return null;
    return new Date(at - (offsetOf(zone) ?? dayOffset) * 60_000).toISOString();
  }
  return null;
}
