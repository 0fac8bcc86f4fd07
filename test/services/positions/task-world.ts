// A project whose positions are read by Arsenkin's tasks, at the demo's fake of the service.
import { afterAll, beforeAll, beforeEach } from 'vitest';
import { select } from '../../../db/index.ts';
import { startArsenkin, type ArsenkinFake } from '../../../src/demo/search/arsenkin.ts';
import { createAccount } from '../../../src/services/accounts/accounts.ts';
import { listOpen } from '../../../src/services/positions/results.ts';
import { arsenkinKind } from '../../../src/shared/accounts/arsenkin.ts';
import { temporaryConfig } from '../../support/server.ts';
import { ann, database, fake, web } from './world.ts';

export const TOKEN = 'token-of-a-test-4711';

export let tools: ArsenkinFake;

let tests = 0;
/** The token of this test: a refusal by the number of calls stops the calls of a token for a while. */
export const token = (): string => `${TOKEN}-${tests}`;

/** Starts Arsenkin beside the XMLRiver of `usePositions`, which is called before it. */
export function useTasks(): void {
  beforeAll(async () => {
    tools = await startArsenkin({ tokens: {}, web });
  });
  afterAll(() => tools.close());
  beforeEach(() => {
    tests += 1;
    tools.state.tokens = { [token()]: 1_000_000 };
    tools.state.rejects = [];
    tools.faults.length = 0;
    tools.tasks.length = 0;
    tools.calls.most = 0;
    const searchPace = { calls: 10_000, seconds: 1, atOnce: 10 };
    temporaryConfig({ searchUrls: { xmlriver: fake.url, arsenkin: tools.url }, searchPace }, database.folder);
  });
}

/** Returns so many keywords. */
export const words = (count: number): string[] => Array.from({ length: count }, (_, index) => `word ${index}`);

/** Adds an account of a token. */
export const addTools = (name = 'tools', own = token()): Promise<{ id: number }> =>
  createAccount(ann, arsenkinKind, { name, token: own }, 'clear');

/** Returns the stored tasks as they stand. */
export const storedTasks = () =>
  select<{ state: string; task_id: string | null; error: string | null }>(
    'SELECT state, task_id, error FROM search_tasks ORDER BY id',
  );

/** Returns the queries of all tasks that were set. */
export const asked = (): string[] => tools.tasks.flatMap(({ data }) => data.queries);

/** Returns how many requests and limits are counted as spent. */
export async function spent(): Promise<{ requests: number; limits: number }> {
  const [row] = await select<{ requests: number | null; limits: number | null }>(
    `SELECT CAST(SUM(requests) AS INTEGER) AS requests, CAST(SUM(limits) AS INTEGER) AS limits FROM search_task_spending`,
  );
  return { requests: row?.requests ?? 0, limits: row?.limits ?? 0 };
}

/** Returns the keywords that an operation has left open, each with its reason. */
export const openOf = async (id: number): Promise<string[]> =>
  (await listOpen(ann, id)).map(({ keyword, error }) => `${keyword}: ${error.key}`);
