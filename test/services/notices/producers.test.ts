// Findings of checks become events, in the transaction that stores them.
import { afterEach, beforeEach, expect, test } from 'vitest';
import { execute, select, transaction } from '../../../db/index.ts';
import { recordEvents } from '../../../db/events.ts';
import { storeHealth } from '../../../src/services/checks/check-http.ts';
import { storeLooks } from '../../../src/services/checks/check-store.ts';
import { updateVerdicts, type Look } from '../../../src/services/checks/look-rows.ts';
import { recordVerdicts } from '../../../src/services/checks/outages.ts';
import { startDatabase, type TestDatabase } from '../../support/database.ts';
import { addPortfolio } from './world.ts';

let database: TestDatabase;
beforeEach(async () => {
  database = await startDatabase();
});
afterEach(() => database.close());

const look = (id: number, code: number | null): Look => ({
  id,
  verdict: code === null ? 'timeout' : String(code),
  code,
  ms: 10,
  detail: null,
});
const recorded = () =>
  select<{ kind: string; name: string; level: string }>('SELECT kind, name, level FROM events ORDER BY id');

test('a domain is down with the second look that says so, and up with the first answer', async () => {
  await addPortfolio({ domains: 2 });
  for (const code of [200, null, 200, null, 503, 503, 200]) await storeHealth([look(1, code), look(2, 200)]);
  expect(await recorded()).toEqual([
    { kind: 'domain_down', name: 'd1.example', level: 'critical' },
    { kind: 'domain_up', name: 'd1.example', level: 'info' },
  ]);
  expect(await select('SELECT * FROM domain_outages')).toEqual([]);
});

test('a domain that has never answered is not down, and a reserve is no emergency', async () => {
  await addPortfolio({ domains: 2, reserves: [2] });
  await storeHealth([look(2, 200)]);
  for (const code of [null, null, null]) await storeHealth([look(1, code), look(2, code)]);
  expect(await recorded()).toEqual([{ kind: 'domain_down', name: 'd2.example', level: 'warning' }]);
});

test('verdicts that change are recorded once, those that stay are not', async () => {
  await addPortfolio({ domains: 3 });
  const store = (verdicts: string[]) =>
    transaction(async () => {
      const list = { list_version: 'v1', fetched_at: null };
      const now = await storeLooks(
        'blocklist',
        verdicts.map((verdict, at) => ({ id: at + 1, verdict, detail: null })),
        list,
      );
      await recordVerdicts('v1');
      await updateVerdicts(now);
    });
  await store(['available', 'blocked', 'available']);
  await store(['available', 'blocked', 'blocked']);
  await store(['available', 'available', 'blocked']);
  expect((await recorded()).map(({ kind, name }) => `${kind} ${name}`)).toEqual([
    'domain_blocked d2.example',
    'domain_blocked d3.example',
    'domain_unblocked d2.example',
  ]);
});

test('an event is part of what happened: rolled back with it, and refused outside of a transaction', async () => {
  const event = { kind: 'job_failed', name: 'purge' } as const;
  const failing = transaction(async () => {
    await recordEvents([event]);
    await execute('INSERT INTO installation (name, value) VALUES ($name, $name)', { name: 'a' });
    throw new Error('on purpose');
  });
  await expect(failing).rejects.toThrow('on purpose');
  await expect(recordEvents([event])).rejects.toThrow('outside a transaction');
  expect(await recorded()).toEqual([]);
});
