import { randomUUID } from 'node:crypto';
import type { NewItem } from '../../operations/flow.ts';
import { itemOn } from '../../operations/locks.ts';
import { listItemRows } from '../../operations/item-rows.ts';
import { askedBefore, enqueue, requeue } from '../../operations/queue.ts';
import { AppError } from '../../shared/errors.ts';
import type { Message } from '../../shared/i18n/index.ts';
import type { AutoBuyView } from '../../shared/purchases/auto-buy.ts';
import { isCurrency, toMinor } from '../../shared/purchases/money.ts';
import type { ReservePlan, ShownReserve } from '../../shared/purchases/reserves.ts';
import { DAY_MS } from '../../shared/time.ts';
import { SYSTEM, type Actor } from '../access/scope.ts';
import { registrarLane } from '../accounts/lanes.ts';
import { findTeamRow } from '../accounts/team.ts';
import type { RegistrarRow } from '../../shared/accounts/tables.ts';
import { findProject } from '../portfolio/projects.ts';
import { readAutoBuy } from './auto-buy.ts';
import { followsOf } from './bought-domain.ts';
import { readBudget } from './budget.ts';
import { findCandidate } from './candidates.ts';
import { refusalOfBudget } from './reserve.ts';
import { countReserves, hasMain, listGroupAccounts, listShortProjects, listUnfinishedRuns } from './reserve-rows.ts';

// A person waits; some services are asked name by name.
const PATIENCE_MS = { person: 60_000, automation: 10 * 60_000 };
// A run that could not buy is not repeated at once: what was wrong is for a person.
const AGAIN_AFTER_MS = 6 * 3_600_000;
// A registrar that could not be asked, or sold none of the names, is not asked at every turn.
const REFUSED_FOR_MS = 3_600_000;
const FINISH_AFTER_MS = 3_600_000;

/** The data of an item: a name as it was quoted when it was queued, and where it is to go. */
export interface NewReserve {
  domain_name: string;
  project_id: number;
  /** The owner of the project, to whom it is charged. */
  holder: number;
  registrar_id: number;
  group_id: number;
  price: { amount: string; currency: string };
  /** Nobody has asked for it: the settings have to be on. */
  is_automatic: boolean;
}

interface Chosen {
  plan: ReservePlan<Message>;
  reserve: NewReserve | null;
}

/** Returns why settings can't buy; null: they can. Being off and having no main hold the schedule back, not a person. */
async function refusalOf(settings: AutoBuyView, isAutomatic: boolean): Promise<Message | null> {
  const { project_id, registrars_id, cloudflare_groups_id, state } = settings;
  if (isAutomatic && state === 'off') return { key: 'auto_buy.off' };
  if (isAutomatic && !(await hasMain(project_id))) return { key: 'auto_buy.no_main' };
  if (registrars_id === null) return { key: 'auto_buy.no_registrar' };
  if (cloudflare_groups_id === null) return { key: 'auto_buy.no_group' };
  return (await listGroupAccounts(cloudflare_groups_id)).length === 0 ? { key: 'auto_buy.empty_group' } : null;
}

/**
 * Throws AppError where a reserve that was queued is not to be bought any more: the project is gone or another's, its settings
 * are off or have another registrar, or it has enough reserves besides what the operation itself buys.
 */
export async function requireShort(
  actor: Actor,
  { project_id, registrar_id, is_automatic }: NewReserve,
  operation_id: number,
): Promise<void> {
  await findProject(actor, project_id);
  const settings = await readAutoBuy(actor, project_id);
  const { wanted_reserves: wanted, registrars_id } = settings;
  const { ready, under_way } = await countReserves(project_id, operation_id);
  const enough: Message = { key: 'auto_buy.enough', params: { ready, under_way, wanted } };
  const moved: Message = { key: 'operation.plan_stale' };
  const refusal =
    (await refusalOf(settings, is_automatic)) ??
    (registrars_id === registrar_id ? null : moved) ??
    (ready + under_way >= wanted ? enough : null);
  if (refusal) throw new AppError('refused', refusal.key, refusal.params, { code: 'nothing_to_buy' });
}

async function choose(actor: Actor, projectId: number, seed: string, is_automatic = false): Promise<Chosen> {
  const { id: project_id, user_id } = await findProject(actor, projectId);
  const settings = await readAutoBuy(actor, project_id);
  const { registrars_id, cloudflare_groups_id, wanted_reserves: wanted, template } = settings;
  const { simulates, state } = await readBudget();
  const { ready, under_way } = await countReserves(project_id);
  const found = { project_id, wanted, ready, under_way, simulates, follows: await followsOf(project_id) };
  const none = { ...found, domain_name: null, price: null, currency: null, registrar: null, balance: null };
  const enough: Message = { key: 'auto_buy.enough', params: { ready, under_way, wanted } };
  const refusal =
    (await refusalOf(settings, is_automatic)) ??
    (state === 'off' ? ({ key: 'purchases.off' } as const) : ready + under_way >= wanted ? enough : null);
  if (refusal || registrars_id === null || cloudflare_groups_id === null) {
    return { plan: { ...none, refusal }, reserve: null };
  }
  const account = await findTeamRow<RegistrarRow>('registrars', registrars_id);
  const registrar = account.name;
  const balance = account.balance === null ? null : `${account.balance} ${account.balance_currency}`;
  const signal = AbortSignal.timeout(PATIENCE_MS[is_automatic ? 'automation' : 'person']);
  const { choice } = await findCandidate({ template, registrars_id, seed }, signal);
  if (!choice.chosen) {
    const nothing: Message = { key: 'auto_buy.nothing_free', params: { n: choice.left_out.length } };
    return { plan: { ...none, registrar, refusal: nothing }, reserve: null };
  }
  const { domain_name, price } = choice.chosen;
  return {
    plan: { ...found, domain_name, price: price.amount, currency: price.currency, registrar, balance, refusal: null },
    reserve: {
      domain_name,
      project_id,
      holder: user_id,
      registrar_id: registrars_id,
      group_id: cloudflare_groups_id,
      price,
      is_automatic,
    },
  };
}

// Equal for a plan and the run after it, and another one once an order has ended in whatever way, or the day is over.
const seedOf = async (projectId: number): Promise<string> => {
  const { ready, orders } = await countReserves(projectId);
  return `${projectId} ${new Date().toISOString().slice(0, 10)} ${ready} ${orders}`;
};

/** Returns why the budget has no room for a reserve; null: it has. */
async function refusalOfRoom(reserve: NewReserve): Promise<Message | null> {
  const { domain_name, project_id, holder, registrar_id, price } = reserve;
  const { amount, currency } = price;
  const minor = isCurrency(currency) ? toMinor(amount, currency) : null;
  if (!isCurrency(currency) || minor === null) return null;
  const { day } = await readBudget();
  return refusalOfBudget({ domain_name, project_id, user_id: holder, registrar_id }, { currency, price: minor }, day);
}

/**
 * Returns what a run would buy for a project of the actor's now, at what price, and whether the budget has room for it. Asks the registrar;
 * nothing is written. Throws AppError `not_found`, and the failures of the registrar.
 */
export async function planReserve(actor: Actor, projectId: number): Promise<ReservePlan<Message>> {
  const { plan, reserve } = await choose(actor, projectId, await seedOf(projectId));
  return reserve ? { ...plan, refusal: await refusalOfRoom(reserve) } : plan;
}

const itemOf = (data: NewReserve): NewItem => ({
  ...itemOn({ kind: 'domain', name: data.domain_name }),
  ...registrarLane(data.registrar_id),
  data,
});

const KIND = 'buy_reserve';

/** Returns the run that a client has started by this key before; null: none. Throws AppError `conflict` where it was to buy something else. */
async function startedBy(
  actor: Actor,
  projectId: number,
  { shown, idem_key }: Pick<StartOptions, 'shown' | 'idem_key'>,
): Promise<number | null> {
  if (idem_key === undefined) return null;
  const asked = await askedBefore({ kind: KIND, user_id: actor.id, idem_key });
  if (!asked) return null;
  const [item] = await listItemRows(asked.id);
  const isSame = asked.subject === String(projectId) && (!shown || item?.lock_name === shown.domain_name);
  if (!isSame) throw new AppError('conflict', 'operation.key_reused');
  return asked.id;
}

interface StartOptions {
  shown?: ShownReserve;
  here?: boolean;
  asked_by?: 'automation';
  idem_key?: string | undefined;
}

/**
 * Queues the purchase of one reserve for a project, with zone, name servers, records and site. One run at a time for a project.
 * The run that `idem_key` has started before is returned, though it has ended by now. Throws AppError `not_found`; `refused` with the
 * reason why nothing is bought; `conflict` (`plan_stale`) where it is not what was `shown`; `busy` while a run of the project goes on.
 */
export async function startReserve(
  actor: Actor,
  projectId: number,
  { shown, here = false, asked_by, idem_key }: StartOptions = {},
): Promise<{ id: number; started: boolean }> {
  const before = await startedBy(actor, projectId, { ...(shown && { shown }), idem_key });
  if (before !== null) return { id: before, started: false };
  const seed = asked_by ? randomUUID() : await seedOf(projectId);
  const { plan, reserve } = await choose(actor, projectId, seed, asked_by !== undefined);
  if (!reserve) {
    const { key, params } = plan.refusal ?? { key: 'auto_buy.off' };
    throw new AppError('refused', key, params, { code: 'nothing_to_buy' });
  }
  const isSame =
    !shown || (['domain_name', 'price', 'currency'] as const).every((field) => shown[field] === plan[field]);
  if (!isSame) throw new AppError('conflict', 'operation.plan_stale', {}, { code: 'plan_stale' });
  return enqueue(
    {
      kind: KIND,
      subject: String(projectId),
      user_id: actor.id,
      input: {},
      message: { key: 'auto_buy.buying', params: { domain: reserve.domain_name } },
      items: [itemOf(reserve)],
      ...(asked_by && { asked_by }),
      idem_key,
    },
    here,
  );
}

type OnRefused = (projectId: number, reason: AppError) => void;

/** Tries the runs again that have paid for a name and not made it ready: every hour, for a day. */
async function finishRuns(onRefused: OnRefused): Promise<void> {
  const ago = (ms: number): string => new Date(Date.now() - ms).toISOString();
  for (const { id, project_id } of await listUnfinishedRuns(ago(DAY_MS), ago(FINISH_AFTER_MS))) {
    try {
      await requeue(id);
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      onRefused(project_id, error);
    }
  }
}

/**
 * Returns the work that starts a run for each project that is short of reserves, and tries those again that left a paid name
 * without zone or site. It buys nothing while no caps are set or purchases are off, leaves a project alone for six hours after a
 * run whose name is still a reserve, and for one where none began: `onRefused` gets why.
 */
export function reserveBuyer(onRefused: OnRefused): () => Promise<void> {
  const refusedUntil = new Map<number, number>();
  return async () => {
    await finishRuns(onRefused);
    const { simulates, state } = await readBudget();
    if (simulates || state === 'off') return;
    const since = new Date(Date.now() - AGAIN_AFTER_MS).toISOString();
    for (const { id } of await listShortProjects(since)) {
      if ((refusedUntil.get(id) ?? 0) > Date.now()) continue;
      try {
        await startReserve(SYSTEM, id, { asked_by: 'automation' });
      } catch (error) {
        if (!(error instanceof AppError)) throw error;
        refusedUntil.set(id, Date.now() + REFUSED_FOR_MS);
        onRefused(id, error);
      }
    }
  };
}
