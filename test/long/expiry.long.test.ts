// 10,000 look-ups over forty zones, at a hundredth of the time that the registries would take.
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { execute, select, transaction } from '../../db/index.ts';
import { registerFlows, runOperation } from '../../src/operations/engine.ts';
import type { Actor } from '../../src/services/access/scope.ts';
import { startExpiry } from '../../src/services/checks/check-expiry.ts';
import { flows } from '../../src/services/system/flows.ts';
import { addUser, startDatabase, type TestDatabase } from '../support/database.ts';
import { namesOver, startZones, tooFast, type Zones } from '../support/registrars/zones.ts';
import { temporaryConfig } from '../support/server.ts';

const NAMES = 10_000;
const PACE = { rdap: { calls: 10, seconds: 0.1, atOnce: 2 }, whois: { calls: 1, seconds: 0.03, atOnce: 1 } };

let zones: Zones;
let database: TestDatabase;
let ann: Actor;
beforeAll(async () => {
  zones = await startZones();
});
afterAll(() => zones.close());
beforeEach(async () => {
  database = await startDatabase();
  temporaryConfig({ registry: zones.config(PACE) }, database.folder);
  registerFlows(flows);
  ann = await addUser('ann');
});
afterEach(() => database.close());

test('10,000 look-ups keep the pace of each server, and ask for each name once', async () => {
  await transaction(() =>
    execute(
      `INSERT INTO domains (user_id, domain_name, unicode_name, file_path, type, transfer_type, transfer_dns, status, created_at, updated_at)
       SELECT $owner, value, value, '/', 'main', 'auto', 'off', 'available', '', '' FROM json_each($names)`,
      { owner: ann.id, names: JSON.stringify(namesOver(NAMES)) },
    ),
  );
  const { id } = await startExpiry(ann, {}, true);
  // Killed on the way, as it were: what was stored is not asked for again.
  const stop = new AbortController();
  setTimeout(() => stop.abort(), 5_000);
  expect(await runOperation(id, { signal: stop.signal })).toMatchObject({ state: 'queued' });
  expect(await runOperation(id)).toMatchObject({ state: 'succeeded', total: NAMES, done: NAMES, failed: 0 });
  expect(tooFast(zones.servers, PACE)).toEqual([]);
  const asked = zones.queries.filter((query) => query.includes('.'));
  // Those that were under way when it was stopped.
  expect(asked.length).toBeLessThanOrEqual(NAMES + 2 * zones.servers.size);
  expect(new Set(asked).size).toBe(NAMES);
  const [row] = await select<{ n: number }>('SELECT COUNT(*) AS n FROM domains WHERE expired_at IS NOT NULL');
  expect(row?.n).toBe(NAMES);
});
