// Ten thousand names of one server go down at once under a running `serve`: one notice, soon after the second look.
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { commitCount, select } from '../../db/index.ts';
import { sqliteDriver } from '../../db/driver.ts';
import { createLog } from '../../src/lib/log.ts';
import { serve, type Serving } from '../../src/server.ts';
import { SYSTEM } from '../../src/services/access/scope.ts';
import { storeHealth } from '../../src/services/checks/check-http.ts';
import { startCheck } from '../../src/services/checks/checks.ts';
import { addPortfolio } from '../services/notices/world.ts';
import { newInstallation, removeInstallation } from '../support/server.ts';
import type { Config } from '../../src/lib/config.ts';

const NAMES = Number(process.env['NAMES'] ?? 10_000);
const MINUTE_MS = 60_000;

let config: Config;
let serving: Serving;
beforeAll(async () => {
  // Nobody listens there: each look fails at once.
  config = await newInstallation({ allowPrivate: true, connectTo: '::127.0.0.1:1' });
  serving = await serve({ config, log: createLog('silent'), host: '127.0.0.1', port: 0, scheduler: true });
});
afterAll(async () => {
  await serving.close();
  await removeInstallation(config);
});

interface Run {
  id: number;
  created_at: string;
  finished_at: string | null;
}
const checks = () => select<Run>(`SELECT id, created_at, finished_at FROM operations WHERE kind = 'check' ORDER BY id`);
const notices = () =>
  select<{ kind: string; subjects: number; told_at: string | null }>(
    `SELECT kind, subjects, told_at FROM notices WHERE kind IN ('domain_down', 'server_down') ORDER BY id`,
  );
const seconds = (from: string, to: string): number => (Date.parse(to) - Date.parse(from)) / 1000;

/** Counts the statements that the driver of SQLite gets. */
function countStatements(): () => number {
  const { Database } = sqliteDriver() as {
    Database: { prototype: Record<'all' | 'run', (...args: never[]) => unknown> };
  };
  let count = 0;
  for (const name of ['all', 'run'] as const) {
    const own = Database.prototype[name];
    Database.prototype[name] = function counted(this: unknown, ...args: never[]): unknown {
      count += 1;
      return own.apply(this, args);
    };
  }
  return () => count;
}

test('one notice within a minute of the second look, and the process answers meanwhile', async () => {
  await addPortfolio({ domains: NAMES });
  const ids = Array.from({ length: NAMES }, (_, index) => index + 1);
  await storeHealth(ids.map((id) => ({ id, verdict: '200', code: 200, ms: 50, detail: null })));
  const statements = countStatements();
  const [before, commits] = [statements(), commitCount()];
  const delay = monitorEventLoopDelay({ resolution: 10 });
  delay.enable();
  const waits: number[] = [];
  const asking = setInterval(() => {
    const asked = performance.now();
    void fetch(`${serving.url}/api/health`).then(() => waits.push(performance.now() - asked));
  }, 1_000);
  const { id } = await startCheck(SYSTEM, { steps: ['http'] }, false, { asked_by: 'automation' });
  await expect.poll(notices, { timeout: 480_000, interval: 200 }).toMatchObject([{ told_at: expect.any(String) }]);
  clearInterval(asking);
  delay.disable();
  const [first, second] = (await checks()).filter((run) => run.id >= id);
  const [notice] = await notices();
  const told = notice?.told_at ?? '';
  const report = {
    names: NAMES,
    'first look, s': seconds(first?.created_at ?? '', first?.finished_at ?? ''),
    'second look, s': seconds(second?.created_at ?? '', second?.finished_at ?? told),
    'from the end of the second look to the notice, s': second?.finished_at ? seconds(second.finished_at, told) : 0,
    'from the beginning of the first look to the notice, s': seconds(first?.created_at ?? '', told),
    statements: statements() - before,
    commits: commitCount() - commits,
    'event loop: p99, most, ms': [delay.percentile(99) / 1e6, delay.max / 1e6].map(Math.round),
    'GET /api/health: most, ms': Math.round(Math.max(...waits)),
    notices: (await notices()).map(({ kind, subjects }) => `${kind} ${subjects}`),
  };
  console.log(report);
  expect(await notices()).toMatchObject([{ kind: 'domain_down', subjects: NAMES }]);
  expect(Date.parse(told) - Date.parse(second?.finished_at ?? told)).toBeLessThan(MINUTE_MS);
}, 600_000);
