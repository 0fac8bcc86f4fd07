import { z } from 'zod';
import type { Message } from '../i18n/index.ts';
import { Id, line } from '../text.ts';
import { MOST_RENEWED } from './renewal-sums.ts';

/** The domains to renew. */
export const RenewalPlanInput = z.object({ ids: z.array(Id).min(1).max(MOST_RENEWED) });

/** The domains to renew for a year, each with the price and the date that were shown: another price or date is refused. */
export const RenewalInput = z.object({
  domains: z
    .array(z.object({ id: Id, price: line(40), currency: line(3), expires_at: line(40) }))
    .min(1)
    .max(MOST_RENEWED),
});
export type RenewalInput = z.output<typeof RenewalInput>;

/**
 * Quote for a renewal of one year. `refusal` says why it can't be made now; `expires_at` is what the registrar tells,
 * `expires_day` and `renewed_day` are the days before and after the renewal as the registry counts them. `Text` is Message in services and text at the doors.
 */
export interface RenewalQuote<Text = string> {
  id: number;
  domain_name: string;
  registrar: string | null;
  registrar_type: string | null;
  expires_at: string | null;
  expires_day: string | null;
  renewed_day: string | null;
  price: string | null;
  currency: string | null;
  /** Of the account, with its currency. */
  balance: string | null;
  refusal: Text | null;
}

/** The renewals that were looked at. `simulates`: no cap is set, nothing is paid. `left` is what today's cap for all still allows, before them. */
export interface RenewalPlan<Text = string> {
  simulates: boolean;
  quotes: RenewalQuote<Text>[];
  left: { currency: string; amount: string }[];
}

/** Puts the refusals of a plan into the reader's language. */
export const renderRenewals = (
  render: (message: Message) => string,
  { quotes, ...plan }: RenewalPlan<Message>,
): RenewalPlan => ({
  ...plan,
  quotes: quotes.map((quote) => ({ ...quote, refusal: quote.refusal && render(quote.refusal) })),
});
