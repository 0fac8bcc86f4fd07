import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { cpus, loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { closeDatabase, executeUnaudited, openDatabase, select, transaction } from '../db/index.ts';
import { migrate } from '../db/migrate.ts';
import { SYSTEM } from '../src/services/access/scope.ts';
import { deliveryFor } from '../src/operations/bull-delivery.ts';
import { startDelivery } from '../src/operations/delivery.ts';
import { createLog } from '../src/lib/log.ts';
import { startCheck } from '../src/services/checks/checks.ts';
import { startPostgres } from '../test/support/postgres/cluster.ts';

const HOSTS = Number(process.env['HOSTS'] ?? 12_000);
const CHUNK = 250;
const COUNTS = [1, 2, 4];
const root = fileURLToPath(new URL('..', import.meta.url));

export interface WorkersBench {
  workers: number;
  perSecond: number;
  /** Cores that the workers have used, and that were busy on the whole machine: the fake world and PostgreSQL as well. */
  own: number;
  busy: number;
}

/** Busy and idle ms of all cores since the machine's start. */
function machine(): { busy: number; all: number } {
  const times = cpus().map((core) => core.times);
  const all = times.reduce((sum, { user, nice, sys, idle, irq }) => sum + user + nice + sys + idle + irq, 0);
  return { busy: all - times.reduce((sum, { idle }) => sum + idle, 0), all };
}

/** Seconds of a core that a process has used; 0 where the system does not tell. */
function usedBy({ pid }: ChildProcess): number {
  try {
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]!.split(' ');
    return (Number(fields[11]) + Number(fields[12])) / 100;
  } catch {
    return 0;
  }
}

const names = (): string[] => Array.from({ length: HOSTS }, (_, index) => `host-${index}.bench.test`);

async function fill(): Promise<number[]> {
  await migrate();
  await transaction(async () => {
    await executeUnaudited(
      'demo',
      `INSERT INTO users (id, login, password, role, active, created_at) VALUES (1, 'bench', '', 'admin', 1, '2026-01-01')`,
    );
    await executeUnaudited(
      'demo',
      `INSERT INTO domains (user_id, domain_name, unicode_name, file_path, type, transfer_type, transfer_dns, status, created_at, updated_at)
       SELECT 1, value, value, '', 'main', 'manual', 'off', 'available', '2026-01-01', '2026-01-01' FROM json_each($hosts)`,
      { hosts: JSON.stringify(names()) },
    );
  });
  return (await select<{ id: number }>('SELECT id FROM domains ORDER BY id')).map(({ id }) => id);
}

/** Starts the fake sites in a process of their own; returns what a worker needs to reach them, and their end. */
async function startSites(folder: string): Promise<{ reach: NodeJS.ProcessEnv; stop: () => void }> {
  const file = join(folder, 'sites.json');
  const sites = names().map((name, index) => [name, { status: 200, delayMs: 5 + (index % 60), body: 2_048 }]);
  writeFileSync(file, JSON.stringify(Object.fromEntries(sites)));
  const world = spawn(process.execPath, ['--import', 'tsx', join(root, 'bench/health-world.ts'), file], {
    stdio: ['pipe', 'pipe', 'inherit'],
    cwd: root,
  });
  const [line] = (await once(world.stdout, 'data')) as [Buffer];
  const { port } = JSON.parse(line.toString()) as { port: number };
  return { reach: { SEO_ADMIN_CONNECT_TO: `::127.0.0.1:${port}` }, stop: () => world.stdin.end() };
}

async function measure(ids: readonly number[], workers: number, env: NodeJS.ProcessEnv): Promise<WorkersBench> {
  const children = Array.from({ length: workers }, () =>
    spawn(process.execPath, [join(root, 'bin/seo-admin.js'), 'worker', '--only', 'checks'], {
      env,
      stdio: ['ignore', 'ignore', 'pipe'],
    }),
  );
  // Each says when it works.
  await Promise.all(children.map(({ stderr }) => once(stderr, 'data')));
  const before = { machine: machine(), own: children.map(usedBy), at: performance.now() };
  for (let from = 0; from < ids.length; from += CHUNK) {
    await startCheck(SYSTEM, { steps: ['http'], domain_ids: ids.slice(from, from + CHUNK) });
  }
  const left = async (): Promise<number> =>
    (await select(`SELECT 1 FROM operations WHERE state IN ('queued', 'running')`)).length;
  while ((await left()) > 0) await new Promise((resolve) => setTimeout(resolve, 100));
  const seconds = (performance.now() - before.at) / 1_000;
  const after = machine();
  const own = children.map(usedBy).reduce((sum, used, at) => sum + used - before.own[at]!, 0) / seconds;
  const share = (after.busy - before.machine.busy) / (after.all - before.machine.all);
  await Promise.all(
    children.map(async (child) => {
      const ended = once(child, 'exit');
      child.kill('SIGTERM');
      await ended;
    }),
  );
  return { workers, perSecond: Math.round(ids.length / seconds), own, busy: share * cpus().length };
}

/**
 * Checks a portfolio on loopback by 1, 2 and 4 workers on one PostgreSQL database that waits for its disk; prints and returns checks per
 * second, each with the cores that were used.
 */
export async function benchWorkers(): Promise<WorkersBench[]> {
  const server = startPostgres({ durable: true, databases: ['bench'] });
  const folder = mkdtempSync(join(tmpdir(), 'seo-admin-bench-'));
  const results: WorkersBench[] = [];
  let delivery: ReturnType<typeof startDelivery> | undefined;
  try {
    await openDatabase(server.address('bench'));
    const ids = await fill();
    // Queues and announces as a server does whose work others do.
    const takesNothing = { kinds: new Set<string>() };
    delivery = startDelivery(deliveryFor(createLog('silent'), server.address('bench'), takesNothing));
    const { reach, stop } = await startSites(folder);
    const env = {
      ...process.env,
      ...reach,
      DATABASE_URL: server.address('bench'),
      SEO_ADMIN_DATA_DIR: join(folder, 'data'),
      SEO_ADMIN_LOG: 'error',
    };
    for (const workers of COUNTS) {
      const result = await measure(ids, workers, env);
      results.push(result);
      console.log(
        `workers: ${workers}: ${result.perSecond} checks/s, ${result.own.toFixed(2)} cores by the workers, ${result.busy.toFixed(2)} of ${cpus().length} busy (load ${loadavg()[0]!.toFixed(1)})`,
      );
    }
    stop();
  } finally {
    await delivery?.stop();
    await closeDatabase();
    server.close();
    rmSync(folder, { recursive: true, force: true });
  }
  return results;
}
