// The watch of certificates: what is due, what is seen at both sides, and thresholds that are told once.
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { execute, select, transaction } from '../../../db/index.ts';
import { SYSTEM } from '../../../src/services/access/scope.ts';
import {
  domainCertificates,
  onCertificatesEnding,
  watchCertificates,
  type CertificateEnding,
} from '../../../src/services/why/certificates.ts';
import { createLog } from '../../../src/lib/log.ts';
import { jobs } from '../../../src/services/system/jobs.ts';
import { noticed, recorded } from '../notices/recorded.ts';
import { crossingOf, thresholdOf } from '../../../src/shared/why/certificates.ts';
import { DAY_MS } from '../../../src/shared/time.ts';
import type { CertificateRow } from '../../../src/shared/why/tables.ts';
import { MAIN, OLDER, RESERVE, SPARE } from '../../support/moves-portfolio.ts';
import { edge, MAIN_ID, origin, reach, useWhy } from './world.ts';

useWhy();

let told: CertificateEnding[] = [];
let forget: () => void;
beforeEach(async () => {
  told = [];
  forget = onCertificatesEnding(async (endings) => void told.push(...endings));
  await transaction(() => execute('DELETE FROM certificates'));
});
afterEach(() => forget());

const inDays = (days: number): Date => new Date(Date.now() + days * DAY_MS - 3_600_000);
const look = (): Promise<void> => watchCertificates(AbortSignal.timeout(60_000));
/** Makes every last look so many days older. */
const age = (days: number): Promise<number> =>
  transaction(() => execute('UPDATE certificates SET looked_at = $at', { at: inDays(-days).toISOString() }));
/** Has the CDN show a certificate for so many days from now. */
function shows(days: number): void {
  const until = inDays(days);
  edge.certificate = (name) => edge.issue(name, until);
}
const tellings = (): string[] => told.map(({ domain_name, side, days }) => `${domain_name} ${side} ${days}`);

describe('a look', () => {
  test('sees the certificate of both sides, with its issuer, its names and the days left', async () => {
    shows(60);
    origin.certificate = () => origin.issue('another.com', inDays(20));
    await look();
    expect(await domainCertificates(SYSTEM, MAIN_ID)).toMatchObject([
      { side: 'edge', issuer: 'seo-admin demo', names_ok: true, fault: null, error: null, days: 59 },
      { side: 'origin', names_ok: false, fault: 'wrong_name', days: 19 },
    ]);
  });

  test('is made at mains once a day, at reserves once a week, and once a day at those that serve nobody', async () => {
    const dates = async (): Promise<Record<string, string>> => {
      const rows = await select<CertificateRow>(`SELECT * FROM certificates WHERE side = 'edge' ORDER BY domain_id`);
      return Object.fromEntries(rows.map(({ domain_name, looked_at }) => [domain_name, looked_at]));
    };
    edge.certificate = (name) => (name === SPARE ? undefined : edge.issue(name));
    await look();
    expect(Object.keys(await dates())).toEqual([MAIN, RESERVE, OLDER, SPARE]);
    const lookedAgain = async (): Promise<string[]> => {
      const before = await dates();
      await look();
      return Object.entries(await dates()).flatMap(([name, at]) => (at === before[name] ? [] : [name]));
    };
    expect(await lookedAgain()).toEqual([]);
    await age(1);
    expect(await lookedAgain()).toEqual([MAIN, SPARE]);
    await age(7);
    expect(await lookedAgain()).toEqual([MAIN, RESERVE, OLDER, SPARE]);
  });

  test('at a main is held up by no number of reserves that serve nobody', async () => {
    await look();
    await transaction(async () => {
      for (let n = 0; n < 60; n += 1)
        await execute(
          `INSERT INTO domains (domain_name, unicode_name, file_path, type, transfer_type, transfer_dns, status, user_id, created_at, updated_at)
           VALUES ($name, $name, '/' || $name, 'transfer', 'manual', 'off', 'available', 1, $at, $at)`,
          { name: `bare-${n}.com`, at: inDays(-9).toISOString() },
        );
      await execute(
        `INSERT INTO certificates (domain_id, side, domain_name, looked_at, error)
         SELECT id, 'edge', domain_name, $at, 'tls' FROM domains WHERE domain_name LIKE 'bare-%'`,
        { at: inDays(-2).toISOString() },
      );
      await execute(`UPDATE certificates SET looked_at = $at WHERE domain_name = '${MAIN}'`, {
        at: inDays(-1).toISOString(),
      });
    });
    const begun = new Date().toISOString();
    const warnings: string[] = [];
    const warn = ({ name }: Error): void => void warnings.push(name);
    process.on('warning', warn);
    await look();
    process.off('warning', warn);
    expect(warnings).not.toContain('MaxListenersExceededWarning');
    const seen = await select<CertificateRow>(
      `SELECT * FROM certificates WHERE side = 'edge' AND looked_at >= $begun`,
      { begun },
    );
    await transaction(() => execute(`DELETE FROM domains WHERE domain_name LIKE 'bare-%'`));
    expect([seen.length, seen.some(({ domain_name }) => domain_name === MAIN)]).toEqual([50, true]);
  });

  test('at a reserve without a deployed site is made as visitors come, and tells of no threshold', async () => {
    const ends = inDays(5);
    edge.certificate = (name) => edge.issue(name, ends);
    await look();
    expect(tellings()).toEqual([`${MAIN} edge 7`]);
    expect(await select(`SELECT DISTINCT side FROM certificates WHERE domain_name = '${RESERVE}'`)).toEqual([
      { side: 'edge' },
    ]);
    await transaction(() => execute(`UPDATE domains SET type = 'main' WHERE domain_name = '${RESERVE}'`));
    told = [];
    await age(1);
    await look();
    expect(tellings()).toEqual([`${RESERVE} edge 7`]);
  });

  test('is made again where the clock was set back', async () => {
    await look();
    await age(-3);
    await look();
    expect((await domainCertificates(SYSTEM, MAIN_ID))[0]!.looked_at < new Date().toISOString()).toBe(true);
  });

  test('that sees nothing keeps what was seen, and says why', async () => {
    shows(60);
    await look();
    edge.certificate = () => undefined;
    await age(1);
    await look();
    expect((await domainCertificates(SYSTEM, MAIN_ID))[0]).toMatchObject({ days: 59, error: 'tls' });
  });

  test('of private addresses is refused unless they are allowed', async () => {
    reach({ allowPrivate: false, connectTo: '', dns: '127.0.0.1:9' });
    await transaction(() => execute(`UPDATE servers SET ssh_host = '10.0.0.7'`));
    await look();
    const found = await domainCertificates(SYSTEM, MAIN_ID);
    await transaction(() => execute(`UPDATE servers SET ssh_host = '203.0.113.10'`));
    expect(found.map(({ side, not_after }) => `${side} ${not_after}`)).toEqual(['edge null']);
  });

  test('of a domain that was renamed meanwhile is not shown', async () => {
    await look();
    await transaction(() => execute(`UPDATE certificates SET domain_name = 'former.com'`));
    expect(await domainCertificates(SYSTEM, MAIN_ID)).toEqual([]);
  });
});

describe('a threshold', () => {
  test('is told once, the next one again, and all of them again after a renewal', async () => {
    origin.certificate = (name) => origin.issue(name);
    const days = [29, 28, 13, 6, 6, 0, 80, 25];
    const seen: string[][] = [];
    const today = inDays(0).getTime();
    for (const [index, left] of days.entries()) {
      // Time passes: what was told stays with the certificate, which ends nearer.
      if (left > (days[index - 1] ?? 99)) await age(1);
      // Of one moment: a certificate that ended a second later would be a renewed one.
      const ends = new Date(today + left * DAY_MS);
      edge.certificate = (name) => edge.issue(name, ends);
      await age(1);
      told = [];
      await look();
      seen.push(tellings());
    }
    expect(seen).toEqual([
      [`${MAIN} edge 30`],
      [],
      [`${MAIN} edge 14`],
      [`${MAIN} edge 7`],
      [],
      [`${MAIN} edge 1`],
      [],
      [`${MAIN} edge 30`],
    ]);
  });

  test('is an event where the jobs of the server are made, and a notice: critical on the last day', async () => {
    jobs(createLog('silent'));
    shows(5);
    await look();
    await age(5);
    edge.certificate = (name) => edge.issue(name, inDays(1));
    await look();
    expect(await recorded()).toEqual([`certificate_ends ${MAIN}`, `certificate_ends ${MAIN}`]);
    expect(await noticed()).toEqual(['critical certificate_ends 1']);
  });

  test('that could not be told is told at the next look', async () => {
    shows(5);
    const stop = onCertificatesEnding(async () => Promise.reject(new Error('the outbox is full')));
    await expect(look()).rejects.toThrow('the outbox is full');
    stop();
    expect(await domainCertificates(SYSTEM, MAIN_ID)).toEqual([]);
    told = [];
    await look();
    expect(tellings()).toEqual([`${MAIN} edge 7`]);
  });
});

const NOW = Date.parse('2026-01-01T00:00:00.000Z');
const at = (days: number): string => new Date(NOW + days * DAY_MS).toISOString();

test.each([
  [31, null],
  [30, 30],
  [14.5, 30],
  [14, 14],
  [7, 7],
  [1.01, 7],
  [1, 1],
  [-3, 1],
])('a certificate with %s days left has reached the threshold %s', (days, threshold) => {
  expect(thresholdOf(at(days), NOW)).toBe(threshold);
});

test.each([
  ['the first look', undefined, 6, { told: 7, crossed: 7 }],
  ['told already', { not_after: at(6), told: 7 }, 6, { told: 7, crossed: null }],
  ['a lower one', { not_after: at(6), told: 14 }, 6, { told: 7, crossed: 7 }],
  ['a renewed one', { not_after: at(6), told: 7 }, 90, { told: null, crossed: null }],
  ['renewed for short', { not_after: at(6), told: 7 }, 12, { told: 14, crossed: 14 }],
  ['an older one at another server', { not_after: at(90), told: null }, 6, { told: 7, crossed: 7 }],
])('%s', (_what, before, days, crossing) => {
  expect(crossingOf(before, at(days), NOW)).toEqual(crossing);
});
