import { checkDisk, checkRounds, checkWrites, pingDatabase } from '../services/system/system.ts';
import { installedVersion } from '../lib/package.ts';
import { knownNewer } from '../services/system/newer.ts';
import { route } from './http/route.ts';

export const system = {
  'GET /api/health': route({
    access: 'anyone',
    summary:
      'Whether the server and its database answer, the disk takes a write and writes to the database go through (503 `database_locked` once another process has kept them waiting for some seconds), whether the first user is still to be made, whether this is a demo, in `installed` the version whose files are installed (another than `version`: this process began before an update; null while files are replaced), in `newer` the migrations of a newer version that have changed the database since this process began (it works on until it is started anew; seen within a minute), and in `schedule` when the last round of checks ended (`finished_at`, `age_seconds`) and by how much the next one is late (`late_seconds`, 0 where it is not; null where none has run or the job is off)',
    run: async ({ server }) => {
      const first_run = await pingDatabase();
      await checkDisk();
      await checkWrites();
      const schedule = await checkRounds();
      const { version, config } = server;
      const installed = await installedVersion();
      return { status: 'ok', version, installed, newer: knownNewer(), first_run, demo: config.demo, schedule };
    },
  }),
  'GET /api/openapi.json': route({
    access: 'anyone',
    summary: 'This contract as OpenAPI 3.1',
    run: async ({ server }) => server.contract(),
  }),
};
