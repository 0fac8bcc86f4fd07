import { z } from 'zod';
import type { Message, Render } from '../i18n/index.ts';
import { capital } from '../capital.ts';
import type { TrendName, TriageKind } from './kinds.ts';

/** The common cause of an item's names. */
export interface TriageCause {
  kind: 'server' | 'account' | 'layer' | 'registrar';
  name: string;
  /** How many names of the caller's have this in common, those that are well as well. */
  of: number;
}

/** The one act of an item; its words are those of the interface. */
export type TriageAct =
  /** `target_id` is the reserve that is ready; null: none is. */
  | { kind: 'transfer'; id: number; target_id: number | null }
  | { kind: 'domain'; id: number }
  | { kind: 'buy'; project_id: number }
  /** `key` is that of the item. */
  | { kind: 'check'; key: string }
  | { kind: 'renew'; ids: number[] }
  | { kind: 'list'; list: 'expired' }
  | { kind: 'purchase'; state: string }
  /** `of` is the kind of its work. */
  | { kind: 'operation'; id: number; of: string };

/** A name of an item. */
export interface TriageName {
  id: number;
  domain_name: string;
  unicode_name: string;
  project_name: string | null;
}

/** One decision. `Text` is Message in services and text at the doors. */
export interface TriageItem<Text = string> {
  /** The same for the same thing at every reading. */
  key: string;
  kind: TriageKind;
  cause: TriageCause | null;
  /** Its names: two at most. */
  names: TriageName[];
  /** How many names it concerns; 0: it is about none of the portfolio. */
  count: number;
  /** Subject of an item without names; null: it has names. */
  title: Text | null;
  /** Why it is here. */
  text: Text;
  /** Why automatic transfer has declined it; null: it has not. */
  declined: Text | null;
  /** Price of a purchase, as a decimal amount; null for other kinds. */
  price: { amount: string; currency: string } | null;
  act: TriageAct;
  /** Since when it is so, or when it ends; null: not known. */
  since: string | null;
}

/** How many items of a kind there are, those that are left out as well, and how many names they concern. */
export interface TriageCount {
  items: number;
  names: number;
}

/** Something that was repaired: `count` names within ten minutes, of which one is told; `to` is the domain that a site moved to. */
export interface Repair {
  kind: 'up' | 'unblocked' | 'moved';
  name: string;
  to: string | null;
  server: string | null;
  count: number;
  at: string;
}

/**
 * A value for each of the days, the oldest first; null: nothing is known of that day. `total` is their sum, of the time to repair the median in seconds over
 * all days; null: nothing is known.
 */
export interface Trend {
  values: (number | null)[];
  total: number | null;
}

/** The dashboard's answer to "what is to be done". `names` and `all` are numbers of domains; `days` are those of the trends (UTC). */
export interface Triage<Text = string> {
  items: TriageItem<Text>[];
  total: number;
  names: number;
  all: number;
  counts: Record<TriageKind, TriageCount>;
  repaired: { since: string; counts: Record<Repair['kind'], number>; list: Repair[] };
  days: string[];
  trends: Record<TrendName, Trend>;
}

/** Puts the messages of a triage into a language. */
export const renderTriage = (render: Render, { items, ...rest }: Triage<Message>): Triage => ({
  ...rest,
  items: items.map(({ title, text, declined, ...item }) => ({
    ...item,
    title: title && render(title),
    text: render(text),
    // It follows the text as a sentence of its own.
    declined: declined && capital(render(declined)),
  })),
});

/** Names to check again, by the key of an item: one name, or all behind a cause that do not answer. */
export const CheckAgainInput = z.object({
  key: z
    .string()
    .max(60, 'error.too_long')
    .regex(/^(?:server|account|domain):[1-9]\d{0,14}$|^layer:[a-z_]{1,40}$/, 'triage.unknown_key'),
});
export type CheckAgainInput = z.output<typeof CheckAgainInput>;
