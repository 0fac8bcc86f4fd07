import { createHash } from 'node:crypto';
import { zoneNameOf } from '../../lib/zone-name.ts';
import { queueEnded } from '../../operations/ending.ts';
import type { Act, Flow, Item, ItemWork, NewItem, OwnRow } from '../../operations/flow.ts';
import { itemFlow } from '../../operations/items.ts';
import { itemOn } from '../../operations/locks.ts';
import { planItems, type Plan } from '../../operations/plan.ts';
import { enqueue } from '../../operations/queue.ts';
import type { SettingId } from '../../providers/cloudflare/settings.ts';
import type { Message } from '../../shared/i18n/index.ts';
import type { StoredAct } from '../../shared/operations.ts';
import type { AffectedDomain } from '../../shared/dns/protection.ts';
import { foreignZones, wholeZones, zoneActs } from '../access/ownership.ts';
import { isAdmin, type Actor } from '../access/scope.ts';
import { accountLane } from '../accounts/lanes.ts';
import { deleteLevels, findLevel, listAffectedDomains, upsertLevels } from './rows.ts';
import { afterMove, SETTINGS, type SwitchKind } from './switch-lock.ts';
import { openAccount, type ZoneItem, type OpenAccount } from './zones.ts';

const UNDER_ATTACK = 'under_attack';
// The level for a zone whose earlier one is not known: the mode was enabled in Cloudflare's own dashboard.
const USUAL_LEVEL = 'medium';

/** A switch of Under Attack mode or of TLS 1.3. */
export type Switch = { kind: 'under_attack'; action: 'enable' | 'disable' } | { kind: 'tls'; state: 'on' | 'off' };

/**
 * Returns the caller's domains with a CDN account whose zones are wholly the caller's, by name; `names` narrows them.
 */
async function affected(actor: Actor, names: readonly string[] | null): Promise<AffectedDomain[]> {
  const rows = await listAffectedDomains(actor, names);
  const whole = await wholeZones(
    actor,
    rows.map(({ domain_name }) => zoneNameOf(domain_name)),
  );
  return rows.filter(({ domain_name }) => whole.has(zoneNameOf(domain_name)));
}

/** Returns the domains that a switch would reach, as the dialog shows them. */
export const domainsForUnderAttack = (actor: Actor): Promise<AffectedDomain[]> => affected(actor, null);

/**
 * Returns an item for each zone and account, because a name in two accounts is two zones. The first account's item is
 * named by the zone alone, so that two switches of a zone never run at once.
 */
function itemsOf(kind: Switch['kind'], domains: readonly AffectedDomain[]): NewItem[] {
  const zones = new Map<string, Map<number, string[]>>();
  for (const { domain_name, cloudflare_account_id } of domains) {
    const zone = zoneNameOf(domain_name);
    const accounts = zones.get(zone) ?? new Map<number, string[]>();
    accounts.set(cloudflare_account_id, [...(accounts.get(cloudflare_account_id) ?? []), domain_name]);
    zones.set(zone, accounts);
  }
  return [...zones].flatMap(([zone, accounts]) =>
    [...accounts]
      .toSorted(([one], [other]) => one - other)
      .map(([account, names], index) => {
        const item = itemOn({ kind, name: zone, ...(index > 0 && { part: `account ${account}` }) });
        const data: ZoneItem = { zone, ...(names.join() !== zone && { names }) };
        return Object.assign(item, accountLane(account), { data });
      }),
  );
}

/** Returns the items of a switch: the zones of the actor's domains with a CDN account that are wholly the actor's. */
export async function switchItems(
  actor: Actor,
  { kind }: Pick<Switch, 'kind'>,
  names: readonly string[] | null,
): Promise<NewItem[]> {
  return itemsOf(kind, await affected(actor, names));
}

/** Returns what `startSwitch` would change; changes nothing. */
export async function planSwitch(actor: Actor, wanted: Switch, names: readonly string[] | null = null): Promise<Plan> {
  return planItems(workOf(wanted.kind), await switchItems(actor, wanted, names), wanted, actor.id);
}

/** The subject of a switch: its scope, and a hash of `names`. Two switches with other subjects conflict only at a common zone. */
function subjectOf(actor: Actor, names: readonly string[] | null): string {
  const scope = isAdmin(actor) ? 'all' : `user ${actor.id}`;
  if (names === null) return scope;
  const hash = createHash('sha256').update(names.toSorted().join('\n')).digest('base64url').slice(0, 22);
  return `${scope} some ${names.length} ${hash}`;
}

/**
 * Queues a switch for the zones of the caller's domains, for an admin of all domains; `names` narrows them. Returns the
 * same switch instead where it is running already. Throws AppError `busy` while the opposite is running, or another switch of
 * one of the zones.
 */
export async function startSwitch(
  actor: Actor,
  wanted: Switch,
  { names = null, idem_key }: { names?: readonly string[] | null; idem_key?: string | undefined } = {},
  here = false,
): Promise<{ id: number; started: boolean; message: Message }> {
  const items = await switchItems(actor, wanted, names);
  const { kind, ...input } = wanted;
  const message = startedWords(wanted, items.length);
  const subject = subjectOf(actor, names);
  const request = { kind, subject, user_id: actor.id, input, message, items, idem_key };
  const queued = items.length === 0 && !here ? await queueEnded(request) : await enqueue(request, here);
  return { ...queued, message };
}

function startedWords(wanted: Switch, zones: number): Message {
  if (zones === 0) return { key: 'protect.no_domains' };
  if (wanted.kind === 'tls') return { key: `protect.tls_${wanted.state}_started` };
  return { key: `protect.${wanted.action}_started` };
}

/** The level that a zone had before Under Attack mode; null where the mode has ended. */
interface LevelBefore {
  zone_id: string;
  level: string | null;
}

/** Stores the levels that zones had before Under Attack mode; deletes those of zones where the mode has ended. */
async function keepLevels(rows: LevelBefore[]): Promise<void> {
  const levels = rows.flatMap(({ zone_id, level }) => (level === null ? [] : [{ zone_id, security_level: level }]));
  await upsertLevels(levels);
  await deleteLevels(rows.flatMap(({ zone_id, level }) => (level === null ? [zone_id] : [])));
}

const levelNote = (zone_id: string, before: unknown, after: unknown): OwnRow => ({
  save: keepLevels,
  row: { zone_id, level: after === UNDER_ATTACK && typeof before === 'string' ? before : null } satisfies LevelBefore,
});

/**
 * Returns the act that gives a zone's setting the value that `wanted` returns; null leaves it as it is. `again` reads the
 * value anew. The zone is the one with the id `known`, else the one that `name` lies in.
 */
export function settingAct(
  { client, zone }: OpenAccount,
  name: string,
  setting: SettingId,
  wanted: (value: string, zoneId: string, again: () => Promise<string>) => string | null | Promise<string | null>,
  known?: string,
): Act {
  let zoneId = '';
  return {
    name: setting,
    class: 'set',
    look: async () => {
      zoneId = known ?? (await zone(name)).id;
      const read = async (): Promise<string> => (await client.getSetting(zoneId, setting)).value;
      const value = await read();
      const after = await wanted(value, zoneId, read);
      if (after === null || after === value) return null;
      const perform = async (): Promise<void> => {
        await client.setSetting(zoneId, setting, after);
      };
      return { before: value, after, on: zoneId, perform };
    },
    ...(setting === 'security_level' && {
      record: (before, after) => levelNote(zoneId, before, after),
      // The level is stored before it is replaced, so that no crash loses it; the end of the mode is noted when it is
      // done.
      keep: (before, after, isBegun) =>
        after === UNDER_ATTACK ? levelNote(zoneId, isBegun ? before : null, after) : undefined,
    }),
  };
}

/** `zrt`, TLS 1.3 with early data, counts as on and stays. */
export const wantedTls =
  (state: string) =>
  (value: string): string | null =>
    state === 'on' && value === 'zrt' ? null : state;

const wantedLevel =
  (action: string) =>
  async (value: string, zoneId: string, again: () => Promise<string>): Promise<string | null> => {
    if (action === 'enable') return UNDER_ATTACK;
    if (value !== UNDER_ATTACK) return null;
    const kept = await findLevel(zoneId);
    if (kept !== undefined) return kept;
    // Another login that sees the zone may have given it back its level since, which is forgotten only then.
    return (await again()) === UNDER_ATTACK ? USUAL_LEVEL : null;
  };

/** Returns the act that puts a setting back, unless somebody has changed it since. */
export const settingBack = (
  lane: OpenAccount,
  zone: string,
  setting: SettingId,
  { before, after, on }: Pick<StoredAct, 'before' | 'after' | 'on'>,
): Act => ({
  ...settingAct(lane, zone, setting, (value) => (value === after ? String(before) : null), on),
  differs: async () => {
    const { value } = await lane.client.getSetting(on ?? (await lane.zone(zone)).id, setting);
    return value === before ? [] : [{ name: setting, was: before, is: value }];
  },
});

/**
 * Returns the acts of a switch item: one for each of its names, of which only the first one in a zone changes anything.
 * The first act is named by the setting alone.
 */
function switchActs<I>(
  lane: OpenAccount,
  { zone, names = [zone] }: ZoneItem,
  setting: SettingId,
  wanted: (input: I) => Parameters<typeof settingAct>[3],
  input: I,
): Act[] {
  const switched = new Set<string>();
  return names.map((name, index): Act => {
    const act = settingAct(lane, name, setting, wanted(input));
    const look = async () => {
      const { id } = await lane.zone(name);
      if (switched.has(id)) return null;
      switched.add(id);
      return act.look();
    };
    return { ...act, name: index === 0 ? setting : `${setting} ${name}`, look };
  });
}

function switchWork<I>(
  kind: SwitchKind,
  wanted: (input: I) => Parameters<typeof settingAct>[3],
): ItemWork<OpenAccount, ZoneItem, I> {
  const setting = SETTINGS[kind];
  const onZone = (item: Item<ZoneItem>, acts: readonly Act[]): Act[] =>
    zoneActs(item.user_id, item.data.zone, acts).map((act) => afterMove(kind, item.data.zone, item, act));
  return {
    open: (_lane, items, signal) => openAccount(items, { signal }),
    refused: foreignZones,
    acts: (item, lane, input) => onZone(item, switchActs(lane, item.data, setting, wanted, input)),
    undo: (item, lane) =>
      onZone(
        item,
        item.acts.map((act) => ({ ...settingBack(lane, item.data.zone, setting, act), name: act.name })),
      ),
  };
}

const workOf = (kind: SwitchKind): ItemWork =>
  (kind === 'under_attack'
    ? switchWork(kind, ({ action }: { action: string }) => wantedLevel(action))
    : switchWork(kind, ({ state }: { state: string }) => wantedTls(state))) as ItemWork;

const flowFor = (kind: SwitchKind): Flow => itemFlow(kind, workOf(kind));

/** The flows that switch Under Attack mode and TLS 1.3, zone by zone. */
export const protectionFlows: readonly Flow[] = [flowFor('under_attack'), flowFor('tls')];
