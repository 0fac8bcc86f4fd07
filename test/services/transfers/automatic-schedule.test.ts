// The scheduler decides on moves right after a check; without a scheduler nothing happens.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { execute, select, transaction } from '../../../db/index.ts';
import { createLog } from '../../../src/lib/log.ts';
import { startSchedule } from '../../../src/operations/schedule.ts';
import { updateBlocklist } from '../../../src/services/checks/blocklist.ts';
import { startCheck } from '../../../src/services/checks/checks.ts';
import { jobs } from '../../../src/services/system/jobs.ts';
import { SYSTEM } from '../../../src/services/access/scope.ts';
import { makeOperation } from '../../api/calls.ts';
import { readEvents } from '../../support/events.ts';
import { request, startServer, type TestServer } from '../../support/server.ts';

let server: TestServer;
beforeEach(async () => {
  server = await startServer();
});
afterEach(() => server.close());

/** A project whose one main domain a list blocks; it has no reserve, so it can only be declined. */
async function seed(): Promise<void> {
  const { token } = server.admin;
  const { body } = await request(server, 'POST /api/projects', { token, body: { name: 'P' } });
  for (let index = 0; index < 9; index += 1) {
    const project_id = index === 0 ? body.data.id : null;
    await request(server, 'POST /api/domains', { token, body: { domain_name: `name-${index}.example`, project_id } });
  }
}

/** Runs a check on the server's worker with a new version of the list. */
async function look(version: number): Promise<void> {
  const file = join(server.config.dataDir, 'list.txt');
  writeFileSync(file, `name-0.example\nversion-${version}.example\n`);
  await updateBlocklist(server.config.blocklistDir, { file });
  await startCheck(SYSTEM, { steps: ['blocklist'] });
  await expect.poll(() => select(`SELECT 1 FROM operations WHERE state IN ('queued', 'running')`)).toEqual([]);
}

const declined = () => select<{ decision: string }>('SELECT decision FROM transfer_decisions');

test('a check that has stored its results is followed at once by the automatic decisions', async () => {
  await seed();
  const log = createLog('silent');
  const schedule = startSchedule(
    jobs(log).filter(({ name }) => name === 'auto_transfer'),
    log,
  );
  try {
    for (const version of [1, 2, 3]) await look(version);
    await expect.poll(declined).toEqual([{ decision: 'declined' }]);
  } finally {
    await schedule.stop();
  }
});

test('a check has no automatic decisions once the scheduler has stopped', async () => {
  await seed();
  const log = createLog('silent');
  await startSchedule(jobs(log), log).stop();
  for (const version of [1, 2, 3]) await look(version);
  expect(await declined()).toEqual([]);
});

test('a listener is told of the domain of a decision', async () => {
  await seed();
  const id = await makeOperation(server.admin);
  const held = `UPDATE operations SET state = 'running', lease_owner = 'another', lease_until = '9' WHERE id = $id`;
  await transaction(() => execute(held, { id }));
  const events = await readEvents(server, server.admin.token);
  // After its first event, the stream misses nothing.
  await events.find(({ event }) => event === 'operation');
  await transaction(() =>
    execute(
      `INSERT INTO transfer_decisions (domain_id, decision, reason, created_at)
       SELECT id, 'declined', '{"key":"auto_transfer.no_reserve"}', '' FROM domains WHERE domain_name = 'name-0.example'`,
    ),
  );
  const { data } = await events.find(({ event }) => event === 'domain');
  expect(data.domain_name).toBe('name-0.example');
  events.close();
});
