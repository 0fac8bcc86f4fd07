import { transaction } from '../../../db/index.ts';
import { note } from '../../../db/audit.ts';
import { updateRow } from '../../../db/rows.ts';
import { registrationOf, type Registration } from '../../shared/checks/registration.ts';
import { AppError, notFound } from '../../shared/errors.ts';
import type { Message } from '../../shared/i18n/index.ts';
import { domains } from '../../shared/portfolio/tables.ts';
import type { Actor } from '../access/scope.ts';
import { listExpiryRows, upsertRegistrations, type ExpiryRow } from './expiry-rows.ts';

async function findExpiryRow(actor: Actor, id: number): Promise<ExpiryRow> {
  const [row] = await listExpiryRows(actor, { domain_ids: [id] });
  if (!row) throw notFound();
  return row;
}

/** Returns what is known of a domain's registration. Throws AppError `not_found`. */
export async function findRegistration(actor: Actor, id: number): Promise<Registration<Message>> {
  const row = await findExpiryRow(actor, id);
  return registrationOf(row.domain_name, row);
}

/** The decision of a person about a date in doubt; `date` is the one that the person has seen. */
export interface DateDecision {
  decision: 'accept' | 'ignore';
  date: string;
}

/**
 * Takes a date in doubt over, or turns it down: then it is not shown again. Throws AppError `not_found`, and `conflict` where
 * another date or none waits by now.
 */
export async function decideDate(
  actor: Actor,
  id: number,
  { decision, date }: DateDecision,
): Promise<Registration<Message>> {
  return transaction(async () => {
    const { registration, expired_at, domain_name } = await findExpiryRow(actor, id);
    if (registration?.suspect_date !== date) throw new AppError('conflict', 'expiry.no_suspect');
    const decided = { ...registration, suspect_date: null, suspect_source: null, suspect_since: null };
    const { suspect_source: source, looked_up_at: found_at } = registration;
    if (decision === 'accept') {
      await updateRow(domains, id, { expired_at: date, updated_at: new Date().toISOString() });
      await upsertRegistrations([{ ...decided, source, expires_at: date, found_at, ignored_date: null }]);
    } else {
      const after = { ignored_date: date };
      note({ action: 'update', object: 'domains', id, name: domain_name, before: { expired_at }, after });
      await upsertRegistrations([{ ...decided, ignored_date: date }]);
    }
    return findRegistration(actor, id);
  });
}
