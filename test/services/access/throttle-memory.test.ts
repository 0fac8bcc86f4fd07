// The throttle keeps a bounded number of keys and waits: a flood of new ones evicts the oldest, and only those.
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest';
import { claimSetup } from '../../../src/services/access/throttle.ts';
import { AppError } from '../../../src/shared/errors.ts';
import { useThrottleClock } from '../../../src/services/access/throttle-store.ts';
import { startDatabase } from '../../support/database.ts';

let database: Awaited<ReturnType<typeof startDatabase>>;
beforeAll(async () => {
  database = await startDatabase();
  useThrottleClock(() => Date.now());
});
afterAll(() => database.close());
afterEach(() => void vi.useRealTimers());

const KEYS = 50_000;
const address = (index: number): string => `10.${index >> 16}.${(index >> 8) & 255}.${index & 255}`;

test('a flood of networks evicts the oldest tenth of the tries', () => {
  const use = (index: number): void => {
    for (let tries = 0; tries < 5; tries += 1) claimSetup(address(index));
  };
  for (let index = 0; index < KEYS; index += 1) {
    if ([0, KEYS / 10 - 1, KEYS / 10].includes(index)) use(index);
    else claimSetup(address(index));
  }
  expect(() => claimSetup(address(0))).toThrow(AppError);
  claimSetup(address(KEYS));
  expect(() => claimSetup(address(0))).not.toThrow();
  expect(() => claimSetup(address(KEYS / 10 - 1))).not.toThrow();
  expect(() => claimSetup(address(KEYS / 10))).toThrow(AppError);
});

test('a network that comes back after its tries have expired is not among the oldest', async () => {
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() });
  // A fresh module has no keys yet.
  vi.resetModules();
  const { claimSetup } = await import('../../../src/services/access/throttle.ts');
  for (let index = 0; index <= KEYS / 10; index += 1) claimSetup(address(index));
  vi.setSystemTime(Date.now() + 15 * 60_000);
  for (let tries = 0; tries < 5; tries += 1) claimSetup(address(0));
  for (let index = KEYS / 10 + 1; index <= KEYS; index += 1) claimSetup(address(index));
  expect(() => claimSetup(address(0))).toThrow(expect.objectContaining({ kind: 'too_many' }));
});
