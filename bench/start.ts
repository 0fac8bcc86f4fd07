import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { median } from './serving.ts';

const ROUNDS = 21;
const BIN = fileURLToPath(new URL('../bin/seo-admin.js', import.meta.url));
const NAMES = Array.from({ length: 10 }, (_, index) => `shop-${index}.example`);
// /proc counts in ticks of 10 ms.
const TICK_MS = 10;

/**
 * Returns the CPU time in milliseconds used by the ended children of this process; NaN if the system does not report
 * it.
 */
export function childrenCpu(): number {
  try {
    const fields = readFileSync('/proc/self/stat', 'utf8').split(') ')[1]?.split(' ') ?? [];
    return (Number(fields[13]) + Number(fields[14])) * TICK_MS;
  } catch {
    return Number.NaN;
  }
}

interface Case {
  title: string;
  goal?: string;
  run: () => unknown;
}

function command(args: string[], data: string): void {
  const env = { ...process.env, SEO_ADMIN_DATA_DIR: data };
  const { status, stderr } = spawnSync(process.execPath, args, { stdio: ['ignore', 'ignore', 'pipe'], env });
  if (status !== 0) throw new Error(`${args.join(' ')} ended with ${status}: ${stderr.toString()}`);
}

/** Runs `serve` on a data directory until its first answer, then kills it, so that its shutdown is not measured. */
async function firstAnswer(bin: string, data: string): Promise<number> {
  const begun = performance.now();
  const child = spawn(process.execPath, [bin, 'serve', '--port', '0'], {
    env: { ...process.env, SEO_ADMIN_DATA_DIR: data },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let said = '';
  let url: string | undefined;
  while (url === undefined) {
    const [chunk] = (await once(child.stderr, 'data')) as [Buffer];
    said += chunk.toString();
    url = /listening on (\S+)/.exec(said)?.[1];
  }
  await (await fetch(`${url}/api/health`)).text();
  const ms = performance.now() - begun;
  child.kill('SIGKILL');
  await once(child, 'exit');
  return ms;
}

/**
 * Prints the time of the help, of a look-up of ten names, and of `serve` up to its first answer, interleaved with Node
 * alone: the median of 21 runs, the CPU time of all, and the ratios. `bin` is the command line.
 */
export async function benchStart(bin = BIN, rounds = ROUNDS): Promise<void> {
  const data = mkdtempSync(join(tmpdir(), 'seo-admin-bench-'));
  const list = join(data, 'list.txt');
  writeFileSync(list, Array.from({ length: 10_000 }, (_, index) => `blocked-${index}.example\n`).join(''));
  command([bin, 'blocklist', 'update', '--file', list], data);
  const user = ['user', 'create', '--login', 'bench', '--password-stdin'];
  spawnSync(process.execPath, [bin, ...user], {
    input: 'correct horse battery\n',
    env: { ...process.env, SEO_ADMIN_DATA_DIR: data },
  });
  const cases: Case[] = [
    { title: 'node -e 0', run: () => command(['-e', '0'], data) },
    { title: '--help', goal: '1.15', run: () => command([bin, '--help'], data) },
    {
      title: 'ten names',
      goal: '1.10',
      run: () => command([bin, 'check', 'blocked', ...NAMES, '--json'], data),
    },
    { title: 'serve, to its first answer', goal: '5.2', run: () => firstAnswer(bin, data) },
  ];
  const times = cases.map((): number[] => []);
  const cpu = cases.map(() => 0);
  for (let round = 0; round < rounds; round += 1) {
    for (const [index, { run }] of cases.entries()) {
      const [begun, used] = [performance.now(), childrenCpu()];
      const ms = await run();
      times[index]?.push(typeof ms === 'number' ? ms : performance.now() - begun);
      cpu[index]! += childrenCpu() - used;
    }
  }
  rmSync(data, { recursive: true });
  for (const [index, { title, goal }] of cases.entries()) {
    const [ms, node] = [median(times[index]!), median(times[0]!)];
    console.log(
      `start: ${title.padEnd(28)} ${ms.toFixed(0)} ms, ${(ms / node).toFixed(2)} x node -e 0; CPU ${(cpu[index]! / rounds).toFixed(0)} ms, ` +
        `${(cpu[index]! / cpu[0]!).toFixed(2)} x${goal ? ` (goal ${goal})` : ''}`,
    );
  }
}
