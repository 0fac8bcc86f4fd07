import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { subjectOf, type Fact, type Known, type OpenNotice } from '../../../src/services/notices/facts.ts';
import { groupEvents } from '../../../src/services/notices/grouping.ts';
import type { EventKind } from '../../../src/shared/notices/events.ts';

const START = Date.parse('2026-05-01T00:00:00.000Z');
const at = (minute: number): string => new Date(START + minute * 60_000).toISOString();
const server = (id: number) => ({ key: `server:${id}`, name: `srv${id}` });
const account = (id: number) => ({ key: `account:${id}`, name: `cdn${id}` });

let ids = 0;
const fact = (kind: EventKind, domain: number, minute: number, rest: Partial<Fact> = {}): Fact => ({
  id: (ids += 1),
  kind,
  level: 'critical',
  subject: `domain:${domain}`,
  domain_id: domain,
  project_id: 1,
  user_id: null,
  name: `d${domain}.example`,
  cause: '',
  params: '{}',
  at: at(minute),
  causes: [],
  ...rest,
});

const known = (domain: number, rest: Partial<Known> = {}): Known => ({
  notice_id: 1,
  kind: 'domain_down',
  flapping: false,
  subject: `domain:${domain}`,
  params: '{}',
  closed_at: null,
  is_open: true,
  notice_open: true,
  ...rest,
});

const open = (rest: Partial<OpenNotice> = {}): OpenNotice => ({
  id: 1,
  kind: 'domain_down',
  cause: 'server:1',
  flapping: false,
  level: 'critical',
  opened_at: at(0),
  acknowledged_at: null,
  ...rest,
});

const made = (facts: Fact[], subjects: Known[] = [], notices: OpenNotice[] = []) =>
  groupEvents(facts, subjects, notices).made.map(({ cause, openings, flapping }) => ({
    cause: cause.key,
    flapping,
    n: openings.length,
  }));

describe('domains that go down together', () => {
  test('make one notice of the account that explains all of them, not one for each of its servers', () => {
    const facts = Array.from({ length: 10_000 }, (_, n) =>
      fact('domain_down', n, 0, { causes: [account(1), server(n % 3)] }),
    );
    expect(made(facts)).toEqual([{ cause: 'account:1', flapping: false, n: 10_000 }]);
  });

  test('make a notice for each server, and one for those that have nothing in common', () => {
    const on = (id: number, n: number) => fact('domain_down', n, 0, { causes: [server(id)] });
    const facts = [on(1, 1), on(2, 2), on(1, 3), on(2, 4), on(1, 5), on(3, 6), fact('domain_down', 7, 0)];
    expect(made(facts)).toMatchObject([{ cause: 'server:1', n: 3 }, { cause: 'server:2', n: 2 }, { n: 2 }]);
  });

  test('join the open notice of the same server', () => {
    const { made: news, joined } = groupEvents([fact('domain_down', 9, 30, { causes: [server(1)] })], [], [open()]);
    expect([news.length, joined.map(({ notice_id }) => notice_id)]).toEqual([0, [1]]);
  });
});

describe('a lasting state', () => {
  test('ends with the event that ends it, and what says it twice changes nothing', () => {
    const { made: news, changed } = groupEvents(
      [fact('domain_down', 1, 5), fact('domain_up', 1, 9), fact('domain_up', 1, 10)],
      [known(1)],
      [open()],
    );
    expect(news).toEqual([]);
    expect(changed).toEqual([{ notice_id: 1, subject: 'domain:1', at: at(9), closed_at: at(9) }]);
  });

  test('that ended before anybody was told is one notice that is over', () => {
    const [notice] = groupEvents([fact('domain_down', 1, 0), fact('domain_up', 1, 1)], [], []).made;
    expect(notice?.openings).toMatchObject([{ closed_at: at(1) }]);
  });

  test('that begins again within an hour flaps; after an hour it does not', () => {
    const over = known(1, { is_open: false, closed_at: at(0), notice_open: false });
    expect(made([fact('domain_down', 1, 59)], [over])).toMatchObject([{ flapping: true }]);
    expect(made([fact('domain_down', 1, 61)], [over])).toMatchObject([{ flapping: false }]);
  });

  test('that flaps changes within its notice', () => {
    const flaps = known(1, { flapping: true });
    const facts = [fact('domain_up', 1, 1), fact('domain_down', 1, 2), fact('domain_up', 1, 3)];
    const { made: news, changed } = groupEvents(facts, [flaps], [open({ flapping: true, cause: 'domain:1' })]);
    expect(news).toEqual([]);
    expect(changed.map(({ closed_at }) => closed_at)).toEqual([at(1), null, at(3)]);
  });
});

describe('an event that is over at once', () => {
  test('is told once while its notice is open and nothing differs', () => {
    const failed = (minute: number) => fact('job_failed', 0, minute, { subject: 'name:purge', domain_id: null });
    const told = known(0, { kind: 'job_failed', subject: 'name:purge' });
    const { made: news, touched } = groupEvents([failed(5), failed(10)], [told], []);
    expect([news.length, touched.length]).toEqual([0, 2]);
    expect(made([failed(5), failed(10)])).toEqual([{ cause: 'name:purge', flapping: false, n: 1 }]);
  });

  test('is told again where its numbers differ', () => {
    const ends = (days: number) => fact('name_ends', 1, 5, { params: JSON.stringify({ days }) });
    const told = known(1, { kind: 'name_ends', params: '{"days":30}' });
    expect(made([ends(30)], [told])).toEqual([]);
    expect(made([ends(7)], [told])).toHaveLength(1);
  });

  test('of two people is two notices', () => {
    const signIn = (user_id: number) => {
      const whose = { domain_id: null, project_id: null, user_id };
      return fact('new_network', 0, 0, {
        ...whose,
        subject: subjectOf({ kind: 'new_network', ...whose, name: '203.0.113.1' }),
      });
    };
    expect(made([signIn(1), signIn(2)])).toHaveLength(2);
  });
});

test('a freed domain of which no notice is open is good news of its own', () => {
  expect(made([fact('domain_unblocked', 1, 0)])).toHaveLength(1);
  expect(made([fact('domain_up', 1, 0)])).toEqual([]);
});

const Events = fc.array(
  fc.record({
    kind: fc.constantFrom<EventKind>('domain_down', 'domain_up', 'domain_blocked', 'domain_unblocked', 'name_ends'),
    domain: fc.integer({ min: 1, max: 6 }),
    minute: fc.integer({ min: 0, max: 240 }),
    on: fc.integer({ min: 1, max: 3 }),
    named: fc.boolean(),
  }),
  { maxLength: 60 },
);

test('every subject is in one notice at most, and every lasting state that has begun is in one', () => {
  fc.assert(
    fc.property(Events, (events) => {
      const facts = events
        .toSorted((one, other) => one.minute - other.minute)
        .map(({ kind, domain, minute, on, named }) =>
          fact(kind, domain, minute, {
            causes: [server(on)],
            cause: named && kind === 'domain_blocked' ? 'list:1' : '',
          }),
        );
      const { made: notices } = groupEvents(facts, [], []);
      for (const notice of notices) {
        const subjects = notice.openings.map(({ subject, params }) => `${subject} ${params}`);
        expect(notice.openings.every(({ kind }) => kind === notice.kind)).toBe(true);
        expect(notice.flapping || new Set(subjects).size === subjects.length).toBe(true);
      }
      for (const kind of ['domain_down', 'domain_blocked'] as const) {
        const ends = kind === 'domain_down' ? 'domain_up' : 'domain_unblocked';
        for (let domain = 1; domain <= 6; domain += 1) {
          const last = facts.findLast((one) => one.domain_id === domain && (one.kind === kind || one.kind === ends));
          const isOpen = notices.some(
            (notice) =>
              notice.kind === kind && notice.openings.some((one) => one.domain_id === domain && one.closed_at === null),
          );
          expect(isOpen).toBe(last?.kind === kind);
        }
      }
    }),
    { numRuns: 300 },
  );
});
