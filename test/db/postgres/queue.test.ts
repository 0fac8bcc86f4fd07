// The queue beside the tables: another schema, without which work is delivered all the same.
import { Client } from 'pg';
import { beforeEach, expect, test } from 'vitest';
import { closeDatabase, openDatabase } from '../../../db/index.ts';
import { tableNames } from '../../../db/tables.ts';
import { deliveryFor } from '../../../src/operations/bull-delivery.ts';
import { startDelivery } from '../../../src/operations/delivery.ts';
import { operationRow } from '../../../src/operations/lease.ts';
import { addressOf, define, good, log, queue, sleep, useSteps } from '../../operations/steps.ts';

useSteps();
beforeEach(() => define({ a: good }));

async function query(sql: string): Promise<unknown[]> {
  const client = new Client({ connectionString: addressOf() });
  await client.connect();
  try {
    return (await client.query<object>(sql)).rows;
  } finally {
    await client.end();
  }
}
const SCHEMAS = `SELECT schema_name FROM information_schema.schemata WHERE schema_name = 'bullmq'`;
const stateOf = async (id: number): Promise<string> => (await operationRow(id)).state;

test('the queue has a schema of its own, keeps nothing of work that has ended, and is none of the tables', async () => {
  const before = await tableNames();
  const delivery = startDelivery(deliveryFor(log, addressOf()));
  const { id } = await queue();
  await expect.poll(() => stateOf(id)).toBe('succeeded');
  await delivery.stop();
  expect(await query(SCHEMAS)).toHaveLength(1);
  expect(await tableNames()).toEqual(before);
  const [{ n }] = (await query('SELECT count(*)::integer AS n FROM bullmq.job')) as [{ n: number }];
  expect(n).toBe(0);
});

test('a process that takes none of the work of a room leaves its jobs to those who do', async () => {
  const delivery = startDelivery(deliveryFor(log, addressOf(), { kinds: new Set(['another']) }));
  const { id } = await queue();
  const jobs = () => query('SELECT state::text AS state, attempts_started FROM bullmq.job').catch(() => []);
  await expect.poll(jobs).toHaveLength(1);
  // Longer than whoever takes it needs to put it back.
  await sleep(1_000);
  expect(await jobs()).toEqual([{ state: 'waiting', attempts_started: 0 }]);
  expect(await stateOf(id)).toBe('queued');
  await delivery.stop();
});

test('where the login may not make a schema, work is delivered by looking for it', async () => {
  const role = `limited_${Date.now()}`;
  await query(
    `CREATE ROLE ${role} LOGIN; GRANT ALL ON SCHEMA public TO ${role}; GRANT ALL ON ALL TABLES IN SCHEMA public TO ${role}; GRANT ALL ON ALL SEQUENCES IN SCHEMA public TO ${role}`,
  );
  const address = new URL(addressOf());
  address.username = role;
  await closeDatabase();
  await openDatabase(address.href);
  const delivery = startDelivery(deliveryFor(log, address.href));
  const { id } = await queue();
  await expect.poll(() => stateOf(id)).toBe('succeeded');
  await delivery.stop();
  expect(await query(SCHEMAS)).toEqual([]);
  await query(`REASSIGN OWNED BY ${role} TO postgres; DROP OWNED BY ${role}; DROP ROLE ${role}`).catch(() => []);
});
