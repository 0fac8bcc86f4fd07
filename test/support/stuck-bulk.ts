// Bulk work whose own database can't be written for a while: starting it, blocking its writes, and checking the result.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { dialect, select, transaction } from '../../db/index.ts';
import { databaseAddress } from '../../src/lib/database-address.ts';
import { operationRow } from '../../src/operations/lease.ts';
import { viewOf } from '../../src/services/operations/operation-views.ts';
import { startSwitch } from '../../src/services/dns/protection.ts';
import { SYSTEM } from '../../src/services/access/scope.ts';
import { renderOperation } from '../../src/shared/operations.ts';
import type { Bulk } from './bulk.ts';
import { startChild, type Child } from './child.ts';
import { english } from './english.ts';

const patchesOf = ({ fake }: Bulk) => fake.requests.filter(({ method }) => method === 'PATCH');

/** Returns the message of an operation as the API shows it. */
export const messageOf = async (id: number): Promise<string> => english((await viewOf(await operationRow(id))).message);

/** Starts to disable TLS 1.3 in all zones and waits until that is well under way. */
export async function beginSwitch(bulk: Bulk): Promise<{ id: number; ended: Promise<unknown> }> {
  const { id } = await startSwitch(SYSTEM, { kind: 'tls', state: 'off' });
  // Truncates the write-ahead log, so that it has to grow.
  if (dialect() === 'sqlite') await select('PRAGMA wal_checkpoint(TRUNCATE)');
  const ended = bulk.run(id);
  await expect.poll(() => patchesOf(bulk).length).toBeGreaterThan(4);
  return { id, ended };
}

/** Starts a process that takes the write lock on request and keeps it until it is killed. */
export async function lockHolder({ config }: Bulk): Promise<{ take: () => Promise<void>; kill: Child['kill'] }> {
  const go = join(config.dataDir, 'go');
  const child = startChild('test/children/hold-lock.ts', [databaseAddress(config), go]);
  expect(await child.line()).toBe('ready');
  const take = async (): Promise<void> => {
    writeFileSync(go, '');
    expect(await child.line()).toBe('held');
  };
  return { take, kill: child.kill };
}

/** Expects that every zone was changed once, as the journal and the API say, and that no attempt was counted. */
export async function expectWhole(bulk: Bulk, id: number): Promise<void> {
  const zones = bulk.zones();
  const items = await bulk.items(id);
  expect(items.filter(({ state, attempt, error }) => state !== 'done' || attempt !== 0 || error !== '')).toEqual([]);
  expect(zones.filter(({ settings }) => settings['tls_1_3']?.value !== 'off')).toEqual([]);
  expect(patchesOf(bulk)).toHaveLength(zones.length);
  const counts = { done: zones.length, failed: 0 };
  const view = renderOperation(english, await viewOf(await operationRow(id)));
  expect(view).toMatchObject({ state: 'succeeded', ...counts, counts });
  expect(view.message).not.toContain('Waits');
}

/** Blocks the queue of writes: the first one does not end before `empty` is called. */
export async function fillQueue(): Promise<{ empty: () => Promise<Set<string>> }> {
  let release = (): void => undefined;
  let hasBegun = (): void => undefined;
  const begun = new Promise<void>((resolve) => (hasBegun = resolve));
  const first = transaction(async () => {
    hasBegun();
    await new Promise<void>((resolve) => (release = resolve));
  });
  await begun;
  const others = Array.from({ length: 2_100 }, () =>
    transaction(async () => 'done').catch((error: { key: string }) => error.key),
  );
  const empty = async (): Promise<Set<string>> => {
    release();
    await first;
    return new Set(await Promise.all(others));
  };
  return { empty };
}
