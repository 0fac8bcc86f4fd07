// Names for the random schedules that are in the account and in the portfolio, and can be renewed.
import { transaction } from '../../../db/index.ts';
import { insertRow } from '../../../db/rows.ts';
import { domains } from '../../../src/shared/portfolio/tables.ts';
import { ann, shop } from './world.ts';

const EXPIRES = '2027-03-01T00:00:00.000Z';
/** Fields of an order for a renewal besides its name and price. */
export const RENEWAL = { kind: 'renew', expires_before: EXPIRES } as const;

/** Gives the account names that can be renewed, at this price; they are in the portfolio. */
export async function stockWith(names: ReadonlySet<string>, price: number): Promise<void> {
  const now = new Date().toISOString();
  shop.state.prices['ru']!.renew = price;
  const held = [...names].map((name, index) => ({
    id: String(index + 1),
    name,
    created_at: now,
    expires_at: EXPIRES,
    name_servers: [],
  }));
  shop.state.accounts[0]!.domains.push(...held);
  await transaction(async () => {
    for (const { name } of held) {
      await insertRow(domains, {
        domain_name: name,
        unicode_name: name,
        user_id: ann.id ?? 0,
        file_path: '/',
        type: 'transfer',
        transfer_type: 'auto',
        transfer_dns: 'off',
        expired_at: EXPIRES,
        status: 'available',
        created_at: now,
        updated_at: now,
      });
    }
  });
}
