import {
  audited,
  flag,
  id,
  integer,
  json,
  machine,
  optional,
  reference,
  table,
  text,
  time,
  type Row,
} from '../table.ts';
import type { PurchaseKind } from './purchases.ts';
import type { PurchaseState } from './states.ts';

/**
 * The purchases table: the ledger. Sums are whole numbers of the currency's smallest unit, `price` for all `years`. `user_id` is who it
 * is charged to, `asker_id` who asked (null: the schedule, or the command line on the host). `periods` are the ids, as JSON, of the
 * budget_periods that hold its money; `day` is theirs. `look_at` is when an order whose end is open is looked up next: null while it
 * waits for a person. `absent_at` is the first complete list without the name. `error` is a Message, `evidence` a list of them as JSON.
 */
export const purchases = table('purchases', audited('domain_name'), {
  id: id(),
  kind: text<PurchaseKind>(),
  domain_name: text(),
  state: text<PurchaseState>(),
  registrar_id: optional(reference('registrars', 'SET NULL')),
  registrar_type: text(),
  project_id: optional(reference('projects', 'SET NULL')),
  user_id: optional(reference('users', 'SET NULL')),
  asker_id: optional(reference('users', 'SET NULL')),
  asked_by: text<'person' | 'automation'>(),
  operation_id: optional(reference('operations', 'SET NULL')),
  domain_id: optional(reference('domains', 'SET NULL')),
  years: integer(),
  currency: text(),
  price: integer(),
  /** The cap per name when it was reserved. */
  cap: optional(integer()),
  charged: optional(integer()),
  periods: json(),
  day: text(),
  reference: text(),
  order_id: optional(text()),
  /** Of a renewal: the expiry before it. */
  expires_before: optional(time()),
  balance_before: optional(text()),
  sent_at: optional(time()),
  look_at: optional(time()),
  looks: integer(),
  absent_at: optional(time()),
  error: optional(json()),
  evidence: json(),
  approver_id: optional(reference('users', 'SET NULL')),
  approved_at: optional(time()),
  resolver_id: optional(reference('users', 'SET NULL')),
  resolved_at: optional(time()),
  created_at: time(),
  changed_at: time(),
});
export type PurchaseRow = Row<typeof purchases>;

/**
 * The budget_caps table: sums for a day of a `scope` (`all`, `registrar`, `project`, `user`), and those of one purchase: `name` is the
 * highest price of one, above `approval` a second admin approves. `scope_id` is 0 where the scope has one member.
 */
export const budgetCaps = table('budget_caps', audited(null), {
  id: id(),
  scope: text<'all' | 'registrar' | 'project' | 'user' | 'name' | 'approval'>(),
  scope_id: integer(),
  currency: text(),
  amount: integer(),
  changed_at: time(),
});
export type BudgetCapRow = Row<typeof budgetCaps>;

/** The budget_periods table: what is held and spent on a day of UTC. `beyond` was charged above a quote, and counts against the cap. */
export const budgetPeriods = table('budget_periods', machine('sums over purchases, which are audited'), {
  id: id(),
  scope: text<'all' | 'registrar' | 'project' | 'user'>(),
  scope_id: integer(),
  currency: text(),
  day: text(),
  cap: optional(integer()),
  reserved: integer(),
  spent: integer(),
  beyond: integer(),
});
export type BudgetPeriodRow = Row<typeof budgetPeriods>;

/**
 * The budget_settings table: one row, with the id 1, once something was set or held. `state` is the switch of all purchases, `reason` a
 * Message as JSON. `switched_by` is a login, as the audit has it: null where the ledger itself has switched purchases off. `last_day` is
 * the highest day seen: a clock that is set back opens no budget again.
 */
export const budgetSettings = table(
  'budget_settings',
  audited(null, ['last_day', 'changed_at', 'switched_at', 'switched_by']),
  {
    id: id(),
    state: text<'on' | 'off'>(),
    reason: optional(json()),
    changed_at: optional(time()),
    names_day: integer(),
    names_project: integer(),
    pause_minutes: integer(),
    last_day: text(),
    switched_at: optional(time()),
    switched_by: optional(text()),
  },
);
export type BudgetSettingsRow = Row<typeof budgetSettings>;

/** The auto_buy table: how reserves of a project are bought, a row for each project that has settings. */
export const autoBuy = table(
  'auto_buy',
  audited(null, ['updated_at']),
  {
    project_id: reference('projects', 'CASCADE'),
    template: text(),
    /** Null: it was deleted since, or none was chosen. */
    registrars_id: optional(reference('registrars', 'SET NULL')),
    cloudflare_groups_id: optional(reference('cloudflare_groups', 'SET NULL')),
    state: text<'on' | 'off'>(),
    /** The number of ready reserves that there should be. */
    wanted_reserves: integer(),
    updated_at: time(),
  },
  { key: ['project_id'] },
);
export type AutoBuyRow = Row<typeof autoBuy>;

/** The reserve_looks table: whether a project had a ready reserve when that was looked at last. A change of it is told. */
export const reserveLooks = table(
  'reserve_looks',
  machine('what was last seen of the domains of a project'),
  { project_id: reference('projects', 'CASCADE'), ready: flag() },
  { key: ['project_id'] },
);
