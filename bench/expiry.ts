import { execute, transaction } from '../db/index.ts';
import { registerFlows, runOperation } from '../src/operations/engine.ts';
import { startExpiry } from '../src/services/checks/check-expiry.ts';
import { flows } from '../src/services/system/flows.ts';
import { addUser, startDatabase } from '../test/support/database.ts';
import { namesOver, startZones, tooFast } from '../test/support/registrars/zones.ts';
import { temporaryConfig } from '../test/support/server.ts';

const NAMES = 10_000;
// A fiftieth of the real ones: one query in three seconds, ten in ten.
const PACE = { rdap: { calls: 10, seconds: 0.2, atOnce: 2 }, whois: { calls: 1, seconds: 0.06, atOnce: 1 } };

/** Looks 10,000 names over forty zones up, and prints the time beside the least that the pace of the slowest server allows. */
export async function benchExpiry(): Promise<void> {
  const zones = await startZones();
  const database = await startDatabase();
  try {
    temporaryConfig({ registry: zones.config(PACE) }, database.folder);
    registerFlows(flows);
    const ann = await addUser('ann');
    await transaction(() =>
      execute(
        `INSERT INTO domains (user_id, domain_name, unicode_name, file_path, type, transfer_type, transfer_dns, status, created_at, updated_at)
         SELECT $owner, value, value, '/', 'main', 'auto', 'off', 'available', '', '' FROM json_each($names)`,
        { owner: ann.id, names: JSON.stringify(namesOver(NAMES)) },
      ),
    );
    const { id } = await startExpiry(ann, {}, true);
    const start = performance.now();
    const { state, done, failed } = await runOperation(id);
    const seconds = (performance.now() - start) / 1000;
    const bounds = [...zones.servers].map(([server, { at }]) => {
      const pace = PACE[server.startsWith('rdap') ? 'rdap' : 'whois'];
      return { server, seconds: Math.floor((at.length - 1) / pace.calls) * pace.seconds, queries: at.length };
    });
    const slowest = bounds.toSorted((one, other) => other.seconds - one.seconds)[0];
    if (!slowest) return;
    console.log(`${state}: ${done} looked up, ${failed} without an answer, ${zones.servers.size} servers`);
    console.log(
      `the slowest, ${slowest.server}, takes ${slowest.queries} queries in ${slowest.seconds.toFixed(1)} s at least`,
    );
    console.log(`all took ${seconds.toFixed(1)} s: ${(seconds / slowest.seconds).toFixed(3)} × the bound of the pace`);
    console.log(`servers asked too fast: ${tooFast(zones.servers, PACE).join('; ') || 'none'}`);
  } finally {
    await database.close();
    await zones.close();
  }
}
