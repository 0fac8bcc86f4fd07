import { describe, expect, it } from 'vitest';
import { healthOf, indexationOf } from '../../../src/shared/portfolio/domain-state.ts';

const now = Date.parse('2026-11-20T12:00:00.000Z');
const hoursAgo = (hours: number): string => new Date(now - hours * 3_600_000).toISOString();
const host = (http_status_code: number | null, http_error: string | null, last_http_check_at: string | null) => ({
  http_status_code,
  http_error,
  last_http_check_at,
});

describe('healthOf', () => {
  it.each([
    ['a code 200–299', host(204, null, hoursAgo(1)), 'ok'],
    ['such a code of three days ago', host(200, null, hoursAgo(72)), 'ok'],
    ['an error code of an hour ago', host(404, null, hoursAgo(1)), 'error'],
    ['an error code of 25 hours ago', host(404, null, hoursAgo(25)), 'stale'],
    ['an error code of exactly 24 hours ago', host(404, null, hoursAgo(24)), 'error'],
    [
      'an error code of 24 hours and a millisecond ago',
      host(404, null, new Date(now - 86_400_001).toISOString()),
      'stale',
    ],
    ['the code 199', host(199, null, hoursAgo(1)), 'error'],
    ['the code 299', host(299, null, hoursAgo(1)), 'ok'],
    ['the code 300', host(300, null, hoursAgo(1)), 'error'],
    ['a redirect that was not followed', host(301, null, hoursAgo(1)), 'error'],
    ['no code, but a reason', host(null, 'timeout', hoursAgo(1)), 'error'],
    ['a host that was never checked', host(null, null, null), 'unknown'],
  ])('%s', (_, domain, health) => {
    expect(healthOf(domain, now)).toBe(health);
  });
});

describe('indexationOf', () => {
  const known = (yandex_indexation: boolean | null, google_indexation: boolean | null, at: string | null) => ({
    yandex_indexation,
    google_indexation,
    last_check_indexation: at,
  });

  it.each([
    ['no data', known(null, null, null), 'unknown'],
    ['both', known(true, true, hoursAgo(1)), 'full'],
    ['one', known(true, false, hoursAgo(1)), 'partial'],
    ['one, the other unanswered', known(null, true, hoursAgo(1)), 'partial'],
    ['neither', known(false, false, hoursAgo(1)), 'partial'],
    ['one without a check', known(true, false, null), 'odd'],
    ['Google alone without a check', known(null, true, null), 'odd'],
    ['Yandex alone without a check', known(true, null, null), 'odd'],
  ])('%s', (_, domain, indexation) => {
    expect(indexationOf(domain)).toBe(indexation);
  });
});
