import { execute, select } from '../../db/index.ts';
import type { Config } from '../lib/config.ts';
import type { Act, Flow, ItemWork, NewItem, OwnRow } from '../operations/flow.ts';
import { itemFlow } from '../operations/items.ts';
import { planItems, type Plan } from '../operations/plan.ts';
import { enqueue } from '../operations/queue.ts';
import type { SettingId } from '../providers/cloudflare/settings.ts';
import type { Said } from '../shared/i18n/index.ts';
import type { AffectedDomain } from '../shared/protection.ts';
import { bindings, isAdmin, VISIBLE, type Actor } from './scope.ts';
import { laneOf, openLane, zoneNameOf, type ZoneItem, type ZoneLane } from './zones.ts';

const UNDER_ATTACK = 'under_attack';
// What is put where the level before is not known: it was switched on in Cloudflare's own dashboard.
const USUAL_LEVEL = 'medium';

/** What is switched: Under Attack mode, or TLS 1.3. */
export type Switch = { kind: 'under_attack'; action: 'enable' | 'disable' } | { kind: 'tls'; state: 'on' | 'off' };

/** The caller's domains that are in a CDN account, by name; with `names` those of them alone. */
async function affected(actor: Actor, names: readonly string[] | null): Promise<AffectedDomain[]> {
  return select<AffectedDomain>(
    `SELECT d.domain_name, p.name AS project_name, u.login AS user_login, d.cloudflare_account_id
     FROM domains d LEFT JOIN projects p ON p.id = d.project_id LEFT JOIN users u ON u.id = COALESCE(p.user_id, d.user_id)
     WHERE ${VISIBLE.domains(actor)} AND d.cloudflare_account_id IS NOT NULL
       AND ($names IS NULL OR d.domain_name IN (SELECT value FROM json_each($names)))
     ORDER BY d.domain_name`,
    { names: names && JSON.stringify(names), ...bindings(actor) },
  );
}

/** The domains that a switch would reach, as the dialog shows them. */
export const domainsForUnderAttack = (actor: Actor): Promise<AffectedDomain[]> => affected(actor, null);

/** The zones of domains, each once, as the items of a switch. */
function itemsOf(kind: Switch['kind'], domains: readonly AffectedDomain[]): NewItem[] {
  const items = new Map<string, NewItem>();
  for (const { domain_name, cloudflare_account_id } of domains) {
    const zone = zoneNameOf(domain_name);
    const item = `${kind} ${zone}`;
    items.set(item, { item, lane: laneOf(cloudflare_account_id), data: { zone } satisfies ZoneItem });
  }
  return [...items.values()];
}

/** What a switch would be worked on. */
async function switchItems(actor: Actor, { kind }: Switch, names: readonly string[] | null): Promise<NewItem[]> {
  return itemsOf(kind, await affected(actor, names));
}

/** What `startSwitch` would change, found by looking. */
export async function planSwitch(
  config: Config,
  actor: Actor,
  wanted: Switch,
  names: readonly string[] | null = null,
): Promise<Plan> {
  const { items: work } = flowFor(config, wanted.kind);
  if (!work) throw new Error(`${wanted.kind} has no items`);
  return planItems(work, await switchItems(actor, wanted, names), wanted);
}

/**
 * Queues a switch for the zones of the caller's domains, an admin's being everybody's; `names` narrows them. The same
 * switch that is running already is returned instead. Throws `busy` while the opposite is running.
 */
export async function startSwitch(
  actor: Actor,
  wanted: Switch,
  { names = null, idem_key }: { names?: readonly string[] | null; idem_key?: string | undefined } = {},
  here = false,
): Promise<{ id: number; started: boolean; message: Said }> {
  const items = await switchItems(actor, wanted, names);
  const { kind, ...input } = wanted;
  const message = startedWords(wanted, items.length);
  const subject = isAdmin(actor) ? 'all' : `user ${actor.id}`;
  const queued = await enqueue({ kind, subject, user_id: actor.id, input, message, items, idem_key }, here);
  return { ...queued, message };
}

function startedWords(wanted: Switch, zones: number): Said {
  if (zones === 0) return { key: 'protect.no_domains' };
  if (wanted.kind === 'tls') return { key: `protect.tls_${wanted.state}_started` };
  return { key: `protect.${wanted.action}_started` };
}

async function levelBefore(zoneId: string): Promise<string> {
  const [row] = await select<{ security_level: string }>(
    'SELECT security_level FROM zone_levels WHERE zone_id = $zoneId',
    {
      zoneId,
    },
  );
  return row?.security_level ?? USUAL_LEVEL;
}

/** The level that a zone had before Under Attack mode; null where the mode has ended. */
interface LevelBefore {
  zone_id: string;
  level: string | null;
}

/** Keeps what the levels of zones were before Under Attack mode, and forgets them with the mode. */
async function keepLevels(rows: LevelBefore[]): Promise<void> {
  const bind = { rows: JSON.stringify(rows), now: new Date().toISOString() };
  await execute(
    `INSERT INTO zone_levels (zone_id, security_level, changed_at)
     SELECT value ->> 'zone_id', value ->> 'level', $now FROM json_each($rows) WHERE value ->> 'level' IS NOT NULL
     ON CONFLICT (zone_id) DO UPDATE SET security_level = excluded.security_level, changed_at = $now`,
    bind,
  );
  await execute(
    `DELETE FROM zone_levels WHERE zone_id IN
       (SELECT value ->> 'zone_id' FROM json_each($rows) WHERE value ->> 'level' IS NULL)`,
    { rows: bind.rows },
  );
}

const levelNote = (zone_id: string, before: unknown, after: unknown): OwnRow => ({
  save: keepLevels,
  row: { zone_id, level: after === UNDER_ATTACK && typeof before === 'string' ? before : null } satisfies LevelBefore,
});

/** How a zone's setting becomes what is wanted; `wanted` gives null where it is to be left as it is. */
export function settingAct(
  { client, zone }: ZoneLane,
  name: string,
  setting: SettingId,
  wanted: (value: string, zoneId: string) => string | null | Promise<string | null>,
): Act {
  let zoneId = '';
  return {
    name: setting,
    class: 'set',
    look: async () => {
      ({ id: zoneId } = await zone(name));
      const { value } = await client.getSetting(zoneId, setting);
      const after = await wanted(value, zoneId);
      if (after === null || after === value) return null;
      const perform = async (): Promise<void> => {
        await client.setSetting(zoneId, setting, after);
      };
      return { before: value, after, perform };
    },
    ...(setting === 'security_level' && { record: (before, after) => levelNote(zoneId, before, after) }),
  };
}

/** TLS 1.3 with early data is TLS 1.3 switched on. */
export const wantedTls =
  (state: string) =>
  (value: string): string | null =>
    state === 'on' && value === 'zrt' ? null : state;

const wantedLevel =
  (action: string) =>
  async (value: string, zoneId: string): Promise<string | null> => {
    if (action === 'enable') return UNDER_ATTACK;
    return value === UNDER_ATTACK ? levelBefore(zoneId) : null;
  };

/** Puts a setting back, unless somebody has changed it since. */
export const settingBack = (lane: ZoneLane, zone: string, setting: SettingId, before: unknown, after: unknown): Act =>
  settingAct(lane, zone, setting, (value) => (value === after ? String(before) : null));

function switchWork<I>(
  config: Config,
  setting: SettingId,
  wanted: (input: I) => Parameters<typeof settingAct>[3],
): ItemWork<ZoneLane, ZoneItem, I> {
  return {
    open: (lane, items, signal) => openLane(config, lane, items, { signal }),
    acts: ({ data }, lane, input) => [settingAct(lane, data.zone, setting, wanted(input))],
    undo: ({ data, acts }, lane) =>
      acts.map(({ before, after }) => settingBack(lane, data.zone, setting, before, after)),
  };
}

const flowFor = (config: Config, kind: Switch['kind']): Flow =>
  kind === 'under_attack'
    ? itemFlow(
        kind,
        switchWork(config, 'security_level', ({ action }: { action: string }) => wantedLevel(action)),
      )
    : itemFlow(
        kind,
        switchWork(config, 'tls_1_3', ({ state }: { state: string }) => wantedTls(state)),
      );

/** Under Attack mode and TLS 1.3, zone by zone. */
export const protectionFlows = (config: Config): Flow[] => [flowFor(config, 'under_attack'), flowFor(config, 'tls')];
