import type { Act, Flow, ItemWork } from '../../operations/flow.ts';
import { itemFlow } from '../../operations/items.ts';
import { itemOn } from '../../operations/locks.ts';
import { persistently } from '../../operations/plan.ts';
import { enqueue } from '../../operations/queue.ts';
import { notFound } from '../../shared/errors.ts';
import type { PageRuleView } from '../../shared/dns/rules.ts';
import { openDomainZone, toldToCaller } from './dns.ts';
import { IMPATIENT, runToEnd, throwFailure } from '../operations/foreground.ts';
import { notYours, zoneActs } from '../access/ownership.ts';
import { forwardedBy } from './forward-rule.ts';
import { deleteAttachments, listAttachmentsAt, upsertAttachments, type Forward } from './rows.ts';
import { deleteRuleAct, listRules, ruleBack } from './rules.ts';
import type { Actor } from '../access/scope.ts';
import { accountLane } from '../accounts/lanes.ts';
import { openAccount, type ZoneItem, type OpenAccount } from './zones.ts';

interface Deletion extends ZoneItem {
  rule: string;
  /** The attached names that no rule forwards without it: their holders have them no more. Absent in rows of older versions. */
  released?: Forward[];
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
  const left = rules.filter((one) => one !== deleted && one.status === 'active');
  const attached = forwardedBy(deleted, await listAttachmentsAt(zone.name));
  const released = attached.filter((one) => left.every((rule) => forwardedBy(rule, [one]).length === 0));
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
          data: { zone: zone.name, rule, released } satisfies Deletion,
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

/** Writes the attached names of an act, each of whose rows is a list of them, by `save`. */
const attachedBy = <Row>(save: (rows: readonly Row[]) => Promise<void>, row: readonly Row[]): Pick<Act, 'record'> =>
  row.length === 0 ? {} : { record: () => ({ save: (rows: (readonly Row[])[]) => save(rows.flat()), row }) };

const deletionWork: ItemWork<OpenAccount, Deletion> = {
  patience: IMPATIENT,
  open: (_lane, items, signal) => openAccount(items, { signal, foreground: true }),
  acts: ({ data: { zone, rule, released = [] }, user_id }, lane) =>
    zoneActs(user_id, zone, [{ ...deleteRuleAct(lane, zone, rule), ...attachedBy(deleteAttachments, released) }]),
  undo: ({ data: { zone, released = [] }, acts, user_id, lane_id }, lane) => {
    const rows = released.map((one) => ({ ...one, account_id: lane_id ?? 0 }));
    return zoneActs(
      user_id,
      zone,
      acts.map(({ before }) => ({ ...ruleBack(lane, zone, before), ...attachedBy(upsertAttachments, rows) })),
    );
  },
};

/** The flow that deletes a rule. */
export const ruleDeleteFlow: Flow = itemFlow('rule_delete', deletionWork);
