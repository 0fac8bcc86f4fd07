import { checkDisk, pingDatabase } from '../services/system/system.ts';
import { route } from './http/route.ts';

export const system = {
  'GET /api/health': route({
    access: 'anyone',
    summary:
      'Whether the server and its database answer and the disk takes a write, whether the first user is still to be made, and whether this is a demo',
    run: async ({ server }) => {
      const first_run = await pingDatabase();
      await checkDisk();
      return { status: 'ok', version: server.version, first_run, demo: server.config.demo };
    },
  }),
  'GET /api/openapi.json': route({
    access: 'anyone',
    summary: 'This contract as OpenAPI 3.1',
    run: async ({ server }) => server.contract(),
  }),
};
