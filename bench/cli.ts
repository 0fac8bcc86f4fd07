import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const ROUNDS = 15;
const BIN = fileURLToPath(new URL('../bin/seo-admin.js', import.meta.url));

const CASES: Record<string, string[]> = {
  'node -e 0': ['-e', '0'],
  '--help': [BIN, '--help'],
  '--version': [BIN, '--version'],
  'name check': [BIN, 'name', 'check', 'example.com'],
};

function timed(args: string[]): number {
  const start = performance.now();
  spawnSync(process.execPath, args, { stdio: 'ignore' });
  return performance.now() - start;
}

/** Prints the start time of the command line, interleaved with Node alone: the median of 15 runs, and the ratio. */
export function benchCli(): void {
  const times = new Map(Object.keys(CASES).map((name) => [name, [] as number[]]));
  for (let round = 0; round < ROUNDS; round += 1) {
    for (const [name, args] of Object.entries(CASES)) times.get(name)?.push(timed(args));
  }
  const middle = (name: string): number => times.get(name)?.sort((a, b) => a - b)[Math.floor(ROUNDS / 2)] ?? 0;
  const node = middle('node -e 0');
  for (const name of times.keys()) {
    console.log(`${name.padEnd(12)} ${middle(name).toFixed(1)} ms  ${(middle(name) / node).toFixed(2)}x`);
  }
}
