import { z } from 'zod';
import type { Verdict } from '../checks/blocklist.ts';
import type { DomainRow } from '../portfolio/domains.ts';
import type { Likeness } from '../sites/stock-pages.ts';
import { Id, line } from '../text.ts';
import type { TransferHistoryRow } from './transfers.ts';

/**
 * The site of a main domain is to move to a reserve of its project. `plan` is the hash of the plan that was shown: where
 * something has changed since, nothing is done. `force` takes a reserve that is blocked, and DNS that loses many records;
 * `confirm_site` says that a person has looked at a reserve of which it cannot be told whether it shows the site: it is the
 * `print` of the page that was seen, and stands for that page alone.
 */
export const TransferInput = z.object({
  sourceDomainId: Id,
  targetDomainId: Id,
  plan: line(100).optional(),
  force: z.boolean().default(false),
  confirm_site: line(100).optional(),
});
export type TransferInput = z.output<typeof TransferInput>;

/** Whose a thing is that the reserve will use: its own, or the main domain's. */
export interface Used {
  name: string;
  of: 'target' | 'source';
}

/** A page as it was seen; `print` is what it is known by when it is seen again. The title is the page's own words. */
export interface SeenPage {
  address: string;
  status: number;
  title: string;
  print: string;
}

/** What a reserve has and lacks, for whoever decides whether a site may move there. Times are ISO in UTC. */
export interface Readiness {
  /** By the list of now; `entry` is what blocks it. */
  list: Verdict['status'];
  list_entry: string | null;
  /** The last HTTP check. */
  http: Pick<DomainRow, 'http_status_code' | 'http_error' | 'last_http_check_at'>;
  /** `missing`: it will be made; `unknown`: the CDN could not be asked. Else Cloudflare's own word. */
  zone: { status: string; name_servers: string[] };
  server: Used | null;
  account: Used | null;
  /** Whose page and template the site is made of; null: none is known, and what lies there is left as it is. */
  site: Used['of'] | null;
  /** Of a site that is not made here: whether the reserve shows it already. Null where it is made here. */
  likeness: Likeness | null;
  /** The page that was compared; null: none was, or it did not answer. */
  seen: SeenPage | null;
  /** What a visitor gets by https: `issuing` waits, `foreign` never passes, `unknown` does not answer yet. */
  certificate: 'good' | 'issuing' | 'foreign' | 'unknown';
  expired_at: string | null;
  expiring: boolean;
  /** Days since it came into the portfolio. */
  age_days: number;
}

/** An entry of a domain's history. `action` says whether a person asked for this pair, `warning` is in the reader's words. */
export type TransferHistoryEntry = Pick<
  TransferHistoryRow,
  | 'id'
  | 'main_domain_id'
  | 'transfer_domain_id'
  | 'main_domain_name'
  | 'transfer_domain_name'
  | 'action'
  | 'operation_id'
  | 'outcome'
  | 'warning'
  | 'redirect_seen_at'
> & { created_at: string };
