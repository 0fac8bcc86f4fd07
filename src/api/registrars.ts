import { findAccount } from '../services/accounts/accounts.ts';
import { listRegistrarDomains } from '../services/portfolio/registrar-domains.ts';
import { renderCheckError } from '../shared/accounts/check-error.ts';
import { registrarKind } from '../shared/accounts/registrars.ts';
import { idOf, route } from './route.ts';

export const registrars = {
  'GET /api/registrars/:id': route({
    summary: 'A registrar with its domains and their expiry, asked of it now',
    run: async ({ actor, params, secrets, render }) => {
      const id = idOf(params);
      const view = renderCheckError(render, await findAccount(actor, registrarKind, id, secrets));
      const { domains, gone } = await listRegistrarDomains(actor, id);
      return { ...view, domains, gone };
    },
  }),
};
