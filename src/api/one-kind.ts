import { findAccount } from '../services/accounts/accounts.ts';
import { decideHostKey } from '../services/accounts/server-keys.ts';
import { listRegistrarDomains } from '../services/portfolio/registrar-domains.ts';
import { renderCheckError } from '../shared/accounts/check-error.ts';
import { HostKeyDecision } from '../shared/accounts/host-keys.ts';
import { registrarKind } from '../shared/accounts/registrars.ts';
import { serverKind } from '../shared/accounts/servers.ts';
import { idOf, route } from './http/route.ts';

/** The calls of a single kind of account: the domains of a registrar, the host keys of a server. */
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
