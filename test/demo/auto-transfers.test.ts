// A new user of the demo finds blocked domains with ready reserves and can move them: nothing moves by itself.
import { rmSync } from 'node:fs';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { closeDatabase, openDatabase, select } from '../../db/index.ts';
import { startDemo, type Demo } from '../../src/demo/index.ts';
import { useConfig, type Config } from '../../src/lib/config.ts';
import { registerFlows, runOperation } from '../../src/operations/engine.ts';
import { planAutoTransfer, runAutoTransfers } from '../../src/services/transfers/automatic.ts';
import { startCheck } from '../../src/services/checks/checks.ts';
import { flows } from '../../src/services/system/flows.ts';
import { SYSTEM } from '../../src/services/access/scope.ts';
import { temporaryConfig } from '../support/server.ts';

let config: Config;
let demo: Demo;
beforeEach(async () => {
  config = temporaryConfig();
  demo = await startDemo(config, { size: undefined, frozen: false });
  useConfig(demo.config);
  await openDatabase(demo.config.databaseFile);
  registerFlows(flows);
});
afterEach(async () => {
  await closeDatabase();
  await demo.close();
  rmSync(config.dataDir, { recursive: true });
});

test('the blocked domains of the demo have too few witnesses to move automatically, however often the same list is checked, but can move on request', async () => {
  const begun = new Date().toISOString();
  const decisions = async () => (await runAutoTransfers(SYSTEM)).decisions.map(({ decision }) => decision);
  const seeded = await decisions();
  expect(seeded.length).toBeGreaterThan(3);
  for (let look = 0; look < 4; look += 1) {
    const { id } = await startCheck(SYSTEM, { steps: ['blocklist'] }, true);
    await runOperation(id);
    expect(new Set(await decisions())).toEqual(new Set(['waiting']));
  }
  expect(await select(`SELECT 1 FROM operations WHERE kind = 'transfer' AND created_at > $begun`, { begun })).toEqual(
    [],
  );
  expect(await select('SELECT 1 FROM transfer_decisions UNION ALL SELECT 1 FROM transfer_stops')).toEqual([]);
  const projects = await select<{ id: number }>('SELECT id FROM projects');
  const planned = await Promise.all(projects.map(({ id }) => planAutoTransfer(SYSTEM, { project: id })));
  const started = planned.flatMap(({ choices }) => choices.filter(({ decision }) => decision === 'started'));
  expect(started.length).toBeGreaterThan(3);
});
