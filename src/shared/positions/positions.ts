import type { Device, Engine, Source } from '../engines.ts';
import type { KeywordView } from './keywords.ts';

/** Positions as the contract has them: `values[d][k]` is a place, 0 not within the depth, null no check. */
export interface PositionGrid {
  /** `YYYY-MM-DD`, oldest first. */
  dates: string[];
  values: (number | null)[][];
}

/** An event of a project's main domains. */
export interface PositionEvent {
  date: string;
  kind: 'moved' | 'blocked' | 'freed';
  /** The domain; the one that was left, in a move. */
  domain_name: string;
  /** The domain that was moved to; null in other events. */
  to_name: string | null;
}

/**
 * The positions of a project: on each day those of the domains that were its mains then, the best place of them. `days` are all
 * days with a check or a failed one.
 */
export interface ProjectPositions extends PositionGrid {
  engine: Engine;
  region: string;
  device: Device;
  keywords: KeywordView[];
  /** By date and keyword as `values`: how many places were read; null: no check. */
  depths: (number | null)[][];
  /** Addresses that were found, referred to by their index. */
  pages: string[];
  /** By date and keyword: the index of the found address in `pages`; null: none. */
  found: (number | null)[][];
  /** By date and keyword: whether another address stands there than the one that is wanted. */
  rivals: boolean[][];
  events: PositionEvent[];
}

/** How the new main of a project has recovered after a move. */
export interface MoveRecovery {
  id: number;
  project_id: number;
  project_name: string;
  main_domain_name: string;
  transfer_domain_name: string;
  /** `YYYY-MM-DD`. */
  moved_on: string;
  /** Percent of the former main's visibility on the last day that was read; null: not known. */
  recovered: number | null;
  /** The same by day since the move. */
  curve: (number | null)[];
}

/** The highest cost of a reading, and the balance and cap that it is paid from. */
export interface FetchCost {
  /** The service that reads. */
  source: Source;
  requests: number;
  /** A decimal text; null where it is not known. */
  price: string | null;
  /** Of price and balance. */
  currency: 'RUB' | 'limits';
  balance: string | null;
  /** Requests that the cap of the day leaves. */
  left_today: number;
  has_account: boolean;
  /** The operation that reads them now; null: none does. */
  operation_id: number | null;
}

/** Spending of an account in a week. `lasts_days`: days that its balance lasts at that rate; null: not known, or nothing was spent. */
export interface AccountSpending {
  /** Accounts of each have ids of their own. */
  source: Source;
  id: number;
  requests_week: number;
  lasts_days: number | null;
}

/** The results of a keyword on a day; `urls` is null once they are too old, `own` are the places of the project's domains. */
export interface SearchReading {
  date: string;
  depth: number;
  source: string;
  checked_at: string;
  urls: string[] | null;
  own: { place: number; domain_name: string }[];
}

/** A keyword that an operation could not read; `Text` is Message in services and text at the doors. */
export interface OpenKeyword<Text = string> {
  keyword: string;
  engine: Engine;
  /** The service that did not tell. */
  source: Source;
  error: Text;
}

/** The most paid requests of a project a day, of which so many were made today, in UTC. */
export interface PositionCap {
  id: number;
  name: string;
  daily_cap: number;
  used: number;
  left: number;
}
