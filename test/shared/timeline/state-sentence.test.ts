import { expect, test } from 'vitest';
import { translate } from '../../../src/shared/i18n/index.ts';
import { stateSentences } from '../../../src/shared/timeline/state-sentence.ts';
import type { DomainDetail } from '../../../src/shared/portfolio/domains.ts';

const NOW = Date.parse('2026-11-25T12:00:00.000Z');
const WELL = {
  domain_name: 'a.ru',
  type: 'main',
  status: 'available',
  project_id: 1,
  project_name: 'One',
  http_status_code: 200,
  http_error: null,
  last_http_check_at: '2026-11-25T11:00:00.000Z',
  last_block_check_at: '2026-11-25T11:00:00.000Z',
  expired_at: '2027-01-05T12:00:00.000Z',
} as const;

/** Returns the sentences of a domain, a reserve of which is ready, in words; `AGO` stands for ages. */
function told(change: Partial<DomainDetail>, more: Partial<Parameters<typeof stateSentences>[0]> = {}): string {
  const page = { blocked_since: null, broken_since: null, reserve_count: 2, ready_count: 2, is_moving: false, ...more };
  return stateSentences({ ...page, domain: { ...WELL, ...change } as DomainDetail }, NOW)
    .map((clauses) => clauses.map(({ key, params }) => translate('ru', key, { ...params, ago: 'AGO' })).join(', '))
    .join('. ');
}

const SINCE = '2026-11-24T12:00:00.000Z';

test.each([
  ['well', {}, {}, 'не заблокирован, отвечает, оплачен ещё 41 день, готовы 2 резерва'],
  [
    'blocked',
    { status: 'blocked' },
    { blocked_since: SINCE },
    'AGO заблокирован РКН. отвечает, оплачен ещё 41 день, готовы 2 резерва',
  ],
  [
    'blocked without a reserve',
    { status: 'blocked' },
    { reserve_count: 0, ready_count: 0 },
    'заблокирован РКН, резервов нет. отвечает, оплачен ещё 41 день',
  ],
  [
    'broken',
    { http_status_code: 503 },
    { broken_since: SINCE, ready_count: 0 },
    'AGO начал отвечать кодом 503. 2 резерва, готовых нет, не заблокирован, оплачен ещё 41 день',
  ],
  [
    'silent and over',
    { http_status_code: null, http_error: 'timeout', expired_at: '2026-11-20T12:00:00.000Z' },
    {},
    'не отвечает, регистрация кончилась 5 дней назад. не заблокирован, готовы 2 резерва',
  ],
  [
    'old looks',
    { last_http_check_at: '2026-11-20T12:00:00.000Z', last_block_check_at: null, expired_at: null },
    { is_moving: true },
    'отвечал AGO, идёт перенос, по списку блокировок ещё не проверялся, срок регистрации неизвестен',
  ],
  [
    'a new reserve',
    { type: 'transfer', http_status_code: null, last_http_check_at: null, expired_at: '2026-11-26T12:00:00.000Z' },
    {},
    'оплачен ещё 1 день, не заблокирован, ещё не опрашивался, в резерве проекта «One»',
  ],
] as const)('a domain that is %s', (_name, change, more, words) => {
  expect(told(change, more)).toBe(words);
});
