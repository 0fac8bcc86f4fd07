import type { Flow, ItemWork } from '../../operations/flow.ts';
import { itemFlow } from '../../operations/items.ts';
import { itemOn } from '../../operations/locks.ts';
import { enqueue } from '../../operations/queue.ts';
import { notFound } from '../../shared/errors.ts';
import type { PageRuleView } from '../../shared/dns/rules.ts';
import { openDomainZone, toldToCaller } from './dns.ts';
import { IMPATIENT, runToEnd, throwFailure } from '../operations/foreground.ts';
import { notYours, zoneActs } from '../access/ownership.ts';
import { deleteRuleAct, listRules, ruleBack } from './rules.ts';
import type { Actor } from '../access/scope.ts';
import { accountLane } from '../accounts/lanes.ts';
import { openAccount, type ZoneItem, type OpenAccount } from './zones.ts';

interface Deletion extends ZoneItem {
  rule: string;
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
    return listRules(lane, zone.id);
  });

/**
 * Deletes a rule of a domain's zone while the caller waits; its operation can be restored. Throws as `domainRules`,
 * AppError `not_found` for a rule that the zone does not have, and as `throwFailure`.
 */
export async function deleteDomainRule(actor: Actor, domainId: number, rule: string): Promise<{ id: number }> {
  const { domain, zone, rules } = await toldToCaller(async () => {
    const open = await openWholeZone(actor, domainId);
    return { ...open, rules: await listRules(open.lane, open.zone.id) };
  });
  if (!rules.some(({ id }) => id === rule)) throw notFound();
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
          data: { zone: zone.name, rule } satisfies Deletion,
        },
      ],
    },
    true,
  );
  // If the process dies meanwhile, the next one ends the work.
  await runToEnd(id);
  await throwFailure(id);
  return { id };
}

const deletionWork: ItemWork<OpenAccount, Deletion> = {
  patience: IMPATIENT,
  open: (_lane, items, signal) => openAccount(items, { signal, foreground: true }),
  acts: ({ data: { zone, rule }, user_id }, lane) => zoneActs(user_id, zone, [deleteRuleAct(lane, zone, rule)]),
  undo: ({ data: { zone }, acts, user_id }, lane) =>
    zoneActs(
      user_id,
      zone,
      acts.map(({ before }) => ruleBack(lane, zone, before)),
    ),
};

/** The flow that deletes a rule. */
export const ruleDeleteFlow: Flow = itemFlow('rule_delete', deletionWork);
