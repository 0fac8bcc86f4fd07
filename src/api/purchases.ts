import { readBudget, readPurchasesState, setBudget, switchPurchases } from '../services/purchases/budget.ts';
import { approvePurchase, resolvePurchase } from '../services/purchases/decisions.ts';
import { findPurchase, listPurchases } from '../services/purchases/purchases.ts';
import { planRenewals } from '../services/purchases/renewal-quotes.ts';
import { startRenewals } from '../services/purchases/renewals.ts';
import { translate, type Render } from '../shared/i18n/index.ts';
import {
  BudgetInput,
  PurchaseSelection,
  ResolveInput,
  SwitchInput,
  type BudgetView,
  type PurchaseView,
} from '../shared/purchases/purchases.ts';
import { RenewalInput, RenewalPlanInput, renderRenewals } from '../shared/purchases/renewals.ts';
import { idOf, route } from './http/route.ts';

const shown = (render: Render, purchase: PurchaseView): PurchaseView<string> => ({
  ...purchase,
  error: purchase.error && render(purchase.error),
  evidence: purchase.evidence.map(({ at, said }) => ({ at, said: render(said) })),
});

const budgetShown = (render: Render, { reason, ...budget }: BudgetView) => ({
  ...budget,
  reason: reason && render(reason),
});

export const purchases = {
  'GET /api/purchases': route({
    summary: 'The ledger of purchases, the newest first: all for an admin, those of own projects for a user',
    query: PurchaseSelection,
    run: async ({ actor, query, render }) => {
      const list = await listPurchases(actor, query);
      return { ...list, data: list.data.map((one) => shown(render, one)) };
    },
  }),
  'GET /api/purchases/state': route({
    summary: 'Whether purchases are on, and whether they are only simulated because no caps are set',
    run: async () => ({ data: await readPurchasesState() }),
  }),
  'GET /api/purchases/:id': route({
    summary: 'A purchase with what is known of its order',
    run: async ({ actor, params, render }) => shown(render, await findPurchase(actor, idOf(params))),
  }),
  'POST /api/purchases/state': route({
    access: 'admin',
    summary: 'Switches all purchases on or off, for every process, before its next order',
    body: SwitchInput,
    run: async ({ body, render }) => ({ data: budgetShown(render, await switchPurchases(body.state)) }),
  }),
  'POST /api/purchases/:id/approve': route({
    access: 'admin',
    summary: 'Approves a purchase that another admin or user has asked for',
    run: async ({ actor, params, render }) => {
      const { id } = await approvePurchase(actor, idOf(params));
      return { data: shown(render, await findPurchase(actor, id)) };
    },
  }),
  'POST /api/purchases/:id/resolve': route({
    access: 'admin',
    summary: 'Ends a purchase whose end is not known, by a person’s word; declines one that was not sent',
    body: ResolveInput,
    run: async ({ actor, params, body, render }) => {
      const { id } = await resolvePurchase(actor, idOf(params), body.outcome === 'bought', body.state);
      return { data: shown(render, await findPurchase(actor, id)) };
    },
  }),
  'POST /api/renewals/plan': route({
    summary: 'The prices of renewing domains for a year, asked of their registrars, and whether the budget allows them',
    body: RenewalPlanInput,
    run: async ({ actor, body, render }) => ({ data: renderRenewals(render, await planRenewals(actor, body.ids)) }),
  }),
  'POST /api/renewals': route({
    summary: 'Renew domains for a year, at the prices that were shown, through the ledger of purchases',
    body: RenewalInput,
    run: async ({ actor, body, language, idempotencyKey }) => {
      const { id } = await startRenewals(actor, body, { idem_key: idempotencyKey });
      return { message: translate(language, 'renewal.started'), operation: { id } };
    },
  }),
  'GET /api/budget': route({
    access: 'admin',
    summary: 'The caps, what is left of them today, and whether purchases are on',
    run: async ({ render }) => ({ data: budgetShown(render, await readBudget()) }),
  }),
  'PUT /api/budget': route({
    access: 'admin',
    summary: 'Sets caps and limits; an amount of null removes a cap',
    body: BudgetInput,
    run: async ({ body, render }) => {
      const { warnings, ...budget } = await setBudget(body);
      return { data: budgetShown(render, budget), warnings: warnings.map(render) };
    },
  }),
};
