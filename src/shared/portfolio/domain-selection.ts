import { z } from 'zod';
import { line, message, Id } from '../text.ts';
import { Cells } from './domain-cells.ts';
import { DOMAIN_FILTERS, DOMAIN_TYPES, Hostname } from './domains.ts';

/** A calendar day that exists: `2027-02-14`. */
export const Day = z.iso.date(message('error.invalid_value'));

/** Dates of expiry that a list may be narrowed to: those that nobody told, and those that wait for a decision. */
export const EXPIRY_FILTERS = ['unknown', 'doubted'] as const;
export type ExpiryFilter = (typeof EXPIRY_FILTERS)[number];

/** The filters of a list of domains. `expires_from` and `expires_to` are days, both of them included; `cells` is of `domain-cells.ts`. */
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
  cells: Cells.optional(),
});

/** As many names may be chosen one by one; more are a filter. */
export const MOST_NAMED = 10_000;

const Names = z.array(Hostname).max(MOST_NAMED, message('bulk.many_names'));

/**
 * The filter of a selection. Unlike that of a list it takes no unknown field and no unknown value: what is not understood would
 * choose more than was meant.
 */
const SelectionFilter = z.strictObject({
  ...DomainQuery.shape,
  status: z.enum(DOMAIN_FILTERS, message('error.invalid_value')).optional(),
  search: line(200).optional(),
});

/**
 * The domains that work on many is about: by their names, or all that a filter finds but for some names. The server counts them,
 * within what the caller may see.
 */
export const Selection = z
  .strictObject({
    names: Names.min(1, message('error.required')).optional(),
    filter: SelectionFilter.optional(),
    except: Names.optional(),
  })
  .refine(({ names, filter }) => (names === undefined) !== (filter === undefined), message('bulk.names_or_filter'))
  .refine(({ names, except }) => names === undefined || except === undefined, message('bulk.names_or_filter'));
export type Selection = z.output<typeof Selection>;
