import type { z } from 'zod';
import { shownValue } from '../../../db/audit.ts';
import type { AuditEntry } from '../../shared/audit/audit.ts';
import { AppError, notFound } from '../../shared/errors.ts';
import { PositionSettings } from '../../shared/positions/settings.ts';
import { AutoBuyInput } from '../../shared/purchases/auto-buy.ts';
import { BudgetInput, CapInput, SwitchInput } from '../../shared/purchases/purchases.ts';
import { ScheduleInput } from '../../shared/system/schedules.ts';
import type { Actor } from '../access/scope.ts';
import { readSettings as readPositions, storeSettings as storePositions } from '../positions/settings.ts';
import { readAutoBuy, storeAutoBuy } from '../purchases/auto-buy.ts';
import { readBudget, setBudget, switchPurchases } from '../purchases/budget.ts';
import { findScheduleRow } from './schedule-rows.ts';
import { DEFAULTS, requireJob, setSchedule } from './schedules.ts';

/** Values of an object by the names of its fields. */
export type Values = Readonly<Record<string, unknown>>;

/** Settings that are no rows of the table editor: how they are read and written, by their noun's own service. */
interface Settings {
  /** The fields that can be given back. */
  fields: readonly string[];
  /** Returns the values before a change without `before` in the audit; undefined: such a change can't be given back. */
  first?: (entry: AuditEntry) => Values;
  read: (actor: Actor, entry: AuditEntry) => Promise<Values | undefined>;
  /** Gets the fields that change, with their former values; `now` has all of them as they are. */
  write: (actor: Actor, entry: AuditEntry, former: Values, now: Values) => Promise<unknown>;
}

const cannot = (): AppError => new AppError('conflict', 'log.not_given_back', {}, { code: 'not_given_back' });

/** Returns values by the shape of their noun, which may have become narrower since they were stored. */
function shaped<Shape extends z.ZodType>(shape: Shape, values: object): z.output<Shape> {
  const parsed = shape.safeParse(values);
  if (!parsed.success) throw cannot();
  return parsed.data;
}

const idOf = ({ object_id }: AuditEntry): number => object_id ?? 0;
/** Returns a side of an audit entry by its fields; empty: there is none. */
export const valuesOf = (side: unknown): Values => (typeof side === 'object' && side !== null ? (side as Values) : {});

const CAP = ['scope', 'scope_id', 'currency'] as const;

async function readCap(entry: AuditEntry): Promise<Values> {
  const of = valuesOf(entry.after);
  const cap = (await readBudget()).caps.find((one) => CAP.every((name) => one[name] === of[name]));
  return { amount: cap?.amount ?? null };
}

async function writeBudget({ state, ...limits }: Values): Promise<void> {
  if (state !== undefined) await switchPurchases(shaped(SwitchInput, { state }).state);
  if (Object.keys(limits).length > 0) await setBudget(shaped(BudgetInput, limits));
}

const RULE = [
  'active',
  'cron',
  'interval_minutes',
  'zone',
  'jitter_seconds',
  'quiet_from',
  'quiet_until',
  'keep',
] as const;

async function writeSchedule(actor: Actor, { object_name }: AuditEntry, former: Values): Promise<void> {
  const active = 'active' in former ? { active: Boolean(former['active']) } : {};
  await setSchedule(actor, object_name ?? '', shaped(ScheduleInput, { ...former, ...active }));
}

const SETTINGS: Readonly<Record<string, Settings>> = {
  auto_buy: {
    fields: ['template', 'registrars_id', 'cloudflare_groups_id', 'state', 'wanted_reserves'],
    read: async (actor, entry) => ({ ...(await readAutoBuy(actor, idOf(entry))) }),
    write: (actor, _, former, now) => storeAutoBuy(actor, shaped(AutoBuyInput, { ...now, ...former })),
  },
  position_settings: {
    fields: ['yandex_region', 'google_region', 'device', 'depth', 'daily_cap', 'every_days', 'source'],
    read: async (actor, entry) => ({ ...(await readPositions(actor, idOf(entry))) }),
    write: (actor, entry, former, now) =>
      storePositions(actor, idOf(entry), shaped(PositionSettings, { ...now, ...former })),
  },
  budget_settings: {
    fields: ['state', 'names_day', 'names_project', 'pause_minutes'],
    read: async () => ({ ...(await readBudget()) }),
    write: (_actor, _entry, former) => writeBudget(former),
  },
  budget_caps: {
    fields: ['amount'],
    first: () => ({ amount: null }),
    read: (_, entry) => readCap(entry),
    write: (_, entry, { amount }) =>
      setBudget({ caps: [shaped(CapInput, { ...valuesOf(entry.after), amount: amount ?? null })] }),
  },
  schedules: {
    fields: RULE,
    first: ({ object_name }) => {
      const { active, ...rule } = DEFAULTS[requireJob(object_name ?? '')];
      return { ...rule, active: Number(active), keep: null };
    },
    read: async (_, { object_name }) => {
      const row = await findScheduleRow(requireJob(object_name ?? ''));
      return row && { ...row };
    },
    write: writeSchedule,
  },
};

const isSame = (one: unknown, other: unknown): boolean => (one ?? null) === (other ?? null);

/** Returns the former values of the fields that a change has changed. */
function formerOf({ fields, first }: Settings, entry: AuditEntry): Values {
  const before = entry.before === null && first ? first(entry) : valuesOf(entry.before);
  const after = valuesOf(entry.after);
  return Object.fromEntries(
    fields.filter((name) => name in after && !isSame(before[name], after[name])).map((name) => [name, before[name]]),
  );
}

/** Returns how an entry's settings are given back; undefined: it is not about settings, or its change can't be given back. */
function settingsOf(entry: AuditEntry): Settings | undefined {
  const { object, action } = entry;
  const settings = Object.hasOwn(SETTINGS, object) ? SETTINGS[object] : undefined;
  if (!settings || (action !== 'update' && !settings.first)) return undefined;
  const isChange = action === 'update' || action === 'create' || action === 'delete';
  return isChange && entry.operation_id === null && Object.keys(formerOf(settings, entry)).length > 0
    ? settings
    : undefined;
}

/** Whether an entry is a change of settings that can be given back: the budget, caps, auto-buy, positions, schedules. */
export const canGiveSettingsBack = (entry: AuditEntry): boolean => settingsOf(entry) !== undefined;

/**
 * Gives settings the values back that they had before a change, inside a transaction. Throws AppError `conflict`, also (`stale`) where
 * they have changed since; `not_found`; and as the service.
 */
export async function giveSettingsBack(actor: Actor, entry: AuditEntry): Promise<Values> {
  const settings = settingsOf(entry);
  if (!settings) throw cannot();
  const now = await settings.read(actor, entry);
  if (!now) throw notFound();
  const former = formerOf(settings, entry);
  const made = valuesOf(entry.after);
  const isStale = Object.keys(former).some((name) => !isSame(shownValue(now[name]), made[name]));
  if (isStale) throw new AppError('conflict', 'tables.stale', {}, { code: 'stale' });
  await settings.write(actor, entry, former, now);
  return former;
}
