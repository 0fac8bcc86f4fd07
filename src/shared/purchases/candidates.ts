import { z } from 'zod';
import type { RegistrarRow } from '../accounts/tables.ts';
import { MAX_TYPED } from '../hostname.ts';

/** The most names that a run asks a registrar about. */
export const MOST_CANDIDATES = 50;

/**
 * Objection to buying a name: it is in the portfolio (`held`) or was (`past`), is above or below a name of it (`related`), is on the
 * block list, or can't be registered (`invalid`). `new`: no objection is known.
 */
export type NameMark = 'new' | 'held' | 'past' | 'related' | 'blocked' | 'invalid';

/** Names to mark. */
export const MarksInput = z.object({ names: z.array(z.string().max(MAX_TYPED)).max(MOST_CANDIDATES) });

/** Why a candidate was not chosen. `unpriced`: its price is not known, or in another currency; `dear`: above the registrar's highest. */
export type LeftOutReason = 'taken' | 'premium' | 'unknown' | 'unpriced' | 'dear';

/** A decimal amount with its ISO 4217 currency. */
export interface Price {
  amount: string;
  currency: string;
}

/** A candidate that was not chosen. */
export interface LeftOut {
  domain_name: string;
  reason: LeftOutReason;
  price: Price | null;
}

/** The answer of a registrar about candidates. `chosen`: null if none can be bought; `left_out`: only names that were asked for. */
export interface Choice {
  chosen: { domain_name: string; price: Price } | null;
  left_out: LeftOut[];
}

/** The columns of a registrar that a choice needs. */
export type Seller = Pick<RegistrarRow, 'type' | 'highest_price'>;
