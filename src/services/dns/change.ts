import { transaction } from '../../../db/index.ts';
import { findRow } from '../../../db/rows.ts';
import type { Config } from '../../lib/config.ts';
import { zoneNameOf } from '../../lib/zone-name.ts';
import { messageFor } from '../../operations/failure.ts';
import type { Act, Flow, Item, ItemWork, NewItem, OwnRow, StepContext, StepOutcome } from '../../operations/flow.ts';
import { listItemRows } from '../../operations/item-rows.ts';
import { itemFlow } from '../../operations/items.ts';
import { planItems, type Plan, type PlannedAct } from '../../operations/plan.ts';
import { enqueue } from '../../operations/queue.ts';
import type { Zone } from '../../providers/cloudflare/zones.ts';
import { addressIn, type ManageDnsInput } from '../../shared/dns/dns-changes.ts';
import { AppError, unknownReference } from '../../shared/errors.ts';
import type { Message } from '../../shared/i18n/index.ts';
import type { StoredAct } from '../../shared/operations.ts';
import { hostOf } from '../../shared/accounts/servers.ts';
import { cloudflareAccounts } from '../../shared/accounts/tables.ts';
import { listServerHosts } from '../accounts/rows.ts';
import { deleteAttachments, hasForeignDomain, upsertAttachments } from './rows.ts';
import { PLACE, placeAct, placeBack } from '../portfolio/domain-places.ts';
import { pointingDiff } from './pointing.ts';
import { recordsAct, recordsBack } from './records.ts';
import { settingAct, settingBack, wantedTls } from './protection.ts';
import { forwardAct, forwardBack } from './forwards.ts';
import { foreignZone, zoneActs } from '../access/ownership.ts';
import type { Actor } from '../access/scope.ts';
import { digestOf, forgetPlan, keepPlan, shownPlan, type Shown } from '../operations/shown-plans.ts';
import { asIfThere, readOnce, zoneAct, zoneStays } from './zone-act.ts';
import { laneKeyOf, openAccount, refuseSuffixes, type ZoneItem, type OpenAccount } from './zones.ts';

/** The input of an operation, besides its items. */
interface Asked {
  update_ns: boolean;
  /** Hash of the plan that was shown. */
  plan?: string;
}

/** A domain that is to lead to a server through a CDN account. */
interface Pointing extends ZoneItem {
  domain: string;
  type: 'A' | 'AAAA';
  address: string;
  account_id: number;
  server_id: number | null;
  /** Null: left as it is. */
  tls: 'on' | 'off' | null;
  forward_to: string | null;
  /** Its part of the plan that was shown. */
  shown?: Shown;
}

function actsOf(lane: OpenAccount, data: Pointing): Act[] {
  const { zone, domain, tls, forward_to } = data;
  return [
    zoneAct(lane, data),
    recordsAct(lane, domain, (current) => pointingDiff(zone, domain, data, current)),
    ...(tls === null ? [] : [settingAct(lane, domain, 'tls_1_3', wantedTls(tls))]),
    ...(forward_to === null ? [] : [forwardAct(lane, domain, domain, forward_to)]),
  ];
}

function undoOf(lane: OpenAccount, zone: string, act: StoredAct): Act[] {
  const { name, before, after } = act;
  if (name === 'dns') return [recordsBack(lane, zone, before, after)];
  if (name === 'tls_1_3') return [settingBack(lane, zone, 'tls_1_3', act)];
  if (name === 'zone') return [zoneStays(lane, zone)];
  if (name !== 'rule') return [];
  const { domain: domain_name, to: forward_to } = after as { domain: string; to: string };
  const record = (): OwnRow => ({ save: deleteAttachments, row: { domain_name, forward_to } });
  return [{ ...forwardBack(lane, zone, after), record }];
}

const work = (config: Config): ItemWork<OpenAccount, Pointing> => ({
  open: (lane, items, signal) => openAccount(config, lane, items, { signal }),
  // The last act writes the account and the server into the domain's row.
  acts: (item, lane) => [...outsideActs(item, lane), placeAct(item.user_id, item.data.domain, item.data)],
  undo: ({ data, acts, user_id }, lane) => [
    ...zoneActs(
      user_id,
      data.zone,
      acts.flatMap((act) => undoOf(lane, data.domain, act)),
    ),
    ...acts.filter(({ name }) => name === PLACE).map((act) => placeBack(user_id, data.domain, act)),
  ],
});

/** The acts on the zone, which are all that a plan shows. */
const outsideActs = (item: Item<Pointing>, lane: OpenAccount): Act[] =>
  zoneActs(item.user_id, item.data.zone, actsAsShown(item, readOnce(lane, item.data.shown?.zone)));

/**
 * Returns the acts of an item. Where a plan was shown, a first act looks at all of them and throws AppError `conflict`
 * where they differ from it.
 */
function actsAsShown({ item, data }: Item<Pointing>, lane: OpenAccount): Act[] {
  const acts = actsOf(lane, data);
  const { shown } = data;
  if (!shown) return acts;
  const look = async (): Promise<null> => {
    const planned: PlannedAct[] = [];
    for (const act of actsOf(asIfThere(lane), data)) {
      const change = await act.look();
      if (change) planned.push({ item, act: act.name, before: change.before, after: change.after });
    }
    if (digestOf(planned) !== shown.digest) {
      throw new AppError('conflict', 'operation.plan_stale', {}, { code: 'plan_stale' });
    }
    return null;
  };
  return [{ name: 'check', class: 'read', look }, ...acts];
}

// A plan of more items would exceed the share of the call limit that is for people: it is paced like background work.
const AT_HAND = 100;

/** The work for a plan: a missing zone counts as an empty one. `found` is called with every zone that exists. */
function planned(config: Config, found: (item: string, zone: Zone) => void) {
  return {
    acts: (item: Item<Pointing>, lane: OpenAccount) => {
      const findZone: OpenAccount['findZone'] = async (name) => {
        const zone = await lane.findZone(name);
        if (zone) found(item.item, zone);
        return zone;
      };
      return outsideActs(item, { ...lane, findZone });
    },
    open: async (name: string, items: readonly Item<Pointing>[], signal: AbortSignal) =>
      asIfThere(await openAccount(config, name, items, { signal, foreground: items.length <= AT_HAND })),
  };
}

/**
 * Checks a request and returns its work. Throws AppError `refused` where the account does not exist, the address is no
 * server's, or a domain is somebody else's.
 */
async function pointingsOf(actor: Actor, input: ManageDnsInput): Promise<Pointing[]> {
  const { accountId, domainName, ipAddress, tls, pageRules } = input;
  if (!(await findRow(cloudflareAccounts, accountId))) throw unknownReference('accountId');
  const server = await serverAt(ipAddress);
  if (!server) throw new AppError('refused', 'dns.server_missing', {}, { fields: { ipAddress: 'dns.server_missing' } });
  const address = addressIn(ipAddress);
  if (!address) throw new AppError('refused', 'dns.no_address', { name: server.name, host: ipAddress });
  const domains = pageRules ? [...new Set(pageRules)] : [domainName];
  await refuseForeign(actor, [domainName, ...domains]);
  refuseSuffixes(domains, pageRules ? 'pageRules' : 'domainName');
  return domains.map((domain) => ({
    zone: zoneNameOf(domain),
    domain,
    type: address.type,
    address: address.address,
    account_id: accountId,
    server_id: server.id,
    tls: pageRules ? null : tls,
    forward_to: pageRules && domain !== domainName ? domainName : null,
  }));
}

/** Returns the server with this `ssh_host`, or with this host and another SSH port. */
async function serverAt(ipAddress: string): Promise<{ id: number; name: string } | undefined> {
  const rows = await listServerHosts();
  return (
    rows.find(({ ssh_host }) => ssh_host === ipAddress) ?? rows.find(({ ssh_host }) => hostOf(ssh_host) === ipAddress)
  );
}

/**
 * Throws AppError `refused` where a domain of the portfolio, or its zone, is not the caller's. A zone in which nobody
 * has a name is free.
 */
async function refuseForeign(actor: Actor, domains: string[]): Promise<void> {
  if ((await foreignZone(actor, domains.map(zoneNameOf))) !== null) throw unknownReference('domainName');
  if (await hasForeignDomain(actor, domains)) throw unknownReference('domainName');
}

const itemOf = (data: Pointing): NewItem => ({
  item: `dns ${data.zone}${data.domain === data.zone ? '' : ` ${data.domain}`}`,
  lane: laneKeyOf(data.account_id),
  data,
});

/** Returns what `startDnsChange` would do, and stores the plan, so that the change can be compared with it. */
export async function planDnsChange(config: Config, actor: Actor, input: ManageDnsInput): Promise<Plan> {
  const items = (await pointingsOf(actor, input)).map(itemOf);
  const zones = new Map<string, Zone>();
  const work = planned(config, (item, zone) => zones.set(item, zone));
  const plan = await planItems(work, items, {}, actor.id);
  await keepPlan(plan, items, zones);
  return plan;
}

/**
 * Queues the change of a domain's DNS, or the attaching of domains. Throws AppError `refused` for an account, server or
 * domain that does not exist or is not the caller's, `conflict` where `plan` is not stored any more or was of other
 * items, `busy` where another operation works on one of the zones.
 */
export async function startDnsChange(
  actor: Actor,
  input: ManageDnsInput,
  { idem_key, here = false }: { idem_key?: string | undefined; here?: boolean } = {},
): Promise<{ id: number; started: boolean }> {
  const pointings = await pointingsOf(actor, input);
  // Each zone is compared with the plan when its turn comes: comparing all of them first would cost as much as the work
  // itself.
  const shown = input.plan === undefined ? null : await shownPlan(input.plan, pointings.map(itemOf));
  const message: Message = input.pageRules
    ? { key: 'dns.attaching', params: { n: pointings.length } }
    : { key: 'dns.changing', params: { domain: input.domainName } };
  const items = pointings.map((pointing) => {
    const seen = shown?.get(itemOf(pointing).item);
    return itemOf({ ...pointing, ...(seen && { shown: seen }) });
  });
  const update_ns = !input.pageRules && input.updateNs === 'on';
  const asked: Asked = { update_ns, ...(input.plan !== undefined && { plan: input.plan }) };
  const subject = `${input.accountId} ${input.domainName}${input.pageRules ? ' attach' : ''}`;
  return enqueue({ kind: 'dns_change', subject, user_id: actor.id, input: asked, message, items, idem_key }, here);
}

/** Returns the items of an operation that were done, or were as wanted before. */
const doneItems = async (id: number): Promise<Pointing[]> =>
  (await listItemRows(id)).flatMap(({ state, data }) =>
    state === 'done' || state === 'noop' ? [JSON.parse(data) as Pointing] : [],
  );

/** Stores what was attached and deletes the plan that was carried out. The step may run again. */
async function followUp({ operation }: StepContext): Promise<Record<string, never>> {
  const { plan } = JSON.parse(operation.input) as Asked;
  await transaction(async () => {
    if (plan !== undefined) await forgetPlan(plan);
    await upsertAttachments(
      (await doneItems(operation.id)).flatMap(({ domain: domain_name, forward_to, account_id }) =>
        forward_to ? [{ domain_name, forward_to, account_id }] : [],
      ),
    );
  });
  return {};
}

/**
 * Ends with an error that names the name servers to be entered at the registrar, where a zone is not active yet:
 * registrars are not connected.
 */
async function tellNameServers(config: Config, { operation, signal }: StepContext): Promise<StepOutcome> {
  for (const { account_id, domain } of await doneItems(operation.id)) {
    try {
      const { status, name_servers } = await (
        await openAccount(config, laneKeyOf(account_id), [], { signal })
      ).zone(domain);
      if (status !== 'active') return { error: { key: 'dns.ns_by_hand', params: { ns: name_servers.join(', ') } } };
    } catch (error) {
      const said = messageFor(error);
      if (!said) throw error;
      return { error: said };
    }
  }
  return {};
}

/**
 * The flow that points domains at servers; afterwards it stores attachments, and names the name servers where that was
 * asked for.
 */
export function dnsChangeFlow(config: Config): Flow {
  const flow = itemFlow('dns_change', work(config));
  return {
    ...flow,
    steps: (operation) => [
      ...flow.steps(operation),
      { name: 'portfolio', always: true, run: followUp },
      ...((JSON.parse(operation.input) as Asked).update_ns
        ? [{ name: 'name_servers', run: (context: StepContext) => tellNameServers(config, context) }]
        : []),
    ],
  };
}
