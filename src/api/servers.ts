import { createServer, listServers, updateServer } from '../services/servers.ts';
import { deleteTeamRow } from '../services/team.ts';
import { translate } from '../shared/i18n/index.ts';
import { ServerChange, ServerInput } from '../shared/servers.ts';
import { idOf, route } from './route.ts';

export const servers = {
  'GET /api/servers': route({
    summary: "The team's servers; passwords for their creator and admins alone",
    run: async ({ actor, secrets }) => ({ data: await listServers(actor, secrets) }),
  }),
  'POST /api/servers': route({
    summary: 'Add a server',
    body: ServerInput,
    run: async ({ actor, body, secrets }) => ({ data: await createServer(actor, body, secrets) }),
  }),
  'PUT /api/servers/:id': route({
    summary: 'Edit a server; what is absent stays, a new host needs the password again',
    body: ServerChange,
    run: async ({ actor, params, body, secrets }) => ({ data: await updateServer(actor, idOf(params), body, secrets) }),
  }),
  'DELETE /api/servers/:id': route({
    summary: 'Delete a server that nothing uses',
    run: async ({ actor, params, language }) => {
      const { name } = await deleteTeamRow(actor, 'servers', idOf(params));
      return { message: translate(language, 'server.deleted', { name }) };
    },
  }),
};
