import { checkServer } from '../services/accounts/server-check.ts';
import { decideHostKey } from '../services/accounts/server-keys.ts';
import { createServer, listServers, updateServer, viewOf } from '../services/accounts/servers.ts';
import { deleteTeamRow } from '../services/accounts/team.ts';
import { translate } from '../shared/i18n/index.ts';
import { HostKeyDecision, ServerChange, ServerInput } from '../shared/accounts/servers.ts';
import { idOf, Nothing, route } from './route.ts';

export const servers = {
  'GET /api/servers': route({
    summary: "The team's servers; passwords for their creator and admins alone",
    run: async ({ actor, secrets: shown, language }) => ({ data: await listServers(actor, { shown, language }) }),
  }),
  'POST /api/servers': route({
    summary: 'Add a server',
    body: ServerInput,
    run: async ({ actor, body, secrets: shown, language }) => ({
      data: await createServer(actor, body, { shown, language }),
    }),
  }),
  'PUT /api/servers/:id': route({
    summary: 'Edit a server; what is absent stays, a new host needs the password again',
    body: ServerChange,
    run: async ({ actor, params, body, secrets: shown, language }) => ({
      data: await updateServer(actor, idOf(params), body, { shown, language }),
    }),
  }),
  'POST /api/servers/:id/test': route({
    summary: 'Try to sign in, SFTP and the web root, and keep what was found',
    body: Nothing,
    run: async ({ server, params, language }) => {
      const { code, said, ...keys } = await checkServer(server.config, idOf(params));
      return { data: { ok: code === null, code, message: translate(language, said.key, said.params), ...keys } };
    },
  }),
  'POST /api/servers/:id/host_key': route({
    access: 'admin',
    summary: 'Accept another key that a server has shown, or keep the one it is known by',
    body: HostKeyDecision,
    run: async ({ actor, params, body, secrets: shown, language }) => {
      const { key, params: words } = await decideHostKey(actor, idOf(params), body);
      const data = await viewOf(actor, idOf(params), { shown, language });
      return { message: translate(language, key, words), data };
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
