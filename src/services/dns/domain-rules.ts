import type { Act, Flow, Item, ItemWork } from '../../operations/flow.ts';
import { itemFlow } from '../../operations/items.ts';
import { itemOn } from '../../operations/locks.ts';
import { persistently } from '../../operations/plan.ts';
import { enqueue } from '../../operations/queue.ts';
import { notFound } from '../../shared/errors.ts';
import type { PageRuleView } from '../../shared/dns/rules.ts';
import { openDomainZone, toldToCaller } from './dns.ts';
import { findDomain } from '../portfolio/domain-lists.ts';
import { IMPATIENT, runToEnd, throwFailure } from '../operations/foreground.ts';
import { confirmedAct, foreignZones, notYours, zoneActs } from '../access/ownership.ts';
import { refuseTarget, type ForwardAsked } from './forward-check.ts';
import { refuseLoop } from './forward-loop.ts';
import { forwardedBy, forwardsBy, releasedBy } from './forward-rule.ts';
import { isForwarded } from './forwards.ts';
import {
  deleteAttachments,
  listAttachedTo,
  listAttachmentsAt,
  listNamed,
  upsertAttachments,
  type Forward,
} from './rows.ts';
import { deleteRuleAct, listRules, ruleBack, type ZoneRules } from './rules.ts';
import { attachLocks } from '../operations/moving.ts';
import type { Actor } from '../access/scope.ts';
import { accountLane } from '../accounts/lanes.ts';
import { openAccount, type ZoneItem, type OpenAccount } from './zones.ts';

interface Deletion extends ZoneItem {
  rule: string;
  /** The attached names that the rule forwarded as it was asked for, for its undo. */
  attached?: ForwardAsked[];
  /** The same in rows of older versions. */
  released?: ForwardAsked[];
}

/**
 * Opens the zone for its rules, which may match any name in it. Throws AppError `not_found` where the caller does not
 * hold the whole zone.
 */
async function openWholeZone(actor: Actor, id: number): ReturnType<typeof openDomainZone> {
  const open = await openDomainZone(actor, id);
  if (!open.reach.isWhole) throw notYours(open.zone.name);
  return open;
}

/**
 * Returns the rules of a domain's zone: page rules, then single redirects. Throws as `openDomainZone`, and AppError
 * `not_found` where the whole zone is not the caller's.
 */
export const domainRules = (actor: Actor, id: number): Promise<PageRuleView[]> =>
  toldToCaller(async () => {
    const { lane, zone } = await openWholeZone(actor, id);
    return persistently(() => listRules(lane, zone.id));
  });

/** Returns the names that are attached to a domain of the caller's: their rules are in zones of their own. Throws AppError `not_found`. */
export async function attachedNames(actor: Actor, id: number): Promise<string[]> {
  await findDomain(actor, id);
  return listAttachedTo(id);
}

/**
 * Deletes a rule of a domain's zone while the caller waits; its operation can be restored. Throws as `domainRules`,
 * AppError `not_found` for a rule that the zone does not have, and as `throwFailure`.
 */
export async function deleteDomainRule(actor: Actor, domainId: number, rule: string): Promise<{ id: number }> {
  const { domain, zone, rules } = await toldToCaller(async () => {
    const open = await openWholeZone(actor, domainId);
    return { ...open, rules: await persistently(() => listRules(open.lane, open.zone.id)) };
  });
  const deleted = rules.find(({ id }) => id === rule);
  if (!deleted) throw notFound();
  const attached = await asAsked(actor, forwardedBy(deleted, await listAttachmentsAt(zone.name)));
  const { id } = await enqueue(
    {
      kind: 'rule_delete',
      subject: `${zone.name} ${rule}`,
      user_id: actor.id,
      input: {},
      message: { key: 'rules.deleting', params: { domain: domain.domain_name } },
      items: [
        {
          ...itemOn({ kind: 'rule', name: zone.name, part: rule }),
          ...accountLane(domain.cloudflare_account_id ?? 0),
          data: { zone: zone.name, rule, attached } satisfies Deletion,
        },
      ],
    },
    true,
  );
  // If the process dies meanwhile, the next one ends the work.
  await runToEnd(id, { byPerson: true });
  await throwFailure(id);
  return { id };
}

/** Returns attached names with what is there of their main domains. */
async function asAsked(actor: Actor, attached: readonly Forward[]): Promise<ForwardAsked[]> {
  const mains = attached.map(({ forward_to }) => forward_to);
  const there = new Set((await listNamed(actor, mains)).map(({ domain_name }) => domain_name));
  return attached.map((one) => ({ ...one, ...(there.has(one.forward_to) && { was_there: true }) }));
}

/** A deleted rule of a zone, and those that are left. */
interface Gone {
  zone: string;
  rule: PageRuleView;
  left: readonly PageRuleView[];
}

/** Deletes the attached names that a deleted rule forwarded and none that is left does: their holders have them no more. */
async function release(gone: readonly Gone[]): Promise<void> {
  for (const { zone, rule, left } of gone) {
    await deleteAttachments(releasedBy([rule], left, await listAttachmentsAt(zone)));
  }
}

/**
 * Returns the act that deletes a rule and releases the names that it alone forwarded. It reads the remaining rules after the deletion: of
 * two deletions at once the later one sees neither rule.
 */
function deletionAct(lane: OpenAccount, { zone, rule }: Deletion, image: unknown): Act {
  const act = deleteRuleAct(lane, zone, rule, image as PageRuleView | undefined);
  let left: PageRuleView[] = [];
  const lookAtLeft = async (): Promise<void> => {
    if ((await listAttachmentsAt(zone)).length === 0) return;
    const { id } = await lane.zone(zone);
    left = await persistently(() => listRules(lane, id));
  };
  return {
    ...act,
    look: async () => {
      const change = await act.look();
      if (!change) await lookAtLeft();
      return change && { ...change, perform: () => change.perform().then(lookAtLeft) };
    },
    record: (before) => ({ save: release, row: { zone, rule: before as PageRuleView, left } satisfies Gone }),
  };
}

/** The attached names that a rule forwarded as its deletion was asked for. */
const attachedBy = ({ released = [], attached = released }: Deletion): ForwardAsked[] => attached;

/** Returns the act that brings a deleted rule back, with the names that were attached by it. It is asked what attaching them would be. */
function deletionBack(lane: OpenAccount, item: Item<Deletion>, image: unknown): Act {
  const attached = attachedBy(item.data);
  const account_id = item.lane_id ?? 0;
  const row = attached.map(({ domain_name, forward_to }) => ({ domain_name, forward_to, account_id }));
  const save = (rows: (typeof row)[]): Promise<void> => upsertAttachments(rows.flat());
  const refuseTargets = async (): Promise<void> => {
    for (const forward of attached) await refuseTarget(item, forward);
  };
  const refuse = async (rules: ZoneRules): Promise<void> => {
    for (const forward of forwardsBy(image as PageRuleView)) {
      isForwarded(rules, forward.domain_name, forward.forward_to);
      await refuseLoop(forward, item.operation_id);
    }
    await refuseTargets();
  };
  const act = confirmedAct(ruleBack(lane, item.data.zone, image, refuse), refuseTargets);
  return { ...act, record: () => ({ save, row }) };
}

const deletionWork: ItemWork<OpenAccount, Deletion> = {
  patience: IMPATIENT,
  open: (_lane, items, signal) => openAccount(items, { signal, foreground: true }),
  acts: ({ data, acts, user_id }, lane) =>
    zoneActs(user_id, data.zone, [deletionAct(lane, data, acts.find(({ state }) => state === 'undone')?.before)]),
  refused: foreignZones,
  undo: (item, lane) =>
    zoneActs(
      item.user_id,
      item.data.zone,
      item.acts.map(({ before }) => deletionBack(lane, item, before)),
    ),
  undoLocks: ({ data, acts }) => {
    const forwards = acts.flatMap(({ before }) => (before ? forwardsBy(before as PageRuleView) : []));
    return [...attachedBy(data), ...forwards].flatMap(attachLocks);
  },
};

/** The flow that deletes a rule. */
export const ruleDeleteFlow: Flow = itemFlow('rule_delete', deletionWork);
