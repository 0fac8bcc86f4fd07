// A process that is killed while it upgrades: the next one goes on, and one that waits for it, too.
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { closeDatabase, openDatabase, transaction } from '../../../../db/index.ts';
import { appliedMigrations, migrate } from '../../../../db/migrate.ts';
import { migrations } from '../../../../db/migrations/index.ts';
import { startChild, type Child } from '../../../support/child.ts';
import { emptyPlace } from '../../../support/database.ts';
import { dropDatabase } from '../../../support/postgres/template.ts';
import { storedSchema } from '../../../support/schema.ts';

const NAMES = migrations.map(({ name }) => name);

let folder = '';
let address = '';
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'seo-admin-killed-'));
  address = await emptyPlace(folder);
});
afterEach(async () => {
  await closeDatabase();
  await dropDatabase(address);
  rmSync(folder, { recursive: true });
});

function start(killedAt = ''): Child {
  process.env['SEO_ADMIN_CRASH_AT'] = killedAt;
  try {
    return startChild('test/children/migrate.ts', [address, folder]);
  } finally {
    delete process.env['SEO_ADMIN_CRASH_AT'];
  }
}

const drafts = (): string[] =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) => name.includes('.part'));

async function inDatabase<T>(work: () => Promise<T>): Promise<T> {
  await openDatabase(address);
  try {
    return await work();
  } finally {
    await closeDatabase();
  }
}

// Some of them, and the last, which is the one that those with a database of the former version run.
const KILLED = [...NAMES.keys()].filter((index) => index % 20 === 13 || index === NAMES.length - 1);

test('a process that is killed within a migration leaves nothing of it, and the next start goes on from there', async () => {
  for (const index of KILLED) {
    await expect(start(`migration:${NAMES[index]}`).output()).rejects.toThrow('ended with null');
    expect(await inDatabase(appliedMigrations)).toEqual(NAMES.slice(0, index));
  }
  expect(JSON.parse(await start().output())).toEqual(NAMES.slice(-1));
  const found = await inDatabase(storedSchema);
  expect(drafts()).toEqual([]);
  const other = await emptyPlace(mkdtempSync(join(folder, 'whole-')));
  await openDatabase(other);
  await migrate();
  expect(found).toEqual(await storedSchema());
  await closeDatabase();
  await dropDatabase(other);
});

test.each(['SIGKILL', 'SIGTERM', 'SIGINT'] as const)(
  'while one process is ended by %s in its upgrade, another one waits for it and goes on',
  async (signal) => {
    await expect(start(`migration:${NAMES.at(-1)}`).output()).rejects.toThrow('ended with null');
    await openDatabase(address);
    let release = (): void => undefined;
    const held = transaction(() => new Promise<void>((resolve) => (release = resolve)));
    try {
      const [first, second] = [start(), start()];
      // Both are at the lock of the writers, or wait for the one that is.
      await sleep(1_500);
      first.process.kill(signal);
      await expect(first.output()).rejects.toThrow('ended with null');
      release();
      await held;
      expect(JSON.parse(await second.output())).toEqual(NAMES.slice(-1));
      expect(await appliedMigrations()).toEqual(NAMES);
    } finally {
      release();
    }
  },
);
