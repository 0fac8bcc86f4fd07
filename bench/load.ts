import { startServing, loadServer, type Serving } from './serving.ts';
import type { Load, LoadResult } from './http-load.ts';

const DOMAINS = 10_000;
const CONNECTIONS = [20, 200, 2_000];
const SECONDS = 8;
const ROUNDS = 3;
const STORM = 200;
const PAGE = `/api/domains?limit=50&offset={0-${DOMAINS - 50}}`;

const ms = (value: number | null): string => (value === null ? 'none' : `${value.toFixed(0)} ms`);

const text = ({ perSecond, p99, refusedP99, answers, failed }: LoadResult): string =>
  `${perSecond.toFixed(0)} answers/s, p99 ${ms(p99)}; refused ${(answers['503'] ?? 0) + (answers['429'] ?? 0)}, p99 ${ms(refusedP99)}; cut ${failed}`;

const pages = ({ port, headers }: Serving, connections: number): Promise<LoadResult> =>
  loadServer({ port, headers, connections, seconds: SECONDS, path: PAGE });

async function firstAnswer({ port, headers }: Serving, path: string): Promise<number> {
  const begun = performance.now();
  await fetch(`http://127.0.0.1:${port}${path}`, { headers });
  return Math.round(performance.now() - begun);
}

/**
 * Requests pages over 20 to 2,000 connections in turns, with health requests beside, and measures the next answer after
 * each.
 */
async function crowd(serving: Serving): Promise<void> {
  for (let round = 0; round < ROUNDS; round += 1) {
    let calm = Number.NaN;
    for (const connections of CONNECTIONS) {
      const loading = pages(serving, connections);
      await new Promise((resolve) => setTimeout(resolve, (SECONDS * 1000) / 2));
      const health = await firstAnswer(serving, '/api/health');
      const result = await loading;
      const after = await firstAnswer(serving, '/api/domains?limit=50');
      calm = Number.isNaN(calm) ? result.perSecond : calm;
      console.log(
        `load: ${connections} connections: ${text(result)}; ${(result.perSecond / calm).toFixed(2)} x of ${CONNECTIONS[0]}; ` +
          `health meanwhile ${health} ms, next answer ${after} ms`,
      );
    }
  }
}

/** Runs few reads and writes, alone and beside a storm of sign-ins, in turns. */
async function storm({ port, headers }: Serving): Promise<void> {
  const few: Load = { port, headers, connections: 4, seconds: SECONDS, path: PAGE, perSecond: 40 };
  const writes: Load = { ...few, connections: 2, perSecond: 10, path: '/api/projects', body: '{"name":"storm {n}"}' };
  const signIns: Load = { ...few, headers: {}, connections: 100, perSecond: STORM, path: '/api/login' };
  signIns.body = '{"login":"nobody-{n}","password":"wrong"}';
  for (let round = 0; round < ROUNDS; round += 1) {
    for (const stormy of [false, true]) {
      const running = [loadServer(few), loadServer(writes), ...(stormy ? [loadServer(signIns)] : [])];
      const [read, written, refused] = await Promise.all(running);
      console.log(
        `load: ${stormy ? `beside ${STORM} sign-ins/s` : 'alone'}: reads p99 ${ms(read!.p99)}, writes p99 ${ms(written!.p99)}` +
          (refused ? `; sign-ins: ${text(refused)}` : ''),
      );
    }
  }
}

/**
 * Prints how the server holds up and recovers under many connections, and how a storm of sign-ins affects other
 * callers.
 */
export async function benchLoad(): Promise<void> {
  const serving = await startServing(DOMAINS);
  try {
    await crowd(serving);
    await storm(serving);
  } finally {
    await serving.close();
  }
}
