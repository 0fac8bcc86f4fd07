import { transaction } from '../../../db/index.ts';
import { findRow } from '../../../db/rows.ts';
import { zoneNameOf } from '../../lib/zone-name.ts';
import { messageFor } from '../../operations/failure.ts';
import type { Flow, NewItem, StepContext, StepOutcome } from '../../operations/flow.ts';
import { listItemRows } from '../../operations/item-rows.ts';
import { itemFlow } from '../../operations/items.ts';
import { itemOn } from '../../operations/locks.ts';
import { planItems, type Plan } from '../../operations/plan.ts';
import { enqueue } from '../../operations/queue.ts';
import { findRunning, hasBegunItem } from '../../operations/rows.ts';
import type { Zone } from '../../providers/cloudflare/zones.ts';
import { addressIn, type ManageDnsInput } from '../../shared/dns/dns-changes.ts';
import { AppError, unknownReference } from '../../shared/errors.ts';
import type { Message } from '../../shared/i18n/index.ts';
import { hostOf } from '../../shared/accounts/servers.ts';
import { cloudflareAccounts } from '../../shared/accounts/tables.ts';
import { accountLane, serverLane } from '../accounts/lanes.ts';
import { listServerHosts } from '../accounts/rows.ts';
import { registrarToSet } from './delegation.ts';
import { ownAmong } from './forward-check.ts';
import type { Actor } from '../access/scope.ts';
import { refuseServer } from '../portfolio/domain-places.ts';
import { attachLocks } from '../operations/moving.ts';
import { forgetPlan, keepPlan, shownPlan } from '../operations/shown-plans.ts';
import { openZones, refuseSuffixes } from './zones.ts';
import { type Pointing, planned, pointingWork } from './change-acts.ts';

/** The input of an operation, besides its items. */
interface Asked {
  update_ns: boolean;
  /** Hash of the plan that was shown. */
  plan?: string;
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
  const field = pageRules ? 'pageRules' : 'domainName';
  const main = await ownAmong(actor, [domainName], (names) => unknownReference('domainName', names));
  await ownAmong(actor, domains, (names) => unknownReference(field, names));
  refuseSuffixes(domains, field);
  // Before anything is changed outside: the server becomes that of the domains' rows.
  await refuseServer(actor, domains, server.id, 'ipAddress');
  const registrar_id = isDelegating(input) ? await registrarToSet(actor, domainName) : null;
  const forward = { forward_to: domainName, ...(main.has(domainName) && { main_was_there: true as const }) };
  return domains.map((domain) => {
    const pointing = {
      zone: zoneNameOf(domain),
      domain,
      type: address.type,
      address: address.address,
      account_id: accountId,
      server_id: server.id,
      tls: pageRules ? null : tls,
      registrar_id,
    };
    return Object.assign(pointing, pageRules && domain !== domainName ? forward : { forward_to: null });
  });
}

/** Whether the name servers are to be set as well: of what is attached they never are. */
const isDelegating = ({ pageRules, updateNs }: ManageDnsInput): boolean => !pageRules && updateNs === 'on';

/** Returns the server with this `ssh_host`, or with this host and another SSH port. */
async function serverAt(ipAddress: string): Promise<{ id: number; name: string } | undefined> {
  const rows = await listServerHosts();
  return (
    rows.find(({ ssh_host }) => ssh_host === ipAddress) ?? rows.find(({ ssh_host }) => hostOf(ssh_host) === ipAddress)
  );
}

/** Returns the item that points a name at an address. */
export function itemOf(data: Pointing): NewItem {
  const { zone, domain, account_id, server_id, registrar_id = null } = data;
  const lane = accountLane(account_id);
  return {
    ...itemOn({ kind: 'dns', name: zone, ...(domain !== zone && { part: domain }) }),
    ...lane,
    uses: [
      ...lane.uses,
      ...(server_id === null ? [] : serverLane(server_id).uses),
      ...(registrar_id === null ? [] : [{ kind: 'registrars', id: registrar_id }]),
    ],
    data,
  };
}

/** Returns what `startDnsChange` would do, and stores the plan, so that the change can be compared with it. */
export async function planDnsChange(actor: Actor, input: ManageDnsInput): Promise<Plan> {
  const items = (await pointingsOf(actor, input)).map(itemOf);
  const zones = new Map<string, Zone>();
  const work = planned((item, zone) => zones.set(item, zone));
  const plan = await planItems(work, items, {}, actor.id);
  await keepPlan(plan, items, zones);
  return plan;
}

const subjectOf = (accountId: number, domainName: string): string => `${accountId} ${domainName}`;

/** Returns the id of the change of a domain's DNS in an account that has not ended; undefined: there is none. */
export const findDnsChangeUnderWay = async (accountId: number, domainName: string): Promise<number | undefined> =>
  (await findRunning('dns_change', subjectOf(accountId, domainName)))?.id;

/** Whether a change of a domain's DNS in one of these accounts has done something, or may have: its zone can be there. */
export const mayHaveZone = (accountIds: readonly number[], domainName: string): Promise<boolean> =>
  hasBegunItem(
    'dns_change',
    accountIds.map((id) => subjectOf(id, domainName)),
  );

/**
 * Queues the change of a domain's DNS, or the attaching of domains. Throws AppError `refused` for an account, server or
 * domain that does not exist or is not the caller's, `conflict` where `plan` is not stored any more, was of other items
 * or showed none of them, `busy` where another operation works on one of the zones. `isNew`: the domain was bought a moment ago, and the change waits
 * until the CDN knows it as registered.
 */
export async function startDnsChange(
  actor: Actor,
  input: ManageDnsInput,
  { idem_key, here = false, isNew = false }: { idem_key?: string | undefined; here?: boolean; isNew?: boolean } = {},
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
    return itemOf({ ...pointing, ...(seen !== undefined && { shown: seen }), ...(isNew && { is_new: true }) });
  });
  const asked: Asked = { update_ns: isDelegating(input), ...(input.plan !== undefined && { plan: input.plan }) };
  const subject = subjectOf(input.accountId, input.domainName) + (input.pageRules ? ' attach' : '');
  const locks = pointings.flatMap(({ domain: domain_name, forward_to }) =>
    forward_to === null ? [] : attachLocks({ domain_name, forward_to }),
  );
  return enqueue(
    { kind: 'dns_change', subject, user_id: actor.id, input: asked, message, items, locks, idem_key },
    here,
  );
}

/** Returns the items of an operation that were done, or were as wanted before. */
const doneItems = async (id: number): Promise<Pointing[]> =>
  (await listItemRows(id)).flatMap(({ state, data }) =>
    state === 'done' || state === 'noop' ? [JSON.parse(data) as Pointing] : [],
  );

/** Deletes the plan that was carried out. The step may run again. */
async function followUp({ operation }: StepContext): Promise<Record<string, never>> {
  const { plan } = JSON.parse(operation.input) as Asked;
  if (plan !== undefined) await transaction(() => forgetPlan(plan));
  return {};
}

/**
 * Ends with an error that names the name servers to be entered by hand, where a zone is not active yet and no registrar of
 * ours can set them.
 */
async function tellNameServers({ operation, signal }: StepContext): Promise<StepOutcome> {
  for (const { account_id, domain, registrar_id = null } of await doneItems(operation.id)) {
    if (registrar_id !== null) continue;
    try {
      const { status, name_servers } = await (await openZones(account_id, [], { signal })).zone(domain);
      if (status !== 'active') return { error: { key: 'dns.ns_by_hand', params: { ns: name_servers.join(', ') } } };
    } catch (error) {
      const message = messageFor(error);
      if (!message) throw error;
      return { error: message };
    }
  }
  return {};
}

const pointingFlow = itemFlow('dns_change', pointingWork);

/**
 * The flow that points domains at servers; afterwards it names the name servers where that was asked for.
 */
export const dnsChangeFlow: Flow = {
  ...pointingFlow,
  steps: (operation) => [
    ...pointingFlow.steps(operation),
    { name: 'portfolio', always: true, run: followUp },
    ...((JSON.parse(operation.input) as Asked).update_ns
      ? [{ name: 'name_servers', run: (context: StepContext) => tellNameServers(context) }]
      : []),
  ],
};
