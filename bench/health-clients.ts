// The two clients of the HTTP bench: the product's command and curl, each in a process whose resource use is measured.
import { spawn } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';

/** The ports of the simulated world. */
export interface Ports {
  port: number;
  tlsPort: number;
  dns: string;
}

/** Verdicts by host: a code, or `none`. */
export type Verdicts = Map<string, number | 'none'>;

/** One run of a client. CPU and peak memory are NaN where GNU time is not installed. */
export interface Used {
  ms: number;
  cpuS: number;
  rssMb: number;
  verdicts: Verdicts;
}

/** The parameters of a client's run. */
export interface Asking {
  /** Contains `hosts.txt` and the data directory `data`. */
  folder: string;
  hosts: string[];
  ports: Ports;
  scheme: 'http' | 'https';
  /** Whether the product resolves the names; curl always connects to the address. */
  lookUp: boolean;
  parallel: number;
}

const TIMEOUT_S = 3;
const TIME = '/usr/bin/time';

// Both clients exit with a non-zero code if hosts failed, as some do here.
async function measured(folder: string, program: string, args: string[], env: NodeJS.ProcessEnv) {
  const file = join(folder, 'used.txt');
  const words = [program, ...args];
  const started = performance.now();
  const child = existsSync(TIME)
    ? spawn(TIME, ['-q', '-f', '%U %S %M', '-o', file, ...words], { env, stdio: ['ignore', 'pipe', 'ignore'] })
    : spawn(program, args, { env, stdio: ['ignore', 'pipe', 'ignore'] });
  const stdout = await text(child.stdout);
  const ms = performance.now() - started;
  const [user = Number.NaN, system = Number.NaN, kilobytes = Number.NaN] = existsSync(TIME)
    ? readFileSync(file, 'utf8').trim().split(' ').map(Number)
    : [];
  return { stdout, ms, cpuS: user + system, rssMb: kilobytes / 1024 };
}

/** Runs `check http` on `hosts.txt` with the folder's data directory, including storing the results. */
export async function runOurs(
  [program = '', ...first]: string[],
  { folder, ports, scheme, lookUp, parallel }: Asking,
): Promise<Used> {
  const port = scheme === 'https' ? ports.tlsPort : ports.port;
  const args = [...first, 'check', 'http', '--file', join(folder, 'hosts.txt'), '--scheme', scheme];
  args.push('--timeout', String(TIMEOUT_S), '--concurrency', String(parallel), '--json');
  const reach = lookUp
    ? { SEO_ADMIN_CONNECT_TO: `:::${port}`, SEO_ADMIN_DNS: ports.dns, SEO_ADMIN_ALLOW_PRIVATE_TARGETS: 'on' }
    : { SEO_ADMIN_CONNECT_TO: `::127.0.0.1:${port}` };
  const env = { ...process.env, SEO_ADMIN_DATA_DIR: join(folder, 'data'), ...reach };
  const { stdout, ...used } = await measured(folder, program, args, env);
  const { items } = JSON.parse(stdout) as { items: { domain: string; http_status_code: number | null }[] };
  return { ...used, verdicts: new Map(items.map(({ domain, http_status_code: code }) => [domain, code ?? 'none'])) };
}

/** Requests the same hosts with curl, at most 300 at once (curl's maximum). */
export async function runCurl({ folder, hosts, ports, scheme, parallel }: Asking): Promise<Used> {
  const port = scheme === 'https' ? ports.tlsPort : ports.port;
  const config = join(folder, 'curl.txt');
  writeFileSync(config, hosts.map((host) => `url = "${scheme}://${host}/"\noutput = "/dev/null"\n`).join(''));
  const args = ['-q', '-s', '-k', '-L', '--max-redirs', '5', '--max-time', String(TIMEOUT_S)];
  args.push('--parallel', '--parallel-immediate', '--parallel-max', String(Math.min(parallel, 300)));
  args.push('--connect-to', `::127.0.0.1:${port}`, '-w', '%{urlnum} %{http_code}\n', '-K', config);
  const { stdout, ...used } = await measured(folder, 'curl', args, process.env);
  const lines = stdout.trim().split('\n');
  return {
    ...used,
    verdicts: new Map(
      lines.map((line) => {
        const [number, code] = line.split(' ').map(Number);
        return [hosts[number ?? 0] ?? '', code || 'none'];
      }),
    ),
  };
}
