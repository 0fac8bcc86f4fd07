// Random histories of checks, stored as the service stores them.
import { vi } from 'vitest';
import { execute, transaction } from '../../../db/index.ts';
import { storeHealth } from '../../../src/services/checks/check-http.ts';
import { storeLooks } from '../../../src/services/checks/check-store.ts';
import type { Look } from '../../../src/services/checks/look-rows.ts';
import type { PlainLook } from '../../support/check-model.ts';

type Kind = 'http' | 'blocklist';

/** An hour in milliseconds. */
export const HOUR = 3_600_000;
/** A day in milliseconds. */
export const DAY = 24 * HOUR;
/** The time at which each history begins. */
export const START = Date.parse('2026-05-01T00:20:00.000Z');
/** The ISO form of a time. */
export const iso = (time: number): string => new Date(time).toISOString();

/** Returns a generator of pseudo-random numbers from 0 to 1, the same for the same seed. */
function random(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 48_271) % 2_147_483_647;
    return state / 2_147_483_647;
  };
}

/** Adds that many domains to the project of the user `ann`, and returns their ids. */
export async function addDomains(count: number): Promise<number[]> {
  await transaction(async () => {
    await execute(`INSERT INTO users (id, login, password, role, created_at) VALUES (1, 'ann', '', 'admin', '')`);
    await execute(`INSERT INTO projects (id, user_id, name, created_at, last_reserve) VALUES (1, 1, 'P', '', 'off')`);
    await execute(
      `WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < $count)
       INSERT INTO domains (id, user_id, project_id, domain_name, unicode_name, file_path, type, transfer_type, transfer_dns, status,
         created_at, updated_at)
       SELECT i, 1, 1, 'd' || i || '.example', 'd' || i || '.example', '/' || i, CASE i % 3 WHEN 0 THEN 'transfer' ELSE 'main' END,
         'auto', 'off', 'available', '', '' FROM n`,
      { count },
    );
  });
  return Array.from({ length: count }, (_, index) => index + 1);
}

/** Looks of one kind that were stored together. */
export interface Batch {
  at: number;
  kind: Kind;
  looks: Look[];
  list: { list_version: string; fetched_at: string } | undefined;
}

const answer = (id: number, next: () => number): Look => {
  const ms = 20 + Math.floor(next() * 400);
  const kind = next();
  if (kind < 0.15) return { id, verdict: 'timeout', code: null, ms: 10_000, detail: null };
  if (kind < 0.3) return { id, verdict: '503', code: 503, ms, detail: null };
  const detail = kind < 0.5 ? `https://www.d${id}.example/${Math.floor(next() * 9)}` : null;
  return { id, verdict: '200', code: 200, ms, detail };
};

/**
 * Two and a half days of hourly checks: each name tends to keep its verdict; some get extra checks or none. Now and then all names
 * turn blocked at once.
 */
export function makeHistory(seed: number, ids: readonly number[]): Batch[] {
  const next = random(seed);
  const batches: Batch[] = [];
  const last = new Map<string, Look>();
  let version = 1;
  for (let at = START; at < START + 2.5 * DAY; at += HOUR * (next() < 0.2 ? 0.2 : 1)) {
    if (next() < 0.4) version += 1;
    const isWave = next() < 0.06;
    for (const kind of ['http', 'blocklist'] as const) {
      const looks = ids.flatMap((id): Look[] => {
        if (next() < 0.1) return [];
        const before = last.get(kind + id);
        const stays = next() < (kind === 'http' ? 0.7 : 0.8);
        const isBlocked = isWave || next() < 0.5;
        const entry = next() < 0.8 ? `d${id}.example` : `*.d${id}.example`;
        const verdict: Look = { id, verdict: isBlocked ? 'blocked' : 'available', detail: isBlocked ? entry : null };
        const fresh = kind === 'http' ? answer(id, next) : verdict;
        const look = before && stays && !isWave ? { ...before, ...(before.code && { ms: fresh.ms ?? null }) } : fresh;
        last.set(kind + id, look);
        return [look];
      });
      const list = kind === 'http' ? undefined : { list_version: String(version), fetched_at: iso(at - 60_000) };
      batches.push({ at, kind, looks, list });
    }
  }
  return batches;
}

/** Stores a batch by the services. */
export async function keep({ at, kind, looks, list }: Batch): Promise<void> {
  vi.setSystemTime(at);
  await (kind === 'http' ? storeHealth(looks) : transaction(() => storeLooks(kind, looks, list)));
  await showVerdicts({ at, kind, looks, list });
}

/** Gives every look of a batch a row of its own. */
export async function keepWhole(batch: Batch): Promise<void> {
  const { at, kind, looks, list } = batch;
  vi.setSystemTime(at);
  await transaction(() =>
    execute(
      `INSERT INTO checks (domain_id, kind, verdict, http_status_code, ms, detail, list_version, list_fetched_at, checked_at)
       SELECT CAST(value ->> 'id' AS INTEGER), $kind, value ->> 'verdict', CAST(value ->> 'code' AS INTEGER),
         CAST(value ->> 'ms' AS INTEGER), value ->> 'detail', $list, $fetched, $at
       FROM json_each($looks)`,
      {
        kind,
        looks: JSON.stringify(looks),
        list: list?.list_version ?? null,
        fetched: list?.fetched_at ?? null,
        at: iso(at),
      },
    ),
  );
  await showVerdicts(batch);
}

const showVerdicts = ({ kind, looks, at }: Batch): Promise<number> =>
  transaction(() =>
    execute(
      kind === 'blocklist'
        ? `UPDATE domains SET status = value ->> 'verdict', block_entry = value ->> 'detail', last_block_check_at = $at
           FROM json_each($looks) WHERE domains.id = CAST(value ->> 'id' AS INTEGER)`
        : `UPDATE domains SET http_status_code = CAST(value ->> 'code' AS INTEGER), last_http_check_at = $at,
             http_error = CASE WHEN value ->> 'code' IS NULL THEN value ->> 'verdict' END
           FROM json_each($looks) WHERE domains.id = CAST(value ->> 'id' AS INTEGER)`,
      { looks: JSON.stringify(looks), at: iso(at) },
    ),
  );

/** The looks of a history, one by one. */
export const plain = (history: readonly Batch[]): PlainLook[] =>
  history.flatMap(({ at, kind, looks }) =>
    looks.map(({ id, verdict, code = null, ms = null, detail }) => {
      return { domain_id: id, kind, verdict, code, ms, detail, at: iso(at) };
    }),
  );
