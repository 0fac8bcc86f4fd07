// A strict reader of calendars of whole days (RFC 5545): anything that its grammar does not allow is thrown.

/** The properties of a part of a calendar, by name and parameters, their texts without escapes. */
export type Properties = Record<string, string>;

function unescape(text: string): string {
  return text.replace(/\\(.?)|[;,]/g, (whole, escaped: string | undefined) => {
    if (escaped === undefined) throw new Error(`${whole} is not escaped`);
    if (escaped === 'n' || escaped === 'N') return '\n';
    if (!['\\', ';', ','].includes(escaped)) throw new Error(`no escape: ${whole}`);
    return escaped;
  });
}

const TEXTS = new Set(['SUMMARY', 'DESCRIPTION', 'NAME', 'X-WR-CALNAME', 'UID']);

function unfold(text: string): string[] {
  if (!text.endsWith('\r\n')) throw new Error('the last line has no end');
  const lines = text.slice(0, -2).split('\r\n');
  for (const line of lines) {
    if (/[^\P{Cc}\t]/u.test(line)) throw new Error('a control character within a line');
    if (Buffer.byteLength(line) > 75) throw new Error('a line of more than 75 octets');
    if (Buffer.from(line).toString() !== line) throw new Error('a broken character');
  }
  return text.slice(0, -2).replaceAll('\r\n ', '').split('\r\n');
}

/** Reads a calendar. */
export function readCalendar(text: string): { properties: Properties; events: Properties[] } {
  const lines = unfold(text);
  if (lines[0] !== 'BEGIN:VCALENDAR' || lines.at(-1) !== 'END:VCALENDAR') throw new Error('no calendar');
  const properties: Properties = {};
  const events: Properties[] = [];
  let open: Properties | undefined;
  for (const line of lines.slice(1, -1)) {
    const [, name = '', value = ''] = /^([A-Z-]+(?:;[A-Z]+=[A-Z]+)*):(.*)$/s.exec(line) ?? [];
    if (name === '') throw new Error(`no property: ${line}`);
    if (name === 'BEGIN' && value === 'VEVENT' && !open) open = {};
    else if (name === 'END' && value === 'VEVENT' && open) {
      for (const needed of ['UID', 'DTSTAMP', 'DTSTART;VALUE=DATE']) if (!open[needed]) throw new Error(`no ${needed}`);
      events.push(open);
      open = undefined;
    } else if (name === 'BEGIN' || name === 'END') throw new Error(`${line} out of place`);
    else {
      const into = open ?? properties;
      if (name in into) throw new Error(`${name} twice`);
      into[name] = TEXTS.has(name) ? unescape(value) : value;
    }
  }
  if (open) throw new Error('an event without an end');
  if (!properties['PRODID'] || properties['VERSION'] !== '2.0') throw new Error('no PRODID or VERSION');
  return { properties, events };
}
