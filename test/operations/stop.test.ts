// A process that stops while its work hears of no stop.
import { once } from 'node:events';
import { expect, test } from 'vitest';
import { closeDatabase, openDatabase } from '../../db/index.ts';
import { migrate } from '../../db/migrate.ts';
import { databaseAddress } from '../../src/lib/database-address.ts';
import { startDelivery } from '../../src/operations/delivery.ts';
import { embeddedDelivery } from '../../src/operations/embedded-delivery.ts';
import { registerFlows } from '../../src/operations/engine.ts';
import { operationRow } from '../../src/operations/lease.ts';
import { enqueue } from '../../src/operations/queue.ts';
import { startChild } from '../support/child.ts';
import { newInstallation, removeInstallation } from '../support/server.ts';
import { freeLease, log } from './steps.ts';

test('a worker ends in time with the exit code of its signal, and another one goes on when the lease has run out', async () => {
  const config = await newInstallation();
  await openDatabase(databaseAddress(config));
  await migrate();
  const message = { key: 'check.started' } as const;
  const { id } = await enqueue({ kind: 'stuck', subject: 'one', user_id: null, input: {}, message });
  const child = startChild('test/children/stuck.ts', [config.dataDir]);
  expect(await child.line()).toBe('stuck');
  const ended = once(child.process, 'exit');
  child.process.kill('SIGTERM');
  expect(await ended).toEqual([143, null]);
  expect(await operationRow(id)).toMatchObject({ state: 'running', lease_owner: expect.any(String) });

  registerFlows([
    {
      kind: 'stuck',
      steps: () => [{ name: 'stuck', run: async () => ({}) }],
      total: async () => 1,
      finished: () => ({ key: 'check.finished', params: { done: 1 } }),
    },
  ]);
  await freeLease(id);
  const other = startDelivery(embeddedDelivery(log));
  await expect.poll(async () => (await operationRow(id)).state).toBe('succeeded');
  await other.stop();
  await closeDatabase();
  await removeInstallation(config);
});
