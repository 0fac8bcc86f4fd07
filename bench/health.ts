import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { closeDatabase, execute, openDatabase, select, transaction } from '../db/index.ts';
import { migrate } from '../db/migrate.ts';
import type { Site } from '../test/world.ts';
import { random } from './blocklist-dump.ts';

const HOSTS = 2_000;
const PARALLEL = 300;
const TIMEOUT_S = 3;
const DATABASE = 'seo-admin.sqlite';
const run = promisify(execFile);
const root = fileURLToPath(new URL('..', import.meta.url));

/** Verdicts by host: a code, or `none`. */
type Verdicts = Map<string, number | 'none'>;

interface Ports {
  port: number;
  tlsPort: number;
  dns: string;
}

interface Variant {
  title: string;
  scheme: 'http' | 'https';
  /** Whether ours looks the names up; curl goes straight to the address. */
  lookUp: boolean;
}

const VARIANTS: Variant[] = [
  { title: 'plain', scheme: 'http', lookUp: false },
  { title: 'plain, names looked up by ours alone', scheme: 'http', lookUp: true },
  { title: 'TLS', scheme: 'https', lookUp: false },
];

export interface HealthBench {
  title: string;
  oursMs: number;
  curlMs: number;
  ratio: number;
  /** Wrong verdicts over all rounds, of ours and of curl; for ours also what was not stored. */
  oursWrong: number;
  curlWrong: number;
}

/**
 * Checks 2,000 hosts of a world on loopback with the product's command, storing included, and with curl at the same
 * width, in turns; prints and returns the medians. Every round starts from a portfolio that was never checked, so no
 * history helps. `command` is the checker, to which the arguments of `check http` are added.
 */
export async function benchHealth(
  rounds = 5,
  command: string[] = [process.execPath, join(root, 'bin/seo-admin.js')],
): Promise<HealthBench[]> {
  const folder = mkdtempSync(join(tmpdir(), 'seo-admin-bench-'));
  const { sites, expected } = population();
  writeFileSync(join(folder, 'sites.json'), JSON.stringify(sites));
  writeFileSync(join(folder, 'hosts.txt'), [...expected.keys()].join('\n'));
  await makePortfolio(join(folder, 'portfolio'), [...expected.keys()]);
  const world = spawn(
    process.execPath,
    ['--import', 'tsx', join(root, 'bench/health-world.ts'), join(folder, 'sites.json')],
    {
      stdio: ['pipe', 'pipe', 'inherit'],
      cwd: root,
    },
  );
  const [line] = (await once(world.stdout, 'data')) as [Buffer];
  const ports = JSON.parse(line.toString()) as Ports;
  const results: HealthBench[] = [];
  for (const variant of VARIANTS) {
    const ours: Sample[] = [];
    const curl: Sample[] = [];
    for (let round = 0; round < rounds; round += 1) {
      rmSync(join(folder, 'data'), { recursive: true, force: true });
      cpSync(join(folder, 'portfolio'), join(folder, 'data'), { recursive: true });
      const own = await sample(expected, () => runOurs(command, folder, variant, ports));
      ours.push({ ...own, wrong: own.wrong + HOSTS - (await countStored(join(folder, 'data'))) });
      curl.push(await sample(expected, () => runCurl(folder, variant, ports, [...expected.keys()])));
    }
    const result = summary(variant.title, ours, curl);
    results.push(result);
    console.log(
      `http check, ${result.title}: ${HOSTS} hosts, ${PARALLEL} at once: ours ${result.oursMs} ms (${result.oursWrong} wrong), ` +
        `curl ${result.curlMs} ms (${result.curlWrong} wrong), ratio ${result.ratio.toFixed(3)}`,
    );
  }
  world.stdin.end();
  await once(world, 'exit');
  rmSync(folder, { recursive: true });
  return results;
}

/** A data directory with all hosts in its portfolio. */
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

async function countStored(folder: string): Promise<number> {
  await openDatabase(join(folder, DATABASE));
  const [row] = await select<{ stored: number }>('SELECT count(DISTINCT domain_id) AS stored FROM checks');
  await closeDatabase();
  return row?.stored ?? 0;
}

/** The hosts: 3 % hang, 2 % reset, 5 % redirect to another, the rest answer after 5 to 300 ms, log-uniform. */
function population(): { sites: Record<string, Site>; expected: Verdicts } {
  const next = random(20_251_120);
  const statuses = [200, 200, 200, 200, 200, 200, 403, 404, 500, 503];
  const sites: Record<string, Site> = {};
  const expected: Verdicts = new Map();
  for (let index = 0; index < HOSTS; index += 1) {
    const name = `host-${index}.bench.test`;
    const kind = next();
    const status = statuses[Math.floor(next() * statuses.length)] ?? 200;
    const delayMs = Math.round(5 * 60 ** next());
    const fault = kind < 0.03 ? 'hang' : kind < 0.05 ? 'reset' : undefined;
    const redirects = fault === undefined && kind < 0.1 && sites['host-0.bench.test']?.fault === undefined && index > 0;
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

interface Sample {
  ms: number;
  wrong: number;
}

async function sample(expected: Verdicts, work: () => Promise<Verdicts>): Promise<Sample> {
  const started = performance.now();
  const verdicts = await work();
  const ms = performance.now() - started;
  const wrong = [...expected].filter(([host, verdict]) => verdicts.get(host) !== verdict).length;
  return { ms, wrong };
}

async function runOurs(command: string[], folder: string, variant: Variant, ports: Ports): Promise<Verdicts> {
  const port = variant.scheme === 'https' ? ports.tlsPort : ports.port;
  const args = ['check', 'http', '--file', join(folder, 'hosts.txt'), '--scheme', variant.scheme];
  args.push('--timeout', String(TIMEOUT_S), '--concurrency', String(PARALLEL), '--json');
  const env = {
    ...process.env,
    SEO_ADMIN_DATA_DIR: join(folder, 'data'),
    ...(variant.lookUp
      ? { SEO_ADMIN_CONNECT_TO: `:::${port}`, SEO_ADMIN_DNS: ports.dns, SEO_ADMIN_ALLOW_PRIVATE_TARGETS: 'on' }
      : { SEO_ADMIN_CONNECT_TO: `::127.0.0.1:${port}` }),
  };
  const [program = '', ...first] = command;
  const stdout = await output(program, [...first, ...args], env);
  const { items } = JSON.parse(stdout) as { items: { domain: string; http_status_code: number | null }[] };
  return new Map(items.map(({ domain, http_status_code }) => [domain, http_status_code ?? 'none']));
}

async function runCurl(folder: string, variant: Variant, ports: Ports, hosts: string[]): Promise<Verdicts> {
  const port = variant.scheme === 'https' ? ports.tlsPort : ports.port;
  const config = join(folder, 'curl.txt');
  writeFileSync(config, hosts.map((host) => `url = "${variant.scheme}://${host}/"\noutput = "/dev/null"\n`).join(''));
  const args = ['-q', '-s', '-k', '-L', '--max-redirs', '5', '--max-time', String(TIMEOUT_S)];
  args.push('--parallel', '--parallel-immediate', '--parallel-max', String(PARALLEL));
  args.push('--connect-to', `::127.0.0.1:${port}`, '-w', '%{urlnum} %{http_code}\n', '-K', config);
  const stdout = await output('curl', args, process.env);
  const lines = stdout.trim().split('\n');
  return new Map(
    lines.map((line) => {
      const [number, code] = line.split(' ').map(Number);
      return [hosts[number ?? 0] ?? '', code || 'none'];
    }),
  );
}

// Both end with a code of their own where hosts have failed, as hosts here do.
async function output(program: string, args: string[], env: NodeJS.ProcessEnv): Promise<string> {
  const options = { env, maxBuffer: 1 << 28 };
  const { stdout } = await run(program, args, options).catch((error: { stdout?: string }) => {
    if (!error.stdout) throw error;
    return { stdout: error.stdout };
  });
  return stdout;
}

const median = (values: number[]): number => values.sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;

function summary(title: string, ours: Sample[], curl: Sample[]): HealthBench {
  const wrong = (samples: Sample[]) => samples.reduce((sum, { wrong }) => sum + wrong, 0);
  const oursMs = Math.round(median(ours.map(({ ms }) => ms)));
  const curlMs = Math.round(median(curl.map(({ ms }) => ms)));
  return { title, oursMs, curlMs, ratio: oursMs / curlMs, oursWrong: wrong(ours), curlWrong: wrong(curl) };
}
