import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { closeDatabase, select, transaction } from '../db/index.ts';
import { inTransaction, modelOf } from '../db/rows.ts';
import { storeHealth } from '../src/services/checks/check-http.ts';
import type { Look } from '../src/services/checks/look-rows.ts';
import { checks } from '../src/shared/checks/tables.ts';
import { domains } from '../src/shared/portfolio/tables.ts';
import { median, timed } from './serving.ts';
import { benchHistory } from './store-history.ts';
import { openPortfolio, random } from './store-portfolio.ts';

const RESULTS = 10_000;
const ROUNDS = 7;
const BATCH = 1_000;

/** Sequelize's own method: a row for each result, and its domain, a thousand per statement. */
async function bulkCreate(looks: readonly Look[], rows: readonly object[]): Promise<void> {
  const checked_at = new Date().toISOString();
  await transaction(async () => {
    for (let from = 0; from < looks.length; from += BATCH) {
      const part = looks.slice(from, from + BATCH);
      const results = part.map(({ id, verdict, code, ms, detail }) => {
        return {
          domain_id: id,
          kind: 'http' as const,
          verdict,
          http_status_code: code ?? null,
          ms: ms ?? null,
          detail,
          checked_at,
        };
      });
      await (await modelOf(checks)).bulkCreate(results, await inTransaction());
      const updated = part.map(({ code }, index) =>
        Object.assign({}, rows[from + index], {
          http_status_code: code,
          http_error: null,
          last_http_check_at: checked_at,
        }),
      );
      await (
        await modelOf(domains)
      ).bulkCreate(updated, {
        updateOnDuplicate: ['http_status_code', 'http_error', 'last_http_check_at'],
        ...(await inTransaction()),
      });
    }
  });
}

/**
 * Stores 10,000 results, a share of which differ from the previous ones; the product and the peer use one half of the
 * domains each.
 */
async function benchStoring(folder: string, changing: number): Promise<void> {
  await openPortfolio(folder, RESULTS * 2);
  const next = random(7);
  const looks = (from: number): Look[] =>
    Array.from({ length: RESULTS }, (_, index) => {
      const code = next() < changing ? 503 : 200;
      return { id: from + index + 1, verdict: String(code), code, ms: 40 + Math.floor(next() * 400), detail: null };
    });
  const rows = await select('SELECT * FROM domains WHERE id > $last ORDER BY id', { last: RESULTS });
  const ours: number[] = [];
  const peer: number[] = [];
  for (let round = 0; round <= ROUNDS; round += 1) {
    const [own, other] = [looks(0), looks(RESULTS)];
    const took = [await timed(() => storeHealth(own)), await timed(() => bulkCreate(other, rows))];
    // In the first round no domain has a row to extend.
    if (round > 0) {
      ours.push(took[0] ?? 0);
      peer.push(took[1] ?? 0);
    }
  }
  const ratio = median(ours.map((ms, index) => ms / (peer[index] ?? 0)));
  console.log(
    `store: ${RESULTS} results, ${changing * 100} % another than before: ${median(ours).toFixed(0)} ms, ` +
      `bulkCreate ${median(peer).toFixed(0)} ms, ratio ${ratio.toFixed(3)} (goal 0.12)`,
  );
  await closeDatabase();
  rmSync(join(folder, `${RESULTS * 2}.sqlite`));
}

/**
 * Prints the cost of storing results compared with bulkCreate, the size of the history, and how long a purge blocks a
 * writer.
 */
export async function benchStore(): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'seo-admin-store-'));
  try {
    for (const changing of [0, 0.1]) await benchStoring(folder, changing);
    await benchHistory(folder);
  } finally {
    rmSync(folder, { recursive: true });
  }
}
