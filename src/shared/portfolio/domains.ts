import { z } from 'zod';
import { AppError } from '../errors.ts';
import { cleanHostname, cleanNewHostname } from '../hostname.ts';
import { line, message, OptionalId } from '../text.ts';
import type { DomainRow } from './tables.ts';

export type DomainType = DomainRow['type'];
export const DOMAIN_TYPES = ['main', 'transfer'] as const satisfies DomainType[];
export type TransferType = DomainRow['transfer_type'];
export const TRANSFER_TYPES = ['auto', 'manual'] as const satisfies TransferType[];
/** The state by the blocklist. A new domain is `available` until a check says otherwise. */
export type DomainStatus = DomainRow['status'];
export const DOMAIN_STATUSES = ['available', 'blocked'] as const satisfies DomainStatus[];

/** The lists of the dashboard. */
export const DOMAIN_FILTERS = ['all', 'active', 'blocked', 'broken', 'expired'] as const;
export type DomainFilter = (typeof DOMAIN_FILTERS)[number];
/** Any other word than a filter's means `all`. */
export const domainFilter = (value: unknown): DomainFilter =>
  DOMAIN_FILTERS.find((filter) => filter === value) ?? 'all';

/** Returns the default folder of a domain's site on its server. */
export const webRoot = (domain_name: string): string => `/var/www/www-root/data/www/${domain_name}`;

const hostShape = (clean: (raw: string) => string) =>
  z.string().transform((value, context) => {
    try {
      return clean(value.replace(/\s/g, ''));
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      context.addIssue({ code: 'custom', message: error.key });
      return z.NEVER;
    }
  });

/** A typed host: all blanks are removed, then `cleanHostname` applies. */
export const Hostname = hostShape(cleanHostname);

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
  .nullable()
  .transform((path) => path ?? '')
  .optional();

/** The fields of the domain form, for creating and, all optional, for editing. */
export const DomainInput = z.object({
  domain_name: hostShape(cleanNewHostname),
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

/** The fields of an edit: an older row may have a name that no new one gets. */
export const DomainEdit = DomainInput.extend({ domain_name: Hostname });

/** The names of what a domain refers to. */
interface DomainNames {
  server_name: string | null;
  server_ip: string | null;
  cloudflare_account_name: string | null;
  registrar_type: string | null;
  project_name: string | null;
  user_login: string | null;
}

/** The site of a domain: its page file, its live release, and when that was deployed. */
interface DomainSite {
  html_file: string | null;
  release: string | null;
  deployed_at: string | null;
}

/** Columns of the row whose flags are booleans for everyone outside. */
type DomainFlag = 'google_indexation' | 'yandex_indexation';

/** A date of expiry that was seen and waits for a decision; null: `expired_at` is not in doubt. */
interface DomainDoubt {
  suspect_date: string | null;
}

/** The first broken layer of the last diagnosis under the present name (`shared/why`); null: none is broken, or nobody has asked. */
interface DomainDiagnosis {
  broken_layer: string | null;
}

type Shown = Omit<DomainRow, DomainFlag> &
  Record<DomainFlag, boolean | null> &
  DomainNames &
  DomainDoubt &
  DomainDiagnosis;

/** The fields of a DomainView in their order, which JSON and CSV keep: columns of the row, and names of what it refers to. */
export const DOMAIN_FIELDS = [
  'id',
  'domain_name',
  'unicode_name',
  'file_path',
  'type',
  'transfer_type',
  'transfer_dns',
  'server_id',
  'server_name',
  'server_ip',
  'cloudflare_account_id',
  'cloudflare_account_name',
  'registrars_id',
  'registrar_type',
  'project_id',
  'project_name',
  'user_login',
  'template_id',
  'status',
  'block_entry',
  'last_block_check_at',
  'http_status_code',
  'http_error',
  'last_http_check_at',
  'google_indexation',
  'yandex_indexation',
  'last_check_indexation',
  'created_at',
  'updated_at',
  'expired_at',
  'suspect_date',
  'broken_layer',
] as const satisfies (keyof Shown)[];

/** A domain as `/api/domains` and the portfolio table show it. */
export type DomainView = Pick<Shown, (typeof DOMAIN_FIELDS)[number]>;

/** The fields that only a single domain is shown with. */
export const SITE_FIELDS = ['html_file', 'release', 'deployed_at'] as const satisfies (keyof DomainSite)[];

/** A single domain, with its site. */
export type DomainDetail = DomainView & DomainSite;

/** For how many days a deleted domain can be brought back. */
export const DELETED_KEPT_DAYS = 30;

/** A deleted domain that can be brought back, and what it has then. */
export type DeletedDomain = Pick<
  DomainDetail,
  'id' | 'domain_name' | 'unicode_name' | 'type' | 'project_name' | 'server_name' | 'deployed_at'
> & { deleted_at: string };

/** The fields that the lists of the dashboard show. */
export const USER_DOMAIN_FIELDS = [
  'id',
  'domain_name',
  'unicode_name',
  'project_id',
  'project_name',
  'transfer_type',
  'type',
  'status',
  'last_block_check_at',
  'http_status_code',
  'http_error',
  'last_http_check_at',
  'created_at',
  'expired_at',
  'suspect_date',
  'broken_layer',
  'registrar_type',
] as const satisfies (keyof DomainView)[];
export type UserDomain = Pick<DomainView, (typeof USER_DOMAIN_FIELDS)[number]>;

/** The counters of the dashboard: the number of rows of each list. */
export type DomainCounts = Record<DomainFilter, number>;
