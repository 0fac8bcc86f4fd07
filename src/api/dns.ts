import { planDnsChange, startDnsChange } from '../services/dns/change.ts';
import { domainDns, planDomainDns } from '../services/dns/dns.ts';
import { saveDomainDns } from '../services/dns/dns-edit.ts';
import { attachedNames, deleteDomainRule, domainRules } from '../services/dns/domain-rules.ts';
import { checkDomainRedirects } from '../services/dns/redirects.ts';
import { DomainDnsInput, DomainDnsQuery, ManageDnsInput } from '../shared/dns/dns-changes.ts';
import { translate } from '../shared/i18n/index.ts';
import { renderPlan } from '../shared/operations.ts';
import { idOf, route } from './http/route.ts';

export const dns = {
  'POST /api/manage_dns': route({
    summary:
      'Point a domain at a server through a CDN account, or attach domains to one (`pageRules`); that one in its own list is pointed only',
    body: ManageDnsInput,
    run: async ({ actor, body, language, idempotencyKey }) => {
      const { id } = await startDnsChange(actor, body, { idem_key: idempotencyKey });
      const key = body.pageRules ? 'dns.attaching' : 'dns.changing';
      const params = { domain: body.domainName, n: body.pageRules ? new Set(body.pageRules).size : 1 };
      return { message: translate(language, key, params), operation: { id } };
    },
  }),
  'POST /api/manage_dns/plan': route({
    summary: 'Plan of manage_dns, found by looking; nothing is written',
    body: ManageDnsInput,
    run: async ({ actor, body, render }) => ({
      data: renderPlan(render, await planDnsChange(actor, body)),
    }),
  }),
  'GET /api/domain_dns/:id': route({
    summary:
      "The records of a domain's zone, in `account_id` where that is another account than the domain's; `others` are never touched",
    query: DomainDnsQuery,
    run: ({ actor, params, query }) => domainDns(actor, idOf(params), query.account_id ?? undefined),
  }),
  'POST /api/domain_dns/:id': route({
    summary: "The whole set of a zone's editable records: what is absent is deleted",
    body: DomainDnsInput,
    run: ({ actor, params, body }) => saveDomainDns(actor, idOf(params), body),
  }),
  'POST /api/domain_dns/:id/plan': route({
    summary: 'Plan of saving these records; nothing is written',
    body: DomainDnsInput,
    run: async ({ actor, params, body }) => ({
      data: await planDomainDns(actor, idOf(params), body),
    }),
  }),
  'GET /api/domain_page_rules/:id': route({
    summary:
      "The page rules of a domain's zone, then its single redirects; `attached`: the names that are attached to it",
    run: async ({ actor, params }) => ({
      data: { result: await domainRules(actor, idOf(params)), attached: await attachedNames(actor, idOf(params)) },
    }),
  }),
  'DELETE /api/domain_page_rules/:domainId/:ruleId': route({
    summary: "Delete a rule of a domain's zone",
    run: async ({ actor, params, language }) => {
      const operation = await deleteDomainRule(actor, idOf(params, 'domainId'), params['ruleId'] ?? '');
      return { message: translate(language, 'rules.deleted'), operation };
    },
  }),
  'GET /api/check_domain_redirect/:id': route({
    summary: 'Where a domain leads, hop by hop',
    run: ({ actor, params }) => checkDomainRedirects(actor, idOf(params)),
  }),
};
