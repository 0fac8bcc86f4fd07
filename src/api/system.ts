import { pingDatabase } from '../services/system.ts';
import { route } from './route.ts';

export const system = {
  'GET /api/health': route({
    access: 'anyone',
    summary: 'Whether the server and its database answer',
    run: async ({ server }) => {
      await pingDatabase();
      return { status: 'ok', version: server.version };
    },
  }),
  'GET /api/openapi.json': route({
    access: 'anyone',
    summary: 'This contract as OpenAPI 3.1',
    run: async ({ server }) => server.contract(),
  }),
};
