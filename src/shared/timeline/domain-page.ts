import type { DomainDetail } from '../portfolio/domains.ts';
import type { ReserveView } from '../transfers/reserve-states.ts';

/** The page of a domain. `reserves` are those of its project that a main domain could move to, the best first, `MOST_RESERVES` at most. */
export interface DomainPage {
  domain: DomainDetail;
  /** Since when it is blocked, as far as its checks are kept; null: it is not, or nobody knows. */
  blocked_since: string | null;
  /** Since when its site does not answer as it should, in the same way. */
  broken_since: string | null;
  reserves: ReserveView[];
  reserve_count: number;
  ready_count: number;
  /** The operation that moves it now, if the reader may open that; null: none. */
  moving: number | null;
  /** It is being moved now, whoever has begun that. */
  is_moving: boolean;
}

/** The most reserves that a page lists. */
export const MOST_RESERVES = 8;
