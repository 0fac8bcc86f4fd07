import type { PageRuleView } from '../../shared/dns/rules.ts';
import type { Forward } from './rows.ts';
import { FORWARDING, type Forwarding } from './rules.ts';

/** The pattern of a page rule for a domain and its `www`; it matches other names that end as the domain does. */
export const patternOf = (domain: string): string => `*${domain}/*`;
/** The pattern of a page rule for a domain alone. */
export const hostPatternOf = (domain: string): string => `${domain}/*`;
/** The expression of a redirect for hosts. */
export const expressionFor = (hosts: readonly string[]): string =>
  hosts.map((host) => `(http.host eq "${host}")`).join(' or ');
/** A domain and its `www`. */
export const hostsOf = (domain: string): string[] => [domain, `www.${domain}`];

/** Returns the address that a rule forwards a domain to; null where it does not match the domain, or does not forward. */
export function forwardOf({ targets, actions }: PageRuleView, domain: string): string | null {
  const speaksOf = targets.some(({ constraint: { value } }) =>
    [patternOf(domain), hostPatternOf(domain), expressionFor(hostsOf(domain)), expressionFor([domain])].includes(value),
  );
  const forwarding = actions.find(({ id }) => id === FORWARDING);
  return speaksOf && forwarding ? (forwarding.value as Forwarding).url : null;
}

/** The host of a rule's target, which may be an expression. */
export const hostIn = (target: string): string => /https?:\/\/([^/"]+)/.exec(target)?.[1] ?? target;

/** Returns those of the attached names that a rule, active or not, forwards to their main domains. */
export const forwardedBy = (rule: PageRuleView, attached: readonly Forward[]): Forward[] =>
  attached.filter(({ domain_name, forward_to }) => hostIn(forwardOf(rule, domain_name) ?? '') === forward_to);

/** Returns those of the attached names that deleted rules have forwarded, and none of those that are left does. */
export const releasedBy = (
  deleted: readonly PageRuleView[],
  left: readonly PageRuleView[],
  attached: readonly Forward[],
): Forward[] => {
  const isForwarded = (rules: readonly PageRuleView[], one: Forward): boolean =>
    rules.some((rule) => forwardedBy(rule, [one]).length > 0);
  const active = left.filter(({ status }) => status === 'active');
  return attached.filter((one) => isForwarded(deleted, one) && !isForwarded(active, one));
};

// The names of the patterns and expressions above.
const NAMES = /(?<=^\*?)[^*/\s]+(?=\/\*$)|(?<=http\.host eq ")[^"]+(?=")/g;

/** Returns each name that an active rule forwards by one of those, with the host that it is led to. */
export const forwardsBy = (rule: PageRuleView): Forward[] =>
  rule.targets
    .flatMap(({ constraint: { value } }) => value.match(NAMES) ?? [])
    .flatMap((domain_name) => {
      const forward_to = leadsTo(rule, domain_name);
      return forward_to === null ? [] : [{ domain_name, forward_to }];
    });

/** Returns the host that an active rule forwards a domain to, or null. */
export function leadsTo(rule: PageRuleView, domain: string): string | null {
  const target = rule.status === 'active' ? forwardOf(rule, domain) : null;
  return target === null ? null : hostIn(target);
}
