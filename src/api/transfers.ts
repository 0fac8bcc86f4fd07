import { z } from 'zod';
import { planAutoTransfer, startAutoTransfer } from '../services/transfers/automatic.ts';
import { listDecisions, logDecisions } from '../services/transfers/decisions.ts';
import { readTransferPage } from '../services/transfers/page.ts';
import { lookAsVisitor } from '../services/transfers/visitor.ts';
import { planTransfer, startTransfer, transferHistory } from '../services/transfers/transfers.ts';
import { Paging } from '../shared/lists.ts';
import { translate } from '../shared/i18n/index.ts';
import { renderPlan, type Started } from '../shared/operations.ts';
import { Id } from '../shared/text.ts';
import { LookInput, renderTransferPage, WhichMove } from '../shared/transfers/transfer-page.ts';
import { TransferInput } from '../shared/transfers/transfer-plan.ts';
import { AutoTransferInput, type AutoTransferPlan } from '../shared/transfers/transfers.ts';
import { idOf, route } from './http/route.ts';

const Listed = Paging.pick({ limit: true, offset: true }).extend({
  project: Id.optional(),
  current: z.enum(['on', 'off']).optional(),
});

export const transfers = {
  'POST /api/trigger_auto_transfer': route({
    summary: "Move the project's blocked main domains to its ready reserves",
    body: AutoTransferInput,
    run: async ({ server, actor, body, language, idempotencyKey }) => {
      const { id, message, decisions } = await startAutoTransfer(actor, body, {
        idem_key: idempotencyKey,
      });
      logDecisions(server.log, null, decisions);
      return { message: translate(language, message.key, message.params), operation: { id } } satisfies Started;
    },
  }),
  'POST /api/trigger_auto_transfer/plan': route({
    summary: 'Which domain would move to which reserve, and why others would stay',
    body: AutoTransferInput,
    run: async ({ actor, body, language }) => {
      const { choices, plan } = await planAutoTransfer(actor, body);
      return {
        plan,
        items: choices.map(({ main, target, decision, reason }) => ({
          domain: main.domain_name,
          target: target?.domain_name ?? null,
          decision,
          reason: translate(language, reason.key, reason.params),
          code: reason.key,
        })),
      } satisfies AutoTransferPlan;
    },
  }),
  'GET /api/transfer_decisions': route({
    summary:
      'Decisions of automatic transfer, newest first, and the reasons that stop it; `current`: those that stand now',
    query: Listed,
    run: async ({ actor, render, query: { project, current, ...page } }) => {
      const { data, stop, ...rest } = await listDecisions(actor, { project, current: current === 'on' }, page);
      return {
        data: data.map((decision) => Object.assign(decision, { reason: render(decision.reason) })),
        ...rest,
        stop: stop && { ...stop, reason: render(stop.reason) },
      };
    },
  }),
  'POST /api/transfer_explicit': route({
    summary: 'Move the site of a main domain to a reserve of its project',
    body: TransferInput,
    run: async ({ actor, body, language, idempotencyKey }) => {
      const { id } = await startTransfer(actor, body, { idem_key: idempotencyKey });
      return { message: translate(language, 'transfer.started'), operation: { id } };
    },
  }),
  'POST /api/transfer_explicit/plan': route({
    summary: 'Plan of transfer_explicit, found by looking, with the readiness of the reserve; nothing is written',
    body: TransferInput,
    run: async ({ actor, body, render }) => {
      const { readiness, warnings, ...plan } = await planTransfer(actor, body);
      const texts = warnings.map((warning) => ({ code: warning.key, text: render(warning) }));
      return { data: { ...renderPlan(render, plan), readiness, warnings: texts } };
    },
  }),
  'GET /api/transfer_pages/:id': route({
    summary:
      'A transfer by its operation, running or ended: its moves, and one of them (`move`) with both names, what was done, and what it asks of a person',
    query: WhichMove,
    run: async ({ actor, params, query: { move }, render }) => ({
      data: renderTransferPage(render, await readTransferPage(actor, idOf(params), move)),
    }),
  }),
  'POST /api/transfer_pages/:id/look': route({
    summary: 'Answers to visitors of both names of a move, asked from outside by name; nothing is stored',
    body: LookInput,
    run: async ({ actor, params, body: { move } }) => ({ data: await lookAsVisitor(actor, idOf(params), move) }),
  }),
  'GET /api/domain_transfer_history/:id': route({
    summary: 'The moves that a domain took part in, newest first',
    query: Paging,
    run: async ({ actor, params, query, render }) => {
      const list = await transferHistory(actor, idOf(params), query);
      return {
        ...list,
        data: list.data.map((entry) => Object.assign(entry, { warning: entry.warning && render(entry.warning) })),
      };
    },
  }),
};
