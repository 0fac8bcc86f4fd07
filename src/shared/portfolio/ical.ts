import { dayAfter } from './expiry-day.ts';

/** An event that takes a whole day. */
export interface DayEvent {
  /** Stays the same while the event may move to another day. */
  uid: string;
  /** When the event was last changed, as an ISO time. */
  changed_at: string;
  day: string;
  title: string;
  text: string;
}

// A line has so many octets at most; the blank that a folded one begins with is one of them.
const MOST_OCTETS = 75;
const SHORT = /^[ -~]{0,75}$/;

function octetsOf(character: string): number {
  const code = character.codePointAt(0) ?? 0;
  if (code < 0x80) return 1;
  if (code < 0x8_00) return 2;
  return code < 0x1_00_00 ? 3 : 4;
}

/** Folds a line by RFC 5545 (3.1) between characters, never within one. */
function fold(line: string): string {
  if (SHORT.test(line)) return line;
  let folded = '';
  let start = 0;
  let end = 0;
  let octets = 0;
  for (const character of line) {
    const size = octetsOf(character);
    if (octets + size > MOST_OCTETS) {
      folded += `${line.slice(start, end)}\r\n `;
      [start, octets] = [end, 1];
    }
    end += character.length;
    octets += size;
  }
  return folded + line.slice(start);
}

/** Escapes a text value by RFC 5545 (3.3.11). Control characters have no place in it. */
const escapeText = (text: string): string =>
  text.replace(/\r\n|[\p{Cc}\\;,]/gu, (special) => {
    if (special === '\n' || special === '\r\n') return String.raw`\n`;
    return /[\\;,]/.test(special) ? `\\${special}` : ' ';
  });

const dateOf = (day: string): string => day.replaceAll('-', '');
const timeOf = (iso: string): string => iso.replace(/[-:]|\.\d+/g, '');

const linesOf = ({ uid, changed_at, day, title, text }: DayEvent): string[] => [
  'BEGIN:VEVENT',
  `UID:${escapeText(uid)}`,
  `DTSTAMP:${timeOf(changed_at)}`,
  `DTSTART;VALUE=DATE:${dateOf(day)}`,
  `DTEND;VALUE=DATE:${dateOf(dayAfter(day, 1))}`,
  `SUMMARY:${escapeText(title)}`,
  `DESCRIPTION:${escapeText(text)}`,
  'TRANSP:TRANSPARENT',
  'END:VEVENT',
];

/** Returns a calendar of events that take whole days, by RFC 5545. The same events give the same text. */
export function icalendarOf(name: string, events: readonly DayEvent[]): string {
  const lines = [
    'BEGIN:VCALENDAR',
    'VERSION:2.0',
    'PRODID:-//seo-admin//expiry//EN',
    'CALSCALE:GREGORIAN',
    `NAME:${escapeText(name)}`,
    `X-WR-CALNAME:${escapeText(name)}`,
    'REFRESH-INTERVAL;VALUE=DURATION:PT6H',
    'X-PUBLISHED-TTL:PT6H',
    ...events.flatMap(linesOf),
    'END:VCALENDAR',
  ];
  return lines.map((line) => `${fold(line)}\r\n`).join('');
}
