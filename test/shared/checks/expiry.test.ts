// The rules of expiries: which date is taken over, which one is asked about, and when a name is looked up again.
import { describe, expect, test } from 'vitest';
import {
  factsAfter,
  isDue,
  isFresh,
  isSuspect,
  needsRegistry,
  sourceOf,
  wasUnanswered,
  type ExpiryFacts,
  type ExpiryFound,
  type RegistryFound,
} from '../../../src/shared/checks/expiry.ts';
import { registrationOf } from '../../../src/shared/checks/registration.ts';

const NOW = new Date('2026-11-23T10:00:00.000Z');
const hoursLater = (hours: number): Date => new Date(NOW.getTime() + hours * 3_600_000);
const UNKNOWN: ExpiryFacts = { expired_at: null, registration: null };
const byHand = (expired_at: string): ExpiryFacts => ({ expired_at, registration: null });

const registry = (expires_at: string | null, more: Partial<RegistryFound> = {}): RegistryFound => ({
  source: 'rdap',
  state: 'registered',
  expires_at,
  free_at: null,
  registrar: 'REGRU-RU',
  statuses: ['active'],
  name_servers: ['ns1.example.net'],
  ...more,
});

/** The facts after look-ups that follow each other, each at its time. */
function after(facts: ExpiryFacts, ...looks: [found: ExpiryFound, at?: Date][]): ExpiryFacts {
  return looks.reduce<ExpiryFacts>((known, [found, at = NOW]) => factsAfter(1, known, found, at), facts);
}

const Y2027 = '2027-02-13T21:00:00.000Z';
const Y2028 = '2028-02-13T21:00:00.000Z';
const Y2040 = '2040-02-13T21:00:00.000Z';

describe('a date', () => {
  test.each([
    [null, Y2027, false],
    [Y2027, Y2027, false],
    [Y2027, Y2028, false],
    // The same day, told with another time or without a zone.
    ['2027-02-14T00:00:00.000Z', Y2027, false],
    [Y2028, Y2027, true],
    [Y2027, '2036-12-01T00:00:00.000Z', false],
    [Y2027, Y2040, true],
    [null, Y2040, true],
    // A name that ended long ago is renewed for ten years from now.
    ['2019-01-01T00:00:00.000Z', '2036-11-20T00:00:00.000Z', false],
  ])('that follows %s and is %s is suspect: %s', (known, date, isIt) => {
    expect(isSuspect(known, date, NOW.getTime())).toBe(isIt);
  });

  test('of the registrar stands above that of the registry', () => {
    const found = { registrar: { expires_at: '2027-02-13T12:00:00.000Z' }, registry: registry(Y2027) };
    const facts = after(UNKNOWN, [found]);
    expect([facts.expired_at, sourceOf(facts)]).toEqual(['2027-02-13T12:00:00.000Z', 'registrar']);
  });

  test('of the registry stands where the registrar tells none', () => {
    const facts = after(UNKNOWN, [{ registrar: { expires_at: null }, registry: registry(Y2027) }]);
    expect([facts.expired_at, sourceOf(facts)]).toEqual([Y2027, 'rdap']);
  });

  test('that a person has set since is by hand, until a later answer replaces it', () => {
    const known = after(UNKNOWN, [{ registry: registry(Y2027) }]);
    const edited = { ...known, expired_at: '2027-06-01T00:00:00.000Z' };
    expect(sourceOf(edited)).toBe('hand');
    const replaced = after(edited, [{ registry: registry(Y2028) }, hoursLater(24)]);
    expect([replaced.expired_at, sourceOf(replaced)]).toEqual([Y2028, 'rdap']);
  });

  test.each<[string, ExpiryFound]>([
    ['a failure', { error: { key: 'provider.unavailable', params: { message: 'x' } } }],
    ['a registry that tells no date', { registry: registry(null) }],
    ['a registrar that tells no date', { registrar: { expires_at: null } }],
    ['a registry that says the name is free', { registry: registry(null, { state: 'free', statuses: [] }) }],
  ])('is not erased by %s', (_, found) => {
    const facts = after(byHand(Y2027), [found]);
    expect([facts.expired_at, sourceOf(facts)]).toEqual([Y2027, 'hand']);
  });

  test('is not erased, nor is what the registry told, by a failure after it', () => {
    const known = after(UNKNOWN, [{ registry: registry(Y2027, { statuses: ['client hold'] }) }]);
    const failed = after(known, [{ error: { key: 'provider.unavailable', params: { message: 'x' } } }, hoursLater(24)]);
    expect(registrationOf('a.com', failed)).toMatchObject({
      expired_at: Y2027,
      source: 'rdap',
      found_at: NOW.toISOString(),
      looked_up_at: hoursLater(24).toISOString(),
      status: 'hold',
      name_servers: ['ns1.example.net'],
      error: { key: 'provider.unavailable' },
    });
    expect(wasUnanswered(failed)).toBe(true);
    expect(wasUnanswered(known)).toBe(false);
  });
});

describe('a date in doubt', () => {
  test.each([
    ['earlier', Y2027],
    ['more than ten years later', Y2040],
  ])('%s is shown and not stored', (_, date) => {
    const facts = after(byHand(Y2028), [{ registry: registry(date) }]);
    expect(registrationOf('a.com', facts)).toMatchObject({
      expired_at: Y2028,
      source: 'hand',
      suspect: { date, source: 'rdap', since: NOW.toISOString() },
    });
  });

  test('is stored where a second source tells the same', () => {
    const facts = after(byHand(Y2028), [{ registrar: { expires_at: Y2027 }, registry: registry(Y2027) }]);
    expect(registrationOf('a.com', facts)).toMatchObject({ expired_at: Y2027, source: 'registrar', suspect: null });
  });

  test('of a registrar gives way to the plausible one of the registry, and stays shown', () => {
    const facts = after(byHand(Y2027), [{ registrar: { expires_at: Y2040 }, registry: registry(Y2028) }]);
    expect(registrationOf('a.com', facts)).toMatchObject({
      expired_at: Y2028,
      source: 'rdap',
      suspect: { date: Y2040, source: 'registrar' },
    });
  });

  test('that is earlier is stored when a look-up a day later tells it again, and not before', () => {
    const first = after(byHand(Y2028), [{ registry: registry(Y2027) }]);
    const soon = after(first, [{ registry: registry(Y2027) }, hoursLater(6)]);
    expect([soon.expired_at, soon.registration?.suspect_since]).toEqual([Y2028, NOW.toISOString()]);
    const next = after(soon, [{ registry: registry(Y2027) }, hoursLater(24)]);
    expect(registrationOf('a.com', next)).toMatchObject({ expired_at: Y2027, source: 'rdap', suspect: null });
  });

  test('that is more than ten years later is never stored by itself', () => {
    const first = after(byHand(Y2027), [{ registry: registry(Y2040) }]);
    const facts = after(
      first,
      [{ registry: registry(Y2040) }, hoursLater(24)],
      [{ registry: registry(Y2040) }, hoursLater(240)],
    );
    expect(registrationOf('a.com', facts)).toMatchObject({ expired_at: Y2027, suspect: { date: Y2040 } });
  });

  test('waits anew where another one is told meanwhile', () => {
    const first = after(byHand(Y2028), [{ registry: registry(Y2027) }]);
    const other = after(first, [{ registry: registry('2027-07-01T00:00:00.000Z') }, hoursLater(24)]);
    expect(other.expired_at).toBe(Y2028);
    expect(other.registration?.suspect_since).toBe(hoursLater(24).toISOString());
  });

  test('goes when the known date is told again', () => {
    const first = after(byHand(Y2028), [{ registry: registry(Y2027) }]);
    const facts = after(first, [{ registry: registry(Y2028) }, hoursLater(24)]);
    expect(registrationOf('a.com', facts)).toMatchObject({ expired_at: Y2028, source: 'rdap', suspect: null });
  });

  test('stays through a failure', () => {
    const first = after(byHand(Y2028), [{ registry: registry(Y2027) }]);
    const facts = after(first, [{ error: { key: 'provider.unavailable', params: { message: 'x' } } }, hoursLater(24)]);
    expect(registrationOf('a.com', facts).suspect?.date).toBe(Y2027);
  });

  test('that was turned down is not shown again, nor stored', () => {
    const first = factsAfter(1, byHand(Y2028), { registry: registry(Y2027) }, NOW);
    const ignored = { ...first, registration: { ...first.registration, suspect_date: null, ignored_date: Y2027 } };
    const facts = after(
      ignored,
      [{ registry: registry(Y2027) }, hoursLater(24)],
      [{ registry: registry(Y2027) }, hoursLater(72)],
    );
    expect(registrationOf('a.com', facts)).toMatchObject({ expired_at: Y2028, suspect: null });
  });
});

describe('a name is looked up', () => {
  const seen = (expired_at: string | null, hoursAgo: number, error = false): ExpiryFacts =>
    after({ expired_at, registration: null }, [
      error ? { error: { key: 'provider.refused', params: { message: 'x' } } } : { registry: registry(expired_at) },
      hoursLater(-hoursAgo),
    ]);
  test.each<[string, ExpiryFacts, boolean]>([
    ['never looked up', UNKNOWN, true],
    ['far off, an hour ago', seen(Y2028, 1), false],
    ['far off, twelve hours ago', seen(Y2028, 12), false],
    ['far off, a day ago', seen(Y2028, 24), true],
    ['ends in ten days, two hours ago', seen('2026-12-03T00:00:00.000Z', 2), false],
    ['ends in ten days, six hours ago', seen('2026-12-03T00:00:00.000Z', 6), true],
    ['ended last week, six hours ago', seen('2026-11-16T00:00:00.000Z', 6), true],
    ['ended last year, six hours ago', seen('2025-11-16T00:00:00.000Z', 6), false],
    ['without a date, six hours ago', seen(null, 6), false],
    ['a date in doubt, six hours ago', after(byHand(Y2028), [{ registry: registry(Y2027) }, hoursLater(-6)]), true],
  ])('by the schedule where it is %s: %s', (_, facts, isIt) => {
    expect(isDue(facts, NOW.getTime())).toBe(isIt);
  });

  test('at a person’s word, unless it was within the hour with success', () => {
    const is = (facts: ExpiryFacts): boolean => isFresh(facts, NOW.getTime());
    expect([UNKNOWN, seen(Y2028, 0.5), seen(Y2028, 2), seen(Y2028, 0.5, true)].map(is)).toEqual([
      false,
      true,
      false,
      false,
    ]);
  });

  test.each<[string, ExpiryFacts, string | null, boolean]>([
    ['the registrar told no date', seen(Y2028, 1), null, true],
    ['the registrar told a suspect date', seen(Y2028, 1), Y2027, true],
    ['it never answered', byHand(Y2028), Y2028, true],
    ['it answered a day ago', seen(Y2028, 24), Y2028, false],
    ['it answered three days ago', seen(Y2028, 72), Y2028, true],
    [
      'it answered a day ago about what ends soon',
      seen('2026-12-03T00:00:00.000Z', 24),
      '2026-12-03T00:00:00.000Z',
      true,
    ],
  ])('at its registry as well where %s: %#', (_, facts, date, isIt) => {
    expect(needsRegistry(facts, date, NOW.getTime())).toBe(isIt);
  });
});
