import { checkServer } from '../services/accounts/server-check.ts';
import { decideHostKey } from '../services/accounts/server-keys.ts';
import { createServer, listServers, updateServer, viewOf } from '../services/accounts/servers.ts';
import { deleteTeamRow } from '../services/accounts/team.ts';
import { translate } from '../shared/i18n/index.ts';
import { renderCheckError } from '../shared/accounts/check-error.ts';
import { HostKeyDecision, ServerChange, ServerInput } from '../shared/accounts/servers.ts';
import { idOf, Nothing, route } from './route.ts';

export const servers = {
  'GET /api/servers': route({
    summary: "The team's servers; passwords for their creator and admins alone",
    run: async ({ actor, secrets, render }) => ({
      data: (await listServers(actor, secrets)).map((view) => renderCheckError(render, view)),
    }),
  }),
  'POST /api/servers': route({
    summary: 'Add a server',
    body: ServerInput,
    run: async ({ actor, body, secrets, render }) => ({
      data: renderCheckError(render, await createServer(actor, body, secrets)),
    }),
  }),
  'PUT /api/servers/:id': route({
    summary: 'Edit a server; what is absent stays, a new host needs the password again',
    body: ServerChange,
    run: async ({ actor, params, body, secrets, render }) => ({
      data: renderCheckError(render, await updateServer(actor, idOf(params), body, secrets)),
    }),
  }),
  'POST /api/servers/:id/test': route({
    summary: 'Try to sign in, SFTP and the web root, and keep what was found',
    body: Nothing,
    run: async ({ server, params, render }) => {
      const { code, said, ...keys } = await checkServer(server.config, idOf(params));
      return { data: { ok: code === null, code, message: render(said), ...keys } };
    },
  }),
  'POST /api/servers/:id/host_key': route({
    access: 'admin',
    summary: 'Accept another key that a server has shown, or keep the one it is known by',
    body: HostKeyDecision,
    run: async ({ actor, params, body, secrets, render }) => {
      const message = render(await decideHostKey(actor, idOf(params), body));
      return { message, data: renderCheckError(render, await viewOf(actor, idOf(params), secrets)) };
    },
  }),
  'DELETE /api/servers/:id': route({
    summary: 'Delete a server that nothing uses',
    run: async ({ actor, params, language }) => {
      const { name } = await deleteTeamRow(actor, 'servers', idOf(params));
      return { message: translate(language, 'server.deleted', { name }) };
    },
  }),
};
