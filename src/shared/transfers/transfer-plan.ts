import { z } from 'zod';
import type { DomainRow } from '../portfolio/tables.ts';
import type { TransferHistoryRow } from './tables.ts';
import type { Verdict } from '../checks/blocklist.ts';
import type { Likeness } from '../sites/stock-pages.ts';
import { Id, line } from '../text.ts';

/**
 * A request to move the site of a main domain to a reserve of its project. `plan` is the hash of the plan that was shown: if
 * something has changed since, nothing is done. `force` accepts a blocked reserve, and a DNS change that deletes many records.
 * `confirm_site` confirms a reserve of which it is not certain that it shows the site: it is the `print` of the page that the
 * person has seen, and holds for that page alone.
 */
export const TransferInput = z.object({
  sourceDomainId: Id,
  targetDomainId: Id,
  plan: line(100).optional(),
  force: z.boolean().default(false),
  confirm_site: line(100).optional(),
});
export type TransferInput = z.output<typeof TransferInput>;

/** A thing that the reserve will use, and its origin: the reserve itself, or the main domain. */
export interface Used {
  name: string;
  of: 'target' | 'source';
}

/** A page as seen; `print` is a fingerprint to recognise it. The title is the page's own text. */
export interface SeenPage {
  address: string;
  status: number;
  title: string;
  print: string;
}

/** Facts about a reserve, for the decision whether a site may move there. Times are ISO in UTC. */
export interface Readiness {
  /** Verdict of the current list; `list_entry` is the entry that blocks it. */
  list: Verdict['status'];
  list_entry: string | null;
  /** The last HTTP check. */
  http: Pick<DomainRow, 'http_status_code' | 'http_error' | 'last_http_check_at'>;
  /** `missing`: it will be created; `unknown`: the CDN could not be asked. Else Cloudflare's own status. */
  zone: { status: string; name_servers: string[] };
  server: Used | null;
  account: Used | null;
  /** Whose page and template the site is made of; null: none is known, and the files on the server stay as they are. */
  site: Used['of'] | null;
  /** Whether the reserve already shows the site; null if the site is made here. */
  likeness: Likeness | null;
  /** The page that was compared; null if none was, or it did not answer. */
  seen: SeenPage | null;
  /** State of https for visitors: `issuing`: wait for it; `foreign`: never accepted; `unknown`: no answer yet. */
  certificate: 'good' | 'issuing' | 'foreign' | 'unknown';
  expired_at: string | null;
  expiring: boolean;
  /** Days since it came into the portfolio. */
  age_days: number;
}

/** An entry of a domain's history. `warning` is in the reader's language. */
export type TransferHistoryEntry<Text = string> = Pick<
  TransferHistoryRow,
  | 'id'
  | 'main_domain_id'
  | 'transfer_domain_id'
  | 'main_domain_name'
  | 'transfer_domain_name'
  | 'action'
  | 'operation_id'
  | 'outcome'
  | 'redirect_seen_at'
> & { created_at: string; warning: Text | null };
