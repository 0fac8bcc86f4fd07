import { describe, expect, it, test } from 'vitest';
import { readWhois } from '../../../src/providers/registry/whois-answer.ts';
import { FREE, RECORDED, REFUSED } from './answers.ts';

const SERVER = 'whois.example.net';

describe('an answer of WHOIS', () => {
  test.each(RECORDED)('about $name gives the time $expires_at', ({ name, answer, expires_at }) => {
    const record = readWhois(answer, name, SERVER);
    expect([record.state, record.expires_at]).toEqual(['registered', expires_at]);
  });

  test('is read in the shapes of sixty registries and more', () => {
    expect(RECORDED.length).toBeGreaterThanOrEqual(60);
    expect(new Set(RECORDED.map(({ name }) => name)).size).toBe(RECORDED.length);
  });

  test('of .ru, .su and .рф names a day of Moscow, at whose midnight the registration ends', () => {
    const format = new Intl.DateTimeFormat('sv-SE', {
      dateStyle: 'short',
      timeStyle: 'short',
      timeZone: 'Europe/Moscow',
    });
    const ends = RECORDED.filter(({ name }) => /\.(?:ru|su|xn--p1ai)$/.test(name)).map(({ name, answer }) => ({
      name,
      end: format.format(new Date(readWhois(answer, name, SERVER).expires_at ?? 0)),
      told: /paid-till:\s+(\S+)/.exec(answer)?.[1] ?? '',
    }));
    expect(ends.length).toBeGreaterThanOrEqual(9);
    // Until October 2014 Moscow was an hour further from UTC: the day is right all the same.
    expect(ends.filter(({ end }) => end > '2015' && !end.endsWith(' 00:00'))).toEqual([]);
    // A day alone is one of Moscow; with a time it is in UTC, three hours before.
    const dayOf = (told: string): string =>
      told.includes('T') ? format.format(new Date(told)).slice(0, 10) : told.replaceAll('.', '-');
    expect(ends.map(({ end }) => end.slice(0, 10))).toEqual(ends.map(({ told }) => dayOf(told)));
  });

  test('of .ru tells its state, name servers, registrar and the day on which it is released', () => {
    const held = RECORDED.find(({ name }) => name === 'held.ru');
    expect(readWhois(held?.answer ?? '', 'held.ru', SERVER)).toMatchObject({
      registrar: 'REGRU-RU',
      statuses: ['REGISTERED', 'NOT DELEGATED', 'UNVERIFIED'],
      name_servers: ['ada.ns.example.net', 'ns1.held.ru'],
      free_at: '2027-03-17T21:00:00.000Z',
    });
  });

  test('of a generic domain tells statuses without their links', () => {
    const com = RECORDED.find(({ name }) => name === 'example.com');
    expect(readWhois(com?.answer ?? '', 'example.com', SERVER)).toMatchObject({
      registrar: 'Example Registrar, Inc.',
      statuses: ['clientTransferProhibited'],
      name_servers: ['ada.ns.example.net', 'bob.ns.example.net'],
    });
  });

  test.each(FREE)('about %s says that it is free', (name, answer) => {
    expect(readWhois(answer, name, SERVER)).toMatchObject({ state: 'free', expires_at: null });
  });

  test.each(REFUSED)('%j is a refusal to answer, not a free name', (answer) => {
    expect(() => readWhois(answer, 'example.ru', SERVER)).toThrow(expect.objectContaining({ kind: 'rate_limited' }));
  });

  it.each([
    '',
    '<html><body>502</body></html>',
    'domain: EXAMPLE.RU\r\n',
    'The database is read-only; full data will be\r\navailable after 22:00 MSK.\r\n',
    'Domain data is being migrated.\r\nNot found: service replica 2, please retry.\r\n',
    'domain: OTHER.RU\r\nregistrar: X\r\npaid-till: 2031-06-30T21:00:00Z\r\n',
  ])('%j is not taken for any verdict', (answer) => {
    expect(() => readWhois(answer, 'example.ru', SERVER)).toThrow(expect.objectContaining({ kind: 'malformed' }));
  });
});
