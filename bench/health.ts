import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { closeDatabase, execute, openDatabase, select, transaction } from '../db/index.ts';
import { migrate } from '../db/migrate.ts';
import type { Site } from '../test/support/world.ts';
import { random } from '../test/support/random.ts';
import { runCurl, runOurs, type Asking, type Ports, type Used, type Verdicts } from './health-clients.ts';

const DATABASE = 'seo-admin.sqlite';
const WIDTH = 300;
// The product's best concurrency; curl can't exceed 300.
const FREE_WIDTH = 1_500;
// The share of hosts whose known history belongs to another host.
const WRONG_HISTORY = 0.2;
const root = fileURLToPath(new URL('..', import.meta.url));

interface Variant {
  title: string;
  hosts: number;
  scheme?: Asking['scheme'];
  lookUp?: boolean;
  /**
   * Runs the product at its own concurrency, and twice more with the history of the previous run: first correct, then a
   * fifth of it wrong.
   */
  free?: boolean;
}

const VARIANTS: Variant[] = [
  { title: 'plain', hosts: 2_000 },
  { title: 'plain, names looked up by ours alone', hosts: 2_000, lookUp: true },
  { title: 'TLS', hosts: 2_000, scheme: 'https' },
  { title: 'plain', hosts: 10_000 },
  { title: 'plain', hosts: 10_000, free: true },
];

export interface HealthBench {
  title: string;
  oursMs: number;
  curlMs: number;
  ratio: number;
  cpuRatio: number;
  oursRssMb: number;
  /** Wrong verdicts over all rounds, of ours and of curl; for ours also results that were not stored. */
  oursWrong: number;
  curlWrong: number;
}

/**
 * Checks the hosts of a simulated world with the product's command (including storing) and with curl, interleaved;
 * prints and returns the medians. Every round starts from a portfolio that was never checked, so that history does not
 * help, unless the title says so. `command` is the checker, to which the arguments of `check http` are appended.
 */
export async function benchHealth(
  rounds = 5,
  command: string[] = [process.execPath, join(root, 'bin/seo-admin.js')],
): Promise<HealthBench[]> {
  const results: HealthBench[] = [];
  for (const variant of VARIANTS) {
    const folder = mkdtempSync(join(tmpdir(), 'seo-admin-bench-'));
    const world = await startPopulation(folder, variant.hosts);
    results.push(...(await compare(variant, rounds, command, folder, world)));
    await world.stop();
    rmSync(folder, { recursive: true });
  }
  return results;
}

interface Population {
  ports: Ports;
  expected: Verdicts;
  stop: () => Promise<void>;
}

async function startPopulation(folder: string, count: number): Promise<Population> {
  const { sites, expected } = population(count);
  writeFileSync(join(folder, 'sites.json'), JSON.stringify(sites));
  writeFileSync(join(folder, 'hosts.txt'), [...expected.keys()].join('\n'));
  await makePortfolio(join(folder, 'portfolio'), [...expected.keys()]);
  const world = spawn(
    process.execPath,
    ['--import', 'tsx', join(root, 'bench/health-world.ts'), join(folder, 'sites.json')],
    { stdio: ['pipe', 'pipe', 'inherit'], cwd: root },
  );
  const [line] = (await once(world.stdout, 'data')) as [Buffer];
  const stop = async () => {
    world.stdin.end();
    await once(world, 'exit');
  };
  return { ports: JSON.parse(line.toString()) as Ports, expected, stop };
}

interface Sample extends Used {
  wrong: number;
}

async function compare(
  { title, hosts, scheme = 'http', lookUp = false, free = false }: Variant,
  rounds: number,
  command: string[],
  folder: string,
  { ports, expected }: Population,
): Promise<HealthBench[]> {
  const asking: Asking = { folder, hosts: [...expected.keys()], ports, scheme, lookUp, parallel: WIDTH };
  const data = join(folder, 'data');
  const [first, right, again, curl]: [Sample[], Sample[], Sample[], Sample[]] = [[], [], [], []];
  const ours = async (): Promise<Sample> => {
    const since = new Date().toISOString();
    const sample = judged(expected, await runOurs(command, { ...asking, parallel: free ? FREE_WIDTH : WIDTH }));
    return { ...sample, wrong: sample.wrong + hosts - (await countStored(data, since)) };
  };
  for (let round = 0; round < rounds; round += 1) {
    rmSync(data, { recursive: true, force: true });
    cpSync(join(folder, 'portfolio'), data, { recursive: true });
    first.push(await ours());
    curl.push(judged(expected, await runCurl(asking)));
    if (!free) continue;
    right.push(await ours());
    await makeHistoryWrong(data, round);
    again.push(await ours());
  }
  const width = free ? `${FREE_WIDTH} at once, curl ${WIDTH}` : `${WIDTH} at once`;
  const results = [summary(`${title}: ${hosts} hosts, ${width}`, first, curl)];
  if (free) results.push(summary(`${title}, with right history: ${hosts} hosts, ${width}`, right, curl));
  if (free) results.push(summary(`${title}, with history, a fifth wrong: ${hosts} hosts, ${width}`, again, curl));
  results.forEach(print);
  return results;
}

/** Creates a data directory with all hosts in its portfolio. */
async function makePortfolio(folder: string, hosts: string[]): Promise<void> {
  mkdirSync(folder);
  await openDatabase(join(folder, DATABASE));
  await migrate();
  await transaction(async () => {
    await execute(
      `INSERT INTO users (id, login, password, role, active, created_at) VALUES (1, 'bench', '', 'admin', 1, '2026-01-01')`,
    );
    await execute(
      `INSERT INTO domains (user_id, domain_name, unicode_name, file_path, type, transfer_type, transfer_dns, status, created_at, updated_at)
       SELECT 1, value, value, '', 'main', 'manual', 'off', 'available', '2026-01-01', '2026-01-01' FROM json_each($hosts)`,
      { hosts: JSON.stringify(hosts) },
    );
  });
  await closeDatabase();
}

/** Swaps the names of a share of the domains, so that their history belongs to another host. */
async function makeHistoryWrong(folder: string, round: number): Promise<void> {
  await openDatabase(join(folder, DATABASE));
  const rows = await select<{ id: number; domain_name: string }>('SELECT id, domain_name FROM domains ORDER BY id');
  const next = random(20_261_122 + round);
  const moved = rows.filter(() => next() < WRONG_HISTORY);
  const from = Math.floor(next() * moved.length);
  const names = moved.map(({ id }, index) => [id, moved[(index + from) % moved.length]?.domain_name]);
  await transaction(async () => {
    const bind = { names: JSON.stringify(names) };
    const pairs = 'SELECT value ->> 0 AS id, value ->> 1 AS name FROM json_each($names)';
    await execute(`UPDATE domains SET domain_name = 'moved-' || p.id FROM (${pairs}) p WHERE domains.id = p.id`, bind);
    await execute(`UPDATE domains SET domain_name = p.name FROM (${pairs}) p WHERE domains.id = p.id`, bind);
  });
  await closeDatabase();
}

async function countStored(folder: string, since: string): Promise<number> {
  await openDatabase(join(folder, DATABASE));
  const [row] = await select<{ stored: number }>(
    'SELECT count(DISTINCT domain_id) AS stored FROM checks WHERE checked_at >= $since',
    { since },
  );
  await closeDatabase();
  return row?.stored ?? 0;
}

/** The hosts: 5 % hang, 2 % reset, 5 % redirect to another, the rest answer after 5 to 300 ms, log-uniform. */
function population(count: number): { sites: Record<string, Site>; expected: Verdicts } {
  const next = random(20_251_120);
  const statuses = [200, 200, 200, 200, 200, 200, 403, 404, 500, 503];
  const sites: Record<string, Site> = {};
  const expected: Verdicts = new Map();
  for (let index = 0; index < count; index += 1) {
    const name = `host-${index}.bench.test`;
    const kind = next();
    const status = statuses[Math.floor(next() * statuses.length)] ?? 200;
    const delayMs = Math.round(5 * 60 ** next());
    const fault = kind < 0.05 ? 'hang' : kind < 0.07 ? 'reset' : undefined;
    const redirects =
      fault === undefined && kind < 0.12 && sites['host-0.bench.test']?.fault === undefined && index > 0;
    sites[name] = redirects
      ? { status: 301, location: '//host-0.bench.test/', delayMs }
      : { status, delayMs, fault, body: 2_048 };
    expected.set(
      name,
      fault === undefined ? (redirects ? (expected.get('host-0.bench.test') ?? 'none') : status) : 'none',
    );
  }
  return { sites, expected };
}

const judged = (expected: Verdicts, used: Used): Sample => ({
  ...used,
  wrong: [...expected].filter(([host, verdict]) => used.verdicts.get(host) !== verdict).length,
});

const median = (values: number[]): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;

function summary(title: string, ours: Sample[], curl: Sample[]): HealthBench & { cpu: number[]; curlRssMb: number } {
  const of = (samples: Sample[], field: 'ms' | 'cpuS' | 'rssMb') => median(samples.map((sample) => sample[field]));
  const wrong = (samples: Sample[]) => samples.reduce((sum, sample) => sum + sample.wrong, 0);
  const [oursMs, curlMs] = [Math.round(of(ours, 'ms')), Math.round(of(curl, 'ms'))];
  const cpu = [of(ours, 'cpuS'), of(curl, 'cpuS')];
  return {
    title,
    oursMs,
    curlMs,
    ratio: oursMs / curlMs,
    cpu,
    cpuRatio: of(ours, 'cpuS') / of(curl, 'cpuS'),
    oursRssMb: of(ours, 'rssMb'),
    curlRssMb: of(curl, 'rssMb'),
    oursWrong: wrong(ours),
    curlWrong: wrong(curl),
  };
}

function print(result: ReturnType<typeof summary>): void {
  const { title, oursMs, curlMs, ratio, cpu, cpuRatio, oursRssMb, curlRssMb, oursWrong, curlWrong } = result;
  const seconds = cpu.map((value) => value.toFixed(2));
  console.log(
    `http check, ${title}: ours ${oursMs} ms (${oursWrong} wrong), curl ${curlMs} ms (${curlWrong} wrong), ratio ${ratio.toFixed(3)}; ` +
      `CPU ${seconds.join(' and ')} s, ratio ${cpuRatio.toFixed(3)}; RSS ${oursRssMb.toFixed(0)} and ${curlRssMb.toFixed(0)} MB; ` +
      `load ${loadavg()[0]?.toFixed(1)}`,
  );
}
