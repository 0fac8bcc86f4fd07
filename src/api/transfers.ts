import { planTransfer, startTransfer, transferHistory } from '../services/transfers/transfers.ts';
import { Paging } from '../shared/lists.ts';
import { translate } from '../shared/i18n/index.ts';
import { renderPlan } from '../shared/operations.ts';
import { TransferInput } from '../shared/transfers/transfer-plan.ts';
import { idOf, route } from './route.ts';

export const transfers = {
  'POST /api/transfer_explicit': route({
    summary: 'Move the site of a main domain to a reserve of its project',
    body: TransferInput,
    run: async ({ actor, body, language, idempotencyKey }) => {
      const { id } = await startTransfer(actor, body, { idem_key: idempotencyKey });
      return { message: translate(language, 'transfer.started'), operation: { id } };
    },
  }),
  'POST /api/transfer_explicit/plan': route({
    summary: 'What transfer_explicit would change, found by looking, and how ready the reserve is; nothing is written',
    body: TransferInput,
    run: async ({ actor, body, render }) => {
      const { readiness, warnings, ...plan } = await planTransfer(actor, body);
      const texts = warnings.map((warning) => ({ code: warning.key, text: render(warning) }));
      return { data: { ...renderPlan(render, plan), readiness, warnings: texts } };
    },
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
