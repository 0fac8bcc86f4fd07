// A portfolio of which some names need somebody.
import { afterEach, beforeEach } from 'vitest';
import { execute, transaction } from '../../../db/index.ts';
import type { Actor } from '../../../src/services/access/scope.ts';
import type { PurchaseRow } from '../../../src/shared/purchases/tables.ts';
import { readTriage } from '../../../src/services/triage/triage.ts';
import { startDatabase } from '../../support/database.ts';
import { english } from '../../support/english.ts';
import { addPortfolio } from '../notices/world.ts';

export const ANN: Actor = { id: 2, login: 'ann', role: 'user' };
export const BOB: Actor = { id: 3, login: 'bob', role: 'user' };
export const NOW = Date.now();
/** Returns a time so many hours from now. */
export const at = (hours: number): string => new Date(NOW + hours * 3_600_000).toISOString();

/** Changes the domains for which a condition holds. */
export const set = (values: string, where: string, bind: Record<string, unknown> = {}): Promise<unknown> =>
  transaction(() => execute(`UPDATE domains SET ${values} WHERE ${where}`, bind));

/** Adds a purchase as the ledger has it: its domain is known once it is paid. */
export const addPurchase = (
  purchase: Pick<PurchaseRow, 'kind' | 'domain_name' | 'state'> & Partial<PurchaseRow>,
): Promise<unknown> => {
  const row = { look_at: null, charged: null, ...purchase };
  return transaction(() =>
    execute(
      `INSERT INTO purchases (kind, domain_name, state, look_at, charged, registrar_type, asked_by, years, currency, price, periods, day,
         reference, created_at, changed_at)
       VALUES ($kind, $domain_name, $state, $look_at, $charged, 'reg.ru', 'automation', 1, 'RUB', 1000, '[]', '2026-11-23',
         $domain_name, $now, $now)`,
      { ...row, now: at(-1) },
    ),
  );
};

/** Makes sites of main domains, and gives the reserves a CDN account; the last reserve may be taken. */
const equip = (): Promise<void> =>
  transaction(async () => {
    await execute(
      `INSERT INTO cloudflare_accounts (id, name, email, api_key, zones, created_at) VALUES (8, 'CDN', 'a@b.example', '', 0, $at)`,
      { at: at(-1) },
    );
    await execute(`UPDATE domains SET cloudflare_account_id = 8 WHERE id IN (5, 6)`);
    await execute(`UPDATE projects SET last_reserve = 'on'`);
    await execute(
      `INSERT INTO templates (id, name, file_name, created_at, updated_at) VALUES (1, 'T', 't.zip', $at, $at)`,
      {
        at: at(-1),
      },
    );
    await execute(
      `INSERT INTO sites (domain_id, template_id, html_name, html, updated_at) SELECT id, 1, 'p.html', '', $at FROM domains WHERE id < 5`,
      { at: at(-1) },
    );
  });

/**
 * Opens a new database before each test. The reserves 5 and 6 are ann's, as are the main domains 1 to 4, whose sites are made here, and 9 to 12; 7 and 8 are bob's, who has
 * no reserve.
 */
export function useTriage(): void {
  let database: Awaited<ReturnType<typeof startDatabase>>;
  beforeEach(async () => {
    database = await startDatabase();
    await addPortfolio({ domains: 12, reserves: [5, 6], ofBob: [7, 8], onSecond: [9, 10, 11, 12] });
    await equip();
    await set('http_status_code = 200, last_http_check_at = $now', 'id > 0', { now: at(-1) });
  });
  afterEach(() => database.close());
}

/** Returns what needs somebody: its kind, its number of names, the names, its text in English and its act. */
export const brief = async (actor: Actor) => {
  const { items } = await readTriage(actor, NOW);
  return items.map(({ kind, count, names, text, act }) => [
    kind,
    count,
    names.map(({ unicode_name }) => unicode_name).join(),
    english(text),
    act.kind,
  ]);
};
