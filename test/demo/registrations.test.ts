// The registrations of the demo: what a person is to look at is there from the start, and look-ups find the same.
import { rmSync } from 'node:fs';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { closeDatabase, execute, openDatabase, transaction } from '../../db/index.ts';
import { startDemo, type Demo } from '../../src/demo/index.ts';
import { useConfig, type Config } from '../../src/lib/config.ts';
import { registerFlows, runOperation } from '../../src/operations/engine.ts';
import { SYSTEM } from '../../src/services/access/scope.ts';
import { listRegistrations, startExpiry } from '../../src/services/checks/check-expiry.ts';
import { flows } from '../../src/services/system/flows.ts';
import { temporaryConfig } from '../support/server.ts';

let config: Config;
let demo: Demo;
beforeEach(async () => {
  config = temporaryConfig();
  demo = await startDemo(config, { size: 120, frozen: false });
  useConfig(demo.config);
  await openDatabase(demo.config.databaseFile);
  registerFlows(flows);
});
afterEach(async () => {
  await closeDatabase();
  await demo.close();
  rmSync(config.dataDir, { recursive: true });
});

const found = async () =>
  (await listRegistrations(SYSTEM, {})).map(({ domain, status, source, suspect, error }) => ({
    domain,
    status,
    source,
    doubt: suspect?.source ?? null,
    error: error?.key ?? null,
  }));

test('every state that asks for a person is there, and a look-up of everything finds the same', async () => {
  const seeded = await found();
  const states = new Set(seeded.map(({ status }) => status));
  expect(states).toEqual(new Set(['hold', 'not_delegated', 'ok', 'redemption']));
  expect(seeded.filter(({ doubt }) => doubt !== null)).toHaveLength(2);
  expect(new Set(seeded.map(({ source }) => source))).toEqual(new Set(['registrar', 'whois', 'rdap', 'hand']));
  const first = await startExpiry(SYSTEM, {}, true);
  await runOperation(first.id);
  await transaction(() => execute(`UPDATE domain_registrations SET looked_up_at = '2020-01-01', registry_at = NULL`));
  const { id } = await startExpiry(SYSTEM, {}, true);
  expect(await runOperation(id)).toMatchObject({ state: 'succeeded', total: 120, done: 120, failed: 0 });
  expect(await found()).toEqual(seeded);
});
