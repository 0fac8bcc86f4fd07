import { findAccount } from '../services/accounts/accounts.ts';
import { decideHostKey } from '../services/accounts/server-keys.ts';
import { renderCheckError } from '../shared/accounts/check-error.ts';
import { HostKeyDecision } from '../shared/accounts/host-keys.ts';
import { serverKind } from '../shared/accounts/servers.ts';
import { idOf, route } from './route.ts';

export const hostKeys = {
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
