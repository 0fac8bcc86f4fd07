import { messageFor } from '../../operations/failure.ts';
import type { Flow, ItemWork, StepContext, StepOutcome } from '../../operations/flow.ts';
import { listItemRows } from '../../operations/item-rows.ts';
import { itemFlow } from '../../operations/items.ts';
import { endingOf } from '../../operations/lease.ts';
import type { OperationRow } from '../../shared/operations/tables.ts';
import type { Message } from '../../shared/i18n/index.ts';
import { actorOf, guarded } from '../access/ownership.ts';
import { runToEnd } from '../operations/foreground.ts';
import { findFailure } from '../operations/rows.ts';
import { findDnsChangeUnderWay, mayHaveZone, startDnsChange } from '../dns/change.ts';
import { openZones } from '../dns/zones.ts';
import { startDeploy } from '../sites/deploys.ts';
import { keepSite, siteOf } from '../sites/sites.ts';
import { purchaseActs } from './acts.ts';
import { findDomainNamed } from './domain-rows.ts';
import { findProjectMain, listGroupAccounts, type ProjectMain } from './reserve-rows.ts';
import { requireShort, type NewReserve } from './reserves.ts';
import { tellPurchases } from './holds.ts';
import { openShop, type Shop } from './shop.ts';

const LEFT: Message = { key: 'auto_buy.left' };

/** Buys the name. It must still be wanted when the money is held; what is paid for is finished whatever comes. */
const reserveWork: ItemWork<Shop, NewReserve> = {
  open: (_lane, items) => openShop(items[0]?.lane_id ?? 0),
  // A service refuses a second payment while one runs.
  atOnce: 1,
  acts: ({ operation_id, data, user_id }, shop) => {
    const { domain_name, project_id, holder, registrar_id, price, is_automatic } = data;
    const check = async (): Promise<void> => requireShort(await actorOf(user_id), data, operation_id);
    const [first, ...rest] = purchaseActs(
      {
        kind: 'register',
        domain_name,
        project_id,
        user_id: holder,
        asker_id: user_id,
        asked_by: is_automatic ? 'automation' : 'person',
        operation_id,
        years: 1,
        expires_before: null,
        registrar_id,
        offer: { state: 'free', price },
      },
      shop,
      check,
    );
    return [...guarded(first ? [first] : [], check), ...rest];
  },
};

/** A name that is paid for, and its row. */
interface Bought extends NewReserve {
  domain_id: number;
}

async function boughtBy(id: number): Promise<Bought | null> {
  const [row] = await listItemRows(id);
  if (!row || (row.state !== 'done' && row.state !== 'noop')) return null;
  const data = JSON.parse(row.data) as NewReserve;
  const domain = await findDomainNamed(data.domain_name);
  // Somebody has taken it out of the project meanwhile, or has added the name for another one while it was being paid.
  return domain?.project_id === data.project_id ? { ...data, domain_id: domain.id } : null;
}

/** Sees an operation to its end. Returns its error, that of its failed item where there is one; null: it went well. */
async function endOf(id: number, { signal, cancelled }: StepContext): Promise<Message | null> {
  // A part of this run: what stopped it has stopped the part as well, and they go on together.
  const ended = await runToEnd(id, { signal, cancelled, byPerson: true });
  if (ended === null) return LEFT;
  if (ended.state === 'succeeded') return null;
  return JSON.parse((await findFailure(id)) ?? ended.message) as Message;
}

interface Place {
  account_id: number;
  /** The zone is there. */
  has: boolean;
  pending: number;
}

/** The accounts of a group that answer, the best first; the others (`silent`), and why the last of them does not. */
interface Places {
  places: Place[];
  silent: number[];
  failure: Message | null;
}

/** Looks for the zone in every account of a group, and counts their pending zones. */
async function placesFor(group_id: number, name: string, signal: AbortSignal): Promise<Places> {
  const places: Place[] = [];
  const silent: number[] = [];
  let failure: Message | null = null;
  for (const account_id of await listGroupAccounts(group_id)) {
    try {
      const { client } = await openZones(account_id, [], { signal });
      const has = (await client.findZone(name)) !== null;
      const zones = has ? [] : await client.listZones();
      places.push({ account_id, has, pending: zones.filter(({ status }) => status === 'pending').length });
    } catch (error) {
      signal.throwIfAborted();
      const reason = messageFor(error);
      if (!reason) throw error;
      failure = reason;
      silent.push(account_id);
    }
  }
  const rank = ({ has, pending }: Place): number => (has ? -1 : pending);
  return { places: places.toSorted((one, other) => rank(one) - rank(other)), silent, failure };
}

/** Names an operation that a run starts: the same after a crash, another one when the run is tried again. */
const keyOf = ({ id, tries }: OperationRow, part: string): string => `reserve ${id}.${tries} ${part}`;

/**
 * Ends the changes that this run has begun before a crash. Until then the zone of one may appear at any moment, after an account
 * was asked for it: another account would be chosen. Returns whether all have ended: a run that is cancelled waits for none.
 */
async function endBegun({ domain_name, group_id }: Bought, context: StepContext): Promise<boolean> {
  for (const account_id of await listGroupAccounts(group_id)) {
    const id = await findDnsChangeUnderWay(account_id, domain_name);
    if (id !== undefined && (await endOf(id, context)) === LEFT) return false;
  }
  return true;
}

/** Whether the run was cancelled. It is read: what begins now would be done before the heartbeat tells. */
async function isCancelled({ operation, cancelled, giveUp }: StepContext): Promise<boolean> {
  if ((await endingOf(operation.id)) !== null) giveUp();
  return cancelled.aborted;
}

/** Makes zone, records, TLS and name servers in the first account that takes the zone. */
async function pointBought(bought: Bought, main: ProjectMain, context: StepContext): Promise<Message | null> {
  const { domain_name, group_id } = bought;
  const { signal, operation } = context;
  if (!(await endBegun(bought, context))) return LEFT;
  const { places, silent, ...found } = await placesFor(group_id, domain_name, signal);
  // An account that does not answer may have the zone of an earlier try: another one would be a second.
  if (found.failure && (await mayHaveZone(silent, domain_name))) return found.failure;
  let failure: Message | null = found.failure ?? { key: 'auto_buy.empty_group' };
  for (const { account_id } of places) {
    const input = {
      accountId: account_id,
      domainName: domain_name,
      ipAddress: main.ssh_host,
      tls: 'on',
      updateNs: 'on',
    } as const;
    const idem_key = keyOf(operation, String(account_id));
    if (await isCancelled(context)) return LEFT;
    try {
      const { id } = await startDnsChange(
        await actorOf(operation.user_id),
        { ...input, plan: undefined },
        { idem_key, here: true, isNew: true },
      );
      failure = await endOf(id, context);
      // No other account knows it either.
      if (failure?.key === 'dns.zone_unregistered') return failure;
    } catch (error) {
      const reason = messageFor(error);
      if (!reason) throw error;
      failure = reason;
    }
    if (failure === null) return null;
    // After the zone was created no other account is tried: that would create a second zone.
    // Nor if an account can't be asked: the zone may be there.
    const made = await placesFor(group_id, domain_name, signal);
    if (made.failure || made.places.some(({ has }) => has)) return failure;
  }
  return failure;
}

async function prepareDns(context: StepContext): Promise<StepOutcome> {
  const bought = await boughtBy(context.operation.id);
  if (!bought) return {};
  const main = await findProjectMain(bought.project_id);
  if (!main) return { error: { key: 'auto_buy.no_server', params: { domain: bought.domain_name } } };
  const error = await pointBought(bought, main, context);
  return error ? { error } : {};
}

/** Puts a site on the reserve where the project's main domain has one that was made of a template; says so where it has none. */
async function prepareSite(context: StepContext): Promise<StepOutcome> {
  const { operation } = context;
  const bought = await boughtBy(operation.id);
  const main = bought && (await findProjectMain(bought.project_id));
  if (!bought || !main) return {};
  if (main.has_site === 0)
    return { note: { key: 'auto_buy.no_site', params: { domain: bought.domain_name, main: main.domain_name } } };
  if (await isCancelled(context)) return { error: LEFT };
  try {
    const site = await siteOf(main.id);
    if (site && !(await siteOf(bought.domain_id))) await keepSite(bought.domain_id, site);
    const how = { idem_key: keyOf(operation, 'site'), here: true };
    const { id } = await startDeploy(await actorOf(operation.user_id), bought.domain_id, how);
    const error = await endOf(id, context);
    return error ? { error } : {};
  } catch (error) {
    const reason = messageFor(error);
    if (!reason) throw error;
    return { error: reason };
  }
}

const purchaseFlow = itemFlow('buy_reserve', reserveWork);

/**
 * The flow that buys a reserve and makes it ready: the purchase by the ledger, then the DNS change and the deployment as
 * operations of their own, found again by their keys after a crash. A name that is paid for is in the portfolio whatever fails then.
 */
export const reserveFlow: Flow = {
  ...purchaseFlow,
  // Registries and name servers take their time.
  slow: true,
  tells: tellPurchases,
  steps: (operation) => [
    ...purchaseFlow.steps(operation),
    { name: 'dns', again: true, run: prepareDns },
    { name: 'site', again: true, run: prepareSite },
  ],
  finished: async ({ id }) => {
    const bought = await boughtBy(id);
    return bought ? { key: 'auto_buy.bought', params: { domain: bought.domain_name } } : { key: 'auto_buy.not_bought' };
  },
};
