// Shared parts of the tests of the demo: a demo that is started and removed with each test.
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach } from 'vitest';
import { closeDatabase, openDatabase, select } from '../../db/index.ts';
import { startDemo, type Demo, type DemoOptions } from '../../src/demo/index.ts';
import type { Config } from '../../src/lib/config.ts';
import { temporaryConfig } from '../support/server.ts';

/** A demo of its usual size, at the present time. */
export const ASKS: DemoOptions = { size: undefined, frozen: false };
// The timeout of the checks, as one host in ninety never answers.
/** The timeout of the checks, as one host in ninety never answers. */
export const TIMEOUT_MS = 5_000;

/** The configuration of the running test. */
export let config: Config;
/** The demo that `start` has started. */
export let demo: Demo | undefined;
/** Gives each test a data directory of its own, and ends and removes its demo after it. */
export function useDemo(): void {
  beforeEach(() => {
    config = temporaryConfig();
  });
  afterEach(async () => {
    await demo?.close();
    demo = undefined;
    rmSync(config.dataDir, { recursive: true });
  });
}

/** Starts the demo. */
export async function start(options: Partial<DemoOptions> = {}): Promise<Demo> {
  demo = await startDemo(config, { ...ASKS, ...options });
  return demo;
}

/** Opens the database of the demo for `work`. */
export async function inside<T>(work: () => Promise<T>): Promise<T> {
  await openDatabase(join(config.dataDir, 'demo.sqlite'));
  try {
    return await work();
  } finally {
    await closeDatabase();
  }
}

/** The numbers of rows of the tables of the demo. */
export const counts = (): Promise<Record<string, number>> =>
  inside(async () => {
    const tables = [
      'projects',
      'domains',
      'cloudflare_accounts',
      'cloudflare_groups',
      'servers',
      'registrars',
      'templates',
    ];
    const rows = await Promise.all(tables.map((table) => select<{ n: number }>(`SELECT count(*) AS n FROM ${table}`)));
    return Object.fromEntries(tables.map((table, index) => [table, rows[index]?.[0]?.n ?? 0]));
  });

/** The number of domains of a condition. */
export const count = async (condition: string): Promise<number> => {
  const [row] = await select<{ n: number }>(`SELECT count(*) AS n FROM domains WHERE ${condition}`);
  return row?.n ?? 0;
};
