// The deletion of the rules that forward a domain, within longer work.
import type { Act } from '../../operations/flow.ts';
import type { StoredAct } from '../../shared/operations.ts';
import type { PageRuleView } from '../../shared/dns/rules.ts';
import { leadsTo, releasedBy } from './forward-rule.ts';
import { listAttachmentsAt, type Forward } from './rows.ts';
import { deleteRule, imagesOf, readRules, ruleBack, viewsOf, type RuleImage } from './rules.ts';
import type { OpenAccount } from './zones.ts';

/**
 * Returns the act that deletes the rules which forward a domain to one of `hosts`; all others stay, for a person. Its `after` has the attached
 * names that nothing forwards from then on: they are still to be released.
 */
export function unforwardAct(lane: OpenAccount, zone: string, domain: string, hosts: ReadonlySet<string>): Act {
  return {
    name: 'unforward',
    class: 'set',
    look: async () => {
      const found = await lane.findZone(zone);
      if (!found) return null;
      const all = await readRules(lane, found.id);
      const isMeant = (rule: PageRuleView): boolean => hosts.has(leadsTo(rule, domain) ?? '');
      const rules = imagesOf(all, isMeant);
      if (rules.length === 0) return null;
      const left = viewsOf(all).filter((rule) => !isMeant(rule));
      const released = releasedBy(rules, left, await listAttachmentsAt(found.name));
      const perform = async (): Promise<void> => {
        for (const { id } of rules) await deleteRule(lane, found.id, id);
      };
      return { before: rules, after: released.length === 0 ? null : { released }, perform };
    },
    // Rules that an earlier try has deleted are not seen any more.
    merge: (earlier) => earlier,
  };
}

/** Returns the attached names that an `unforwardAct` has left to be released. */
export const releasedIn = ({ after }: StoredAct): Forward[] =>
  ((after ?? {}) as { released?: Forward[] }).released ?? [];

/** Returns the act that restores what an `unforwardAct` has deleted. */
export function unforwardBack(lane: OpenAccount, zone: string, before: unknown): Act {
  const acts = (before as RuleImage[]).map((rule) => ruleBack(lane, zone, rule));
  return {
    name: 'unforward',
    class: 'set',
    look: async () => {
      const changes = [];
      for (const act of acts) changes.push(await act.look());
      const left = changes.filter((change) => change !== null);
      const perform = async (): Promise<void> => {
        for (const change of left) await change.perform();
      };
      return left.length === 0 ? null : { before: null, after: before, perform };
    },
  };
}
