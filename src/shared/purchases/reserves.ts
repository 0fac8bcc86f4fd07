import { z } from 'zod';
import type { Message, Render } from '../i18n/index.ts';

/**
 * The purchase that a run would make for a project. `price` is a decimal text in `currency`; `balance`: `12.50 RUB`,
 * what the registrar's account had when it was last read, null: not known; `simulates`: no caps are set, so nothing is bought. `follows` is what is made after it:
 * zone, name servers and the project's site; zone and name servers alone, as that site was not made here; or nothing, as no server is known.
 */
export interface ReservePlan<Text = string> {
  project_id: number;
  wanted: number;
  ready: number;
  under_way: number;
  domain_name: string | null;
  price: string | null;
  currency: string | null;
  registrar: string | null;
  balance: string | null;
  simulates: boolean;
  follows: 'site' | 'zone' | 'nothing';
  /** Why nothing would be bought; null: it would. */
  refusal: Text | null;
}

/** Puts the message of a plan into a language. */
export const renderReservePlan = (render: Render, plan: ReservePlan<Message>): ReservePlan => ({
  ...plan,
  refusal: plan.refusal && render(plan.refusal),
});

const shown = z.string('auto_buy.shown_missing').min(1, 'auto_buy.shown_missing').max(300, 'error.too_long');

/** The name and the price that a person has seen in the plan and agrees to. */
export const ShownReserve = z.object({ domain_name: shown, price: shown, currency: shown });
export type ShownReserve = z.infer<typeof ShownReserve>;
