import { z } from 'zod';
import { AppError } from '../errors.ts';
import { cleanHostname } from '../hostname.ts';
import { line, message, OptionalId } from '../text.ts';

export const DOMAIN_TYPES = ['main', 'transfer'] as const;
export type DomainType = (typeof DOMAIN_TYPES)[number];
export const TRANSFER_TYPES = ['auto', 'manual'] as const;
export type TransferType = (typeof TRANSFER_TYPES)[number];
/** The state by the blocklist. A new domain is `available` until a check says otherwise. */
export const DOMAIN_STATUSES = ['available', 'blocked'] as const;
export type DomainStatus = (typeof DOMAIN_STATUSES)[number];

/** The lists of the dashboard. */
export const DOMAIN_FILTERS = ['all', 'active', 'blocked', 'broken', 'expired'] as const;
export type DomainFilter = (typeof DOMAIN_FILTERS)[number];
/** Any other word than a filter's means `all`. */
export const domainFilter = (value: unknown): DomainFilter =>
  DOMAIN_FILTERS.find((filter) => filter === value) ?? 'all';

/** A registration that ends within so many days is listed as expiring. */
export const EXPIRING_DAYS = 30;

/** Returns the default folder of a domain's site on its server. */
export const webRoot = (domain_name: string): string => `/var/www/www-root/data/www/${domain_name}`;

/** A typed host: all blanks are removed, then `cleanHostname` applies. */
export const Hostname = z.string().transform((value, context) => {
  try {
    return cleanHostname(value.replace(/\s/g, ''));
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    context.addIssue({ code: 'custom', message: error.key });
    return z.NEVER;
  }
});

const DAY = /^\d{4}-\d{2}-\d{2}$/;

/** A day (`2026-11-30`) or an ISO time, stored as ISO in UTC; empty means unknown. */
export const Expiry = z
  .string()
  .nullish()
  .transform((value, context) => {
    if (!value) return null;
    const time = new Date(DAY.test(value) ? `${value}T00:00:00.000Z` : value);
    const year = time.getUTCFullYear();
    // `new Date` rolls 31 February over to March: a day that does not exist is refused instead.
    const rolled = DAY.test(value) && !Number.isNaN(year) && time.toISOString().slice(0, 10) !== value;
    if (Number.isNaN(year) || year < 1990 || year > 2200 || rolled || !/^\d{4}-/.test(value)) {
      context.addIssue({ code: 'custom', message: message('domain.expiry_invalid') });
      return z.NEVER;
    }
    return time.toISOString();
  });

/** An absolute path without `..`, because it becomes a path on a server. Empty means the default. */
const FilePath = line(500)
  .refine(
    (path) => path === '' || (path.startsWith('/') && !/(^|\/)\.\.?(\/|$)|\/\/|[~\\]/.test(path)),
    message('domain.path_invalid'),
  )
  .optional();

/** The fields of the domain form, for creating and, all optional, for editing. */
export const DomainInput = z.object({
  domain_name: Hostname,
  file_path: FilePath,
  type: z.enum(DOMAIN_TYPES).default('main'),
  transfer_type: z.enum(TRANSFER_TYPES).default('auto'),
  transfer_dns: z.enum(['on', 'off']).default('off'),
  project_id: OptionalId,
  server_id: OptionalId,
  cloudflare_account_id: OptionalId,
  registrars_id: OptionalId,
  template_id: OptionalId,
  expired_at: Expiry,
});
export type DomainInput = z.infer<typeof DomainInput>;

/** A domain as `/api/domains` and the portfolio table show it, with the names of what it refers to. */
export interface DomainView {
  id: number;
  domain_name: string;
  unicode_name: string;
  file_path: string;
  type: DomainType;
  transfer_type: TransferType;
  transfer_dns: 'on' | 'off';
  server_id: number | null;
  server_name: string | null;
  server_ip: string | null;
  cloudflare_account_id: number | null;
  cloudflare_account_name: string | null;
  registrars_id: number | null;
  registrar_type: string | null;
  project_id: number | null;
  project_name: string | null;
  user_login: string | null;
  template_id: number | null;
  status: DomainStatus;
  block_entry: string | null;
  last_block_check_at: string | null;
  http_status_code: number | null;
  http_error: string | null;
  last_http_check_at: string | null;
  google_indexation: boolean | null;
  yandex_indexation: boolean | null;
  last_check_indexation: string | null;
  created_at: string;
  updated_at: string;
  expired_at: string | null;
}

/** A single domain: with its site's page file, its live release, and when that was deployed. */
export interface DomainDetail extends DomainView {
  html_file: string | null;
  release: string | null;
  deployed_at: string | null;
}

/** The part of a DomainView that the lists of the dashboard show. */
export type UserDomain = Pick<
  DomainView,
  | 'id'
  | 'domain_name'
  | 'unicode_name'
  | 'project_id'
  | 'project_name'
  | 'transfer_type'
  | 'type'
  | 'status'
  | 'last_block_check_at'
  | 'http_status_code'
  | 'http_error'
  | 'last_http_check_at'
  | 'created_at'
  | 'expired_at'
  | 'registrar_type'
>;

/** The counters of the dashboard: the number of rows of each list. */
export type DomainCounts = Record<DomainFilter, number>;
