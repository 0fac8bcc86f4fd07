import { findAccount } from '../services/accounts/accounts.ts';
import { decideHostKey } from '../services/accounts/server-keys.ts';
import { listRegistrarDomains } from '../services/portfolio/registrar-domains.ts';
import { planRenewals, startRenewals } from '../services/purchases/renewals.ts';
import { renderCheckError } from '../shared/accounts/check-error.ts';
import { HostKeyDecision } from '../shared/accounts/host-keys.ts';
import { registrarKind } from '../shared/accounts/registrars.ts';
import { serverKind } from '../shared/accounts/servers.ts';
import { translate } from '../shared/i18n/index.ts';
import { RenewalInput, RenewalPlanInput, renderRenewals } from '../shared/purchases/renewals.ts';
import { idOf, route } from './route.ts';

/** What one kind of account alone has: the domains of a registrar and their renewal, the host keys of a server. */
export const oneKind = {
  'GET /api/registrars/:id': route({
    summary: 'A registrar with its domains and their expiry, asked of it now',
    run: async ({ actor, params, secrets, render }) => {
      const id = idOf(params);
      const view = renderCheckError(render, await findAccount(actor, registrarKind, id, secrets));
      const { domains, gone } = await listRegistrarDomains(actor, id);
      return { ...view, domains, gone };
    },
  }),
  'POST /api/renewals/plan': route({
    summary: 'What renewing domains for a year would cost, asked of their registrars, and what the budget allows',
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
  'POST /api/servers/:id/host_key': route({
    access: 'admin',
    summary: 'Accept another key that a server has shown, or keep the one it is known by',
    body: HostKeyDecision,
    run: async ({ actor, params, body, secrets, render }) => {
      const message = render(await decideHostKey(actor, idOf(params), body));
      return { message, data: renderCheckError(render, await findAccount(actor, serverKind, idOf(params), secrets)) };
    },
  }),
};
