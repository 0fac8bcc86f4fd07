import { listCheckDays, listChecks } from '../services/checks/check-history.ts';
import { startDomainCheck } from '../services/checks/checks.ts';
import { decideDate, findRegistration } from '../services/checks/registration.ts';
import { renderRegistration } from '../shared/checks/registration.ts';
import {
  countDomains,
  findDomain,
  listDeleted,
  listDomains,
  listUserDomains,
} from '../services/portfolio/domain-lists.ts';
import { readExpiryCalendar } from '../services/portfolio/expiry-calendar.ts';
import { readDomainPage } from '../services/timeline/domain-pages.ts';
import { readTimeline } from '../services/timeline/timeline.ts';
import { createDomainWithSite, updateDomainWithSite, type SavedDomain } from '../services/sites/domain-sites.ts';
import { chosenNames, exportChosen, ExportStyle } from '../services/portfolio/domain-export.ts';
import { deleteDomain, DomainChange, restoreDomain } from '../services/portfolio/domains.ts';
import { z } from 'zod';
import { Day, DomainQuery, Selection } from '../shared/portfolio/domain-selection.ts';
import { domainFilter, DomainInput, Hostname } from '../shared/portfolio/domains.ts';
import { Paging } from '../shared/lists.ts';
import { translate, type Language, type Message, type Render } from '../shared/i18n/index.ts';
import { Was } from '../shared/stale.ts';
import type { Started } from '../shared/operations.ts';
import { BulkInput, BulkPlanInput, type BulkPlan } from '../shared/system/bulk.ts';
import { BulkWorkInput, BulkWorkPlanInput } from '../shared/system/bulk-work.ts';
import { planBulk, runBulk, undoBulk } from '../services/system/bulk.ts';
import { planWork, startWork } from '../services/system/bulk/work.ts';
import { TimelineQuery } from '../shared/timeline/timeline.ts';
import { MAX_HTML_BYTES } from '../shared/sites/sites.ts';
import { idOf, Nothing, route } from './http/route.ts';

const Filtered = Paging.extend(DomainQuery.pick({ status: true }).shape);
const Selected = Paging.extend(DomainQuery.shape);
const Chosen = z.object({ selection: Selection });

// Used only with a template; ignored without one, as in the form.
const HTML_FILE = ['html_file'];
// Twice the accepted size: a file that is a little too large gets its error at the field.
const uploadLimit = 2 * MAX_HTML_BYTES;

/** Whether to deploy the site; if absent, a new page is deployed if there is a server. */
const deploy = z.enum(['on', 'off']).optional();

const inWords = ({ message, ...saved }: SavedDomain, language: Language) => ({
  ...saved,
  ...(message && { message: translate(language, message.key, message.params) }),
});

const bulkInWords = <P extends BulkPlan<Message>>(
  render: Render,
  { left, ...plan }: P,
): Omit<P, 'left'> & Pick<BulkPlan, 'left'> => ({
  ...plan,
  left: left.map(({ reason, ...group }) => ({ ...group, reason: render(reason) })),
});

export const domains = {
  'GET /api/user_domains': route({
    summary: "The dashboard's lists: all, active, blocked, broken, expired",
    query: Filtered,
    run: ({ actor, query }) => listUserDomains(actor, domainFilter(query.status), query),
  }),
  'GET /api/dashboard': route({ summary: 'How many domains each list has', run: ({ actor }) => countDomains(actor) }),
  'GET /api/expiry_calendar': route({
    summary: "When registrations end, by day: thirteen months from that of `day`, by the reader's calendar",
    query: z.object({ day: Day.optional() }),
    run: ({ actor, query: { day } }) => readExpiryCalendar(actor, day ?? new Date().toISOString().slice(0, 10)),
  }),
  'GET /api/domains': route({
    summary: "The caller's domains",
    query: Selected.extend({ domain_name: Hostname.optional() }),
    run: ({ actor, query: { limit, offset, sort, search, status, ...selection } }) =>
      listDomains(actor, { ...selection, status: domainFilter(status) }, { limit, offset, sort, search }),
  }),
  'GET /api/domains/:id': route({
    summary: 'One domain',
    run: async ({ actor, params }) => ({ data: await findDomain(actor, idOf(params)) }),
  }),
  'GET /api/domains/:id/checks': route({
    summary:
      'What checks of a domain have found, newest first: a row for equal results in a row, from since to checked_at',
    query: Paging.pick({ limit: true, offset: true }),
    run: ({ actor, params, query }) => listChecks(actor, idOf(params), query),
  }),
  'POST /api/domains/:id/check': route({
    summary: 'Check a domain now: HTTP and blocklist. While a check of it runs, the same one',
    body: Nothing,
    run: async ({ actor, params, language, idempotencyKey }) => {
      const { id } = await startDomainCheck(actor, idOf(params), idempotencyKey);
      return { message: translate(language, 'check.one_started'), operation: { id } } satisfies Started;
    },
  }),
  'GET /api/domains/:id/check_days': route({
    summary:
      'How a domain has answered by day (UTC), newest first: checks, those that were up (2xx), median and worst ms',
    run: ({ actor, params }) => listCheckDays(actor, idOf(params)),
  }),
  'GET /api/domains/:id/timeline': route({
    summary:
      'What has happened to a domain, newest first: checks that changed its state, blocks, moves, DNS, deployments, purchases, positions; for administrators its log as well. `next` is the `before` of the following part',
    query: TimelineQuery,
    run: async ({ actor, params, query, render }) => {
      const { data, next } = await readTimeline(actor, idOf(params), query);
      return { data: data.map((entry) => Object.assign(entry, { text: render(entry.text) })), next };
    },
  }),
  'GET /api/domain_pages/:name': route({
    summary:
      'A domain by its name, in punycode or not, with what its page shows: since when it is red, and its reserves',
    run: async ({ actor, params: { name = '' } }) => ({ data: await readDomainPage(actor, name) }),
  }),
  'GET /api/domains/:id/registration': route({
    summary: 'Until when a domain is registered, who says so, and the state that its registry gives',
    run: async ({ actor, params, render }) => ({
      data: renderRegistration(render, await findRegistration(actor, idOf(params))),
    }),
  }),
  'POST /api/domains/:id/registration': route({
    summary: 'Take a date in doubt over, or turn it down',
    body: z.object({ decision: z.enum(['accept', 'ignore']), date: z.iso.datetime() }),
    run: async ({ actor, params, body, render }) => ({
      data: renderRegistration(render, await decideDate(actor, idOf(params), body)),
    }),
  }),
  'POST /api/domains': route({
    summary: 'Add a domain; with a template and a page (html_file) its site is deployed',
    body: DomainInput.extend({ deploy }),
    files: HTML_FILE,
    uploadLimit,
    run: async ({ actor, language, body: { deploy, ...body }, files, idempotencyKey: idem_key }) => {
      const upload = { file: files['html_file'], deploy, idem_key };
      return inWords(await createDomainWithSite(actor, body, upload), language);
    },
  }),
  'POST /api/domains/:id': route({
    summary:
      'Edit a domain; what is absent stays, and all of it (409, `stale`) where a field no longer holds what `was` says. A new page (html_file) is deployed',
    body: DomainChange.extend({ deploy, was: Was }),
    files: HTML_FILE,
    uploadLimit,
    run: async ({ actor, language, params, body, given, files, idempotencyKey: idem_key }) => {
      const { deploy, was, ...change } = body;
      const upload = { file: files['html_file'], deploy, idem_key };
      const saved = await updateDomainWithSite(actor, idOf(params), change, given, upload, was);
      return inWords(saved, language);
    },
  }),
  'DELETE /api/domains/:id': route({
    summary: 'Take a domain out of the portfolio',
    run: async ({ actor, params, language }) => {
      const { domain_name } = await deleteDomain(actor, idOf(params));
      return { message: translate(language, 'domain.deleted', { name: domain_name }) };
    },
  }),
  'GET /api/deleted_domains': route({
    summary:
      "The caller's last deleted domains that can be brought back, a hundred at most, or those of a name; the last one first",
    query: z.object({ domain_name: Hostname.optional() }),
    run: ({ actor, query: { domain_name } }) => listDeleted(actor, domain_name),
  }),
  'POST /api/domains/:id/restore': route({
    summary: 'Undo the deletion of a domain',
    body: Nothing,
    run: async ({ actor, params }) => ({ data: await restoreDomain(actor, idOf(params)) }),
  }),
  'POST /api/domains_bulk/plan': route({
    summary: 'Preview of an act on many domains, by their names or by a filter: which change, which stay and why',
    body: BulkPlanInput,
    run: async ({ actor, body, render }) => ({ data: bulkInWords(render, await planBulk(actor, body)) }),
  }),
  'POST /api/domains_bulk/work/plan': route({
    summary:
      'Which of many domains a check, DNS change, protection, deployment, move or redirect would reach, and why not others',
    body: BulkWorkPlanInput,
    run: async ({ actor, body, render }) => ({ data: bulkInWords(render, await planWork(actor, body)) }),
  }),
  'POST /api/domains_bulk/work': route({
    summary:
      'Work on many domains that reaches outside, as operations; 409 where the plan (`expected`) no longer holds',
    body: BulkWorkInput,
    run: async ({ actor, body, render, idempotencyKey }) => {
      const { message, operations, ...plan } = await startWork(actor, body, idempotencyKey);
      return { message: render(message), operations, data: bulkInWords(render, plan) };
    },
  }),
  'POST /api/domains_bulk/names': route({
    summary: 'The names of a selection, in punycode',
    body: Chosen,
    run: async ({ actor, body }) => ({ data: await chosenNames(actor, body.selection) }),
  }),
  'POST /api/domains_bulk/export': route({
    summary: 'A selection as CSV, with a name for the file',
    body: Chosen.extend(ExportStyle.shape),
    run: async ({ actor, body: { selection, ...style } }) => ({
      filename: `domains-${new Date().toISOString().slice(0, 10)}.csv`,
      csv: await exportChosen(actor, selection, style),
    }),
  }),
  'POST /api/domains_bulk': route({
    summary: 'An act on many domains; 409 where others are selected than those that the plan was shown of (`expected`)',
    body: BulkInput,
    run: async ({ actor, body, render }) => {
      const { message, ...done } = await runBulk(actor, body);
      return { message: render(message), data: bulkInWords(render, done) };
    },
  }),
  'POST /api/domains_bulk/:id/undo': route({
    summary: 'Take an edit or a deletion of many domains back; what was changed since stays',
    body: Nothing,
    run: async ({ actor, params }) => ({ data: await undoBulk(actor, idOf(params)) }),
  }),
};
