import { insertRow, updateRow } from '../../../db/rows.ts';
import { toUnicode } from '../../shared/portfolio/domain-name.ts';
import { webRoot } from '../../shared/portfolio/domains.ts';
import { domains } from '../../shared/portfolio/tables.ts';
import type { ReservePlan } from '../../shared/purchases/reserves.ts';
import type { PurchaseRow } from '../../shared/purchases/tables.ts';
import { findDomainNamed, findFirstAdmin, findProjectOwner } from './domain-rows.ts';
import { findProjectMain } from './reserve-rows.ts';

/** Returns a time so many years later; 29 February becomes 1 March. */
function yearsAfter(time: string, years: number): string {
  const date = new Date(time);
  date.setUTCFullYear(date.getUTCFullYear() + years);
  return date.toISOString();
}

/** Returns the folder of a new reserve: where the project's main domain has its own, if that bears its name. */
async function folderOf(domain_name: string, project_id: number | null): Promise<string> {
  const main = project_id === null ? undefined : await findProjectMain(project_id);
  const parts = main?.file_path.split('/') ?? [];
  if (!main || !parts.includes(main.domain_name)) return webRoot(domain_name);
  return parts.map((part) => (part === main.domain_name ? domain_name : part)).join('/');
}

/** Returns what is made for a name of a project once it is bought: after its main domain, as `reserveFlow` does. */
export async function followsOf(project_id: number): Promise<ReservePlan['follows']> {
  const main = await findProjectMain(project_id);
  return main === undefined ? 'nothing' : main.has_site === 1 ? 'site' : 'zone';
}

/**
 * Writes the domain that was paid for and returns its id: a new one as a reserve of its project, one that is there with its registrar. Its
 * expiry is the registrar's, or reckoned until a look-up tells it. A domain that is paid for is kept whatever has become of its project and its user.
 */
export async function writeBoughtDomain(purchase: PurchaseRow, expiresAt: string | null): Promise<number | null> {
  const { kind, domain_name, registrar_id, project_id, user_id, years, expires_before } = purchase;
  const now = new Date().toISOString();
  const from = kind === 'renew' && expires_before !== null ? expires_before : (purchase.sent_at ?? now);
  const expired_at = expiresAt ?? yearsAfter(from, years);
  const known = await findDomainNamed(domain_name);
  if (known) {
    await updateRow(domains, known.id, { expired_at, registrars_id: registrar_id, updated_at: now });
    return known.id;
  }
  if (kind === 'renew') return null;
  const owner = project_id === null ? null : await findProjectOwner(project_id);
  const holder = owner ?? user_id ?? (await findFirstAdmin());
  if (holder === null) throw new Error(`nobody is left to own ${domain_name}`);
  return insertRow(domains, {
    domain_name,
    unicode_name: toUnicode(domain_name),
    user_id: holder,
    project_id: owner === null ? null : project_id,
    file_path: await folderOf(domain_name, owner === null ? null : project_id),
    type: 'transfer',
    transfer_type: 'auto',
    transfer_dns: 'off',
    registrars_id: registrar_id,
    expired_at,
    status: 'available',
    created_at: now,
    updated_at: now,
  });
}
