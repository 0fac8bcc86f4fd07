import { planBulk, runBulk, undoBulk } from '../services/system/bulk.ts';
import type { Message, Render } from '../shared/i18n/index.ts';
import { BulkInput, BulkPlanInput, type BulkPlan } from '../shared/system/bulk.ts';
import { idOf, Nothing, route } from './http/route.ts';

const inWords = <P extends BulkPlan<Message>>(render: Render, plan: P) => ({
  ...plan,
  left: plan.left.map(({ reason, ...group }) => ({ ...group, reason: render(reason) })),
});

export const domainBulk = {
  'POST /api/domains_bulk/plan': route({
    summary: 'What an act would do with many domains, by their names or by a filter: which change, which stay and why',
    body: BulkPlanInput,
    run: async ({ actor, body, render }) => ({ data: inWords(render, await planBulk(actor, body)) }),
  }),
  'POST /api/domains_bulk': route({
    summary: 'An act on many domains; 409 where others are selected than those that the plan was shown of (`expected`)',
    body: BulkInput,
    run: async ({ actor, body, render }) => {
      const { message, ...done } = await runBulk(actor, body);
      return { message: render(message), data: inWords(render, done) };
    },
  }),
  'POST /api/domains_bulk/:id/undo': route({
    summary: 'Take an edit or a deletion of many domains back; what was changed since stays',
    body: Nothing,
    run: async ({ actor, params }) => ({ data: await undoBulk(actor, idOf(params)) }),
  }),
};
