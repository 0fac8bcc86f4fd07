// The calendar's text against the rules of RFC 5545: lines, folding, escapes, whole days.
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { icalendarOf, type DayEvent } from '../../../src/shared/portfolio/ical.ts';
import { readCalendar } from './calendar-reader.ts';

const event = (change: Partial<DayEvent> = {}): DayEvent => ({
  uid: 'domain-1-expiry@seo-admin',
  changed_at: '2026-11-23T10:20:30.123Z',
  day: '2027-02-28',
  title: 'пример.рф: истекает регистрация',
  text: 'xn--e1afmkfd.xn--p1ai\nПроект: Север; \\юг, "запад"',
  ...change,
});

it('an event takes the whole day, to the next one, and says when it was changed', () => {
  const text = icalendarOf('Сроки', [event()]);
  expect(text.endsWith('END:VCALENDAR\r\n')).toBe(true);
  const { properties, events } = readCalendar(text);
  expect(properties).toMatchObject({ VERSION: '2.0', NAME: 'Сроки' });
  expect(events).toEqual([
    {
      UID: 'domain-1-expiry@seo-admin',
      DTSTAMP: '20261123T102030Z',
      'DTSTART;VALUE=DATE': '20270228',
      'DTEND;VALUE=DATE': '20270301',
      SUMMARY: 'пример.рф: истекает регистрация',
      DESCRIPTION: 'xn--e1afmkfd.xn--p1ai\nПроект: Север; \\юг, "запад"',
      TRANSP: 'TRANSPARENT',
    },
  ]);
});

it('any text comes back as it was, in lines of 75 octets at most that break no character', () => {
  const texts = fc.string({ unit: 'grapheme', maxLength: 300 }).map((text) => text.replace(/[\p{Cc}]/gu, ''));
  fc.assert(
    fc.property(texts, texts, (title, text) => {
      const [read] = readCalendar(icalendarOf(title, [event({ title, text: `${text}\n${title}` })])).events;
      expect(read).toMatchObject({ SUMMARY: title, DESCRIPTION: `${text}\n${title}` });
    }),
  );
});

it('a text cannot begin a property of its own', () => {
  const evil = 'a\r\nEND:VEVENT\r\nBEGIN:VEVENT\rUID:x\u0000';
  const { events } = readCalendar(icalendarOf('x', [event({ title: evil })]));
  expect(events).toHaveLength(1);
  expect(events[0]?.['SUMMARY']).toBe('a\nEND:VEVENT\nBEGIN:VEVENT UID:x ');
});

it('20,000 events are all written', () => {
  const events = Array.from({ length: 20_000 }, (_, index) => event({ uid: `domain-${index}-expiry@seo-admin` }));
  const text = icalendarOf('Сроки', events);
  expect(text.match(/^BEGIN:VEVENT\r$/gm)).toHaveLength(20_000);
});
