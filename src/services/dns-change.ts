import { execute, select, transaction } from '../../db/index.ts';
import type { Config } from '../lib/config.ts';
import { saidOf } from '../operations/failure.ts';
import type { Act, Flow, ItemWork, NewItem, StepContext, StepOutcome } from '../operations/flow.ts';
import { itemFlow } from '../operations/items.ts';
import { planItems, type Plan } from '../operations/plan.ts';
import { enqueue } from '../operations/queue.ts';
import { addressIn, type ManageDnsInput } from '../shared/dns-changes.ts';
import { AppError, unknownReference } from '../shared/errors.ts';
import type { Said } from '../shared/i18n/index.ts';
import { hostOf } from '../shared/servers.ts';
import { pointingDiff } from './dns-pointing.ts';
import { recordsAct, recordsBack } from './dns-records.ts';
import { settingAct, settingBack, wantedTls } from './protection.ts';
import { forwardAct, forwardBack } from './forwards.ts';
import { bindings, VISIBLE, type Actor } from './scope.ts';
import { asIfThere, zoneAct } from './zone-act.ts';
import { laneOf, openLane, zoneNameOf, type ZoneItem, type ZoneLane } from './zones.ts';

/** What an operation was asked besides its items. */
interface Asked {
  update_ns: boolean;
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
}

function actsOf(lane: ZoneLane, data: Pointing): Act[] {
  const { zone, domain, tls, forward_to } = data;
  return [
    zoneAct(lane, data),
    recordsAct(lane, zone, (current) => pointingDiff(zone, domain, data, current)),
    ...(tls === null ? [] : [settingAct(lane, zone, 'tls_1_3', wantedTls(tls))]),
    ...(forward_to === null ? [] : [forwardAct(lane, zone, domain, forward_to)]),
  ];
}

function undoOf(
  lane: ZoneLane,
  zone: string,
  { name, before, after }: { name: string; before?: unknown; after?: unknown },
): Act[] {
  if (name === 'dns') return [recordsBack(lane, zone, before, after)];
  if (name === 'tls_1_3') return [settingBack(lane, zone, 'tls_1_3', before, after)];
  return name === 'rule' ? [forwardBack(lane, zone, after)] : [];
}

const work = (config: Config): ItemWork<ZoneLane, Pointing> => ({
  open: (lane, items, signal) => openLane(config, lane, items, { signal }),
  acts: ({ data }, lane) => actsOf(lane, data),
  undo: ({ data, acts }, lane) => acts.flatMap((act) => undoOf(lane, data.zone, act)),
});

/** The same for a plan: a zone that is not there yet is taken for an empty one. */
function planned(config: Config): Pick<ItemWork<ZoneLane, Pointing>, 'open' | 'acts'> {
  return {
    acts: work(config).acts,
    open: async (name, items, signal) => asIfThere(await openLane(config, name, items, { signal, foreground: true })),
  };
}

/** What is to be done, checked: the account exists, the address is a server's, the domains are nobody else's. */
async function pointingsOf(actor: Actor, input: ManageDnsInput): Promise<Pointing[]> {
  const { accountId, domainName, ipAddress, tls, pageRules } = input;
  const accounts = await select('SELECT 1 FROM cloudflare_accounts WHERE id = $accountId', { accountId });
  if (accounts.length === 0) throw unknownReference('accountId');
  const server = await serverAt(ipAddress);
  if (!server) throw new AppError('refused', 'dns.server_missing', {}, { fields: { ipAddress: 'dns.server_missing' } });
  const address = addressIn(ipAddress);
  if (!address) throw new AppError('refused', 'dns.no_address', { name: server.name, host: ipAddress });
  const domains = pageRules ? [...new Set(pageRules)] : [domainName];
  await refuseForeign(actor, [domainName, ...domains]);
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

/** The server that is meant by its `ssh_host`; one that answers SSH at another port by its address alone, too. */
async function serverAt(ipAddress: string): Promise<{ id: number; name: string } | undefined> {
  const rows = await select<{ id: number; name: string; ssh_host: string }>(
    'SELECT id, name, ssh_host FROM servers ORDER BY id',
  );
  return (
    rows.find(({ ssh_host }) => ssh_host === ipAddress) ?? rows.find(({ ssh_host }) => hostOf(ssh_host) === ipAddress)
  );
}

/** A domain of the portfolio has to be the caller's; one that nobody has is free. */
async function refuseForeign(actor: Actor, domains: string[]): Promise<void> {
  const [foreign] = await select(
    `SELECT 1 FROM domains d LEFT JOIN projects p ON p.id = d.project_id
     WHERE d.deleted_at IS NULL AND d.domain_name IN (SELECT value FROM json_each($domains)) AND NOT (${VISIBLE.domains(actor)}) LIMIT 1`,
    { domains: JSON.stringify(domains), ...bindings(actor) },
  );
  if (foreign) throw unknownReference('domainName');
}

const itemOf = (data: Pointing): NewItem => ({
  item: `dns ${data.zone}${data.domain === data.zone ? '' : ` ${data.domain}`}`,
  lane: laneOf(data.account_id),
  data,
});

/** What `startDnsChange` would do, found by looking. */
export async function planDnsChange(config: Config, actor: Actor, input: ManageDnsInput): Promise<Plan> {
  return planItems(planned(config), (await pointingsOf(actor, input)).map(itemOf), {});
}

/**
 * Queues the change of a domain's DNS, or the attaching of domains. Throws `refused` for what it refers to and can't be
 * had, `conflict` where the plan that was shown no longer holds, `busy` where one of the zones is being worked on.
 */
export async function startDnsChange(
  config: Config,
  actor: Actor,
  input: ManageDnsInput,
  { idem_key, here = false }: { idem_key?: string | undefined; here?: boolean } = {},
): Promise<{ id: number; started: boolean }> {
  const pointings = await pointingsOf(actor, input);
  if (input.plan !== undefined) {
    const { hash } = await planItems(planned(config), pointings.map(itemOf), {});
    if (hash !== input.plan) throw new AppError('conflict', 'operation.plan_stale', {}, { code: 'plan_stale' });
  }
  const message: Said = input.pageRules
    ? { key: 'dns.attaching', params: { n: pointings.length } }
    : { key: 'dns.changing', params: { domain: input.domainName } };
  const items = pointings.map(itemOf);
  const asked: Asked = { update_ns: !input.pageRules && input.updateNs === 'on' };
  const subject = `${input.accountId} ${input.domainName}${input.pageRules ? ' attach' : ''}`;
  return enqueue({ kind: 'dns_change', subject, user_id: actor.id, input: asked, message, items, idem_key }, here);
}

/** The portfolio follows: a domain that was pointed knows its account and server. Its step may run again. */
async function followPortfolio({ operation }: StepContext): Promise<Record<string, never>> {
  await transaction(() =>
    execute(
      `UPDATE domains AS d SET cloudflare_account_id = i.data ->> 'account_id', server_id = i.data ->> 'server_id', updated_at = $now
       FROM operation_items i
       WHERE i.operation_id = $id AND i.state IN ('done', 'noop') AND d.domain_name = i.data ->> 'domain' AND d.deleted_at IS NULL
         AND (d.cloudflare_account_id IS NOT i.data ->> 'account_id' OR d.server_id IS NOT i.data ->> 'server_id')`,
      { id: operation.id, now: new Date().toISOString() },
    ),
  );
  return {};
}

/** Tells the name servers to be entered at the registrar, where the zone still waits for them: nothing here can do it yet. */
async function tellNameServers(config: Config, { operation, signal }: StepContext): Promise<StepOutcome> {
  const rows = await select<{ lane: string; zone: string }>(
    `SELECT lane, data ->> 'zone' AS zone FROM operation_items WHERE operation_id = $id AND state IN ('done', 'noop')`,
    { id: operation.id },
  );
  for (const { lane, zone } of rows) {
    try {
      const { status, name_servers } = await (await openLane(config, lane, [], { signal })).zone(zone);
      if (status !== 'active') return { error: { key: 'dns.ns_by_hand', params: { ns: name_servers.join(', ') } } };
    } catch (error) {
      const said = saidOf(error);
      if (!said) throw error;
      return { error: said };
    }
  }
  return {};
}

/** Pointing domains at servers, item by item; then the portfolio, and the name servers where that was asked for. */
export function dnsChangeFlow(config: Config): Flow {
  const flow = itemFlow('dns_change', work(config));
  return {
    ...flow,
    steps: (operation) => [
      ...flow.steps(operation),
      { name: 'portfolio', run: followPortfolio },
      ...((JSON.parse(operation.input) as Asked).update_ns
        ? [{ name: 'name_servers', run: (context: StepContext) => tellNameServers(config, context) }]
        : []),
    ],
  };
}
