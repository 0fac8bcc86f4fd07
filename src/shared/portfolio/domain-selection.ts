import { z } from 'zod';
import { message, Id } from '../text.ts';
import { DOMAIN_TYPES } from './domains.ts';

/** A calendar day that exists: `2027-02-14`. */
export const Day = z.iso.date(message('error.invalid_value'));

/** Dates of expiry that a list may be narrowed to: those that nobody told, and those that wait for a decision. */
export const EXPIRY_FILTERS = ['unknown', 'doubted'] as const;
export type ExpiryFilter = (typeof EXPIRY_FILTERS)[number];

/** The filters of a list of domains. `expires_from` and `expires_to` are days, both of them included. */
export const DomainQuery = z.object({
  // Accepts anything: an unknown filter means all.
  status: z.string().optional().catch(undefined),
  project_id: Id.optional(),
  server_id: Id.optional(),
  registrars_id: Id.optional(),
  type: z.enum(DOMAIN_TYPES).optional(),
  expires_from: Day.optional(),
  expires_to: Day.optional(),
  expiry: z.enum(EXPIRY_FILTERS, message('error.invalid_value')).optional(),
});
