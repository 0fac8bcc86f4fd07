// Answers of search engines in the demo.
import { expect, test } from 'vitest';
import { domainAt } from '../../src/demo/domains.ts';
import { positionRows, webOf } from '../../src/demo/positions.ts';

test.each(['2026-11-20T00:10:00.000Z', '2026-11-20T06:30:00.000Z'])(
  'no keyword was read later than %s, which is now',
  (at) => {
    const now = new Date(at);
    const domains = Array.from({ length: 24 }, (_, index) => domainAt(index, now));
    const { search_days: days = [] } = positionRows(domains, webOf(domains, now), now);
    expect(days.length).toBeGreaterThan(1_000);
    expect(days.filter(({ checked_at }) => String(checked_at) >= at)).toEqual([]);
  },
);
