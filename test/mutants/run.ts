/**
 * `npm run test:mutants [-- --at-most N] [module…]`: changes the modules that decide in one place at a time and runs their
 * tests, which must fail. Prints the share that was killed for each module and every change that was not noticed. Ends with 1
 * where fewer than 95 % were. `--at-most` takes N changes of each module, spread over it.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { PICK, withMutants, type Mutant } from './mutate.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const WANTED = 0.95;
const AT_ONCE = 2;
// A change that makes a loop endless counts as noticed.
const SLOWER = 10;
const SHORTEST_LIMIT_MS = 30_000;

const HEALTH = ['', '-addresses', '-limits', '-names', '-private', '-redirects', '-settings'].map(
  (part) => `test/providers/health${part}.test.ts`,
);

/** The modules that decide, and the tests that answer for them. */
const MODULES: Record<string, string[]> = {
  'src/services/ownership.ts': ['test/api/ownership.test.ts'],
  'src/services/transfer-gate.ts': ['test/services/transfer-gate.test.ts'],
  'src/shared/transfer-pick.ts': ['test/shared/transfer-pick.test.ts'],
  'src/providers/blocklist/index-lookup.ts': [
    'test/providers/blocklist-index.test.ts',
    'test/services/blocklist.test.ts',
  ],
  'src/services/throttle.ts': ['test/api/session.test.ts'],
  'src/operations/items.ts': ['test/operations/items.test.ts', 'test/operations/rollback.test.ts'],
  'src/lib/redact.ts': ['test/lib/redact.test.ts'],
  'src/lib/redactor.ts': ['test/lib/redactor.test.ts'],
  'src/shared/domain-state.ts': ['test/shared/domain-state.test.ts'],
  'src/services/domains.ts': ['test/api/domains.test.ts'],
  'ui/components/dnsDraft.ts': ['test/ui/dnsDraft.test.ts'],
  'src/providers/health/visit.ts': HEALTH,
  'src/providers/health/resolve.ts': HEALTH,
};

/** Whether the tests of a module pass with one of its mutants; null where they take far longer than without. */
async function passes(module: string, mutant: number, limitMs: number): Promise<boolean | null> {
  const words = ['node_modules/vitest/vitest.mjs', 'run', '--config', 'test/mutants/vitest.config.ts'];
  const child = spawn(process.execPath, [...words, ...(MODULES[module] ?? [])], {
    cwd: ROOT,
    env: { ...process.env, [PICK]: String(mutant), TEST_MUTANT_MODULE: module },
    stdio: 'ignore',
    detached: true,
  });
  let isLate = false;
  const timer = setTimeout(() => {
    isLate = true;
    if (child.pid !== undefined) process.kill(-child.pid, 'SIGKILL');
  }, limitMs);
  const [code] = (await once(child, 'exit')) as [number | null];
  clearTimeout(timer);
  return isLate ? null : code === 0;
}

/** The mutants of a module that its tests let through. */
async function survivorsOf(module: string, mutants: Mutant[]): Promise<Mutant[]> {
  const begun = performance.now();
  if ((await passes(module, 0, 600_000)) !== true) throw new Error(`The tests of ${module} fail as it is`);
  const limit = Math.max((performance.now() - begun) * SLOWER, SHORTEST_LIMIT_MS);
  const left = [...mutants];
  const survivors: Mutant[] = [];
  const worker = async (): Promise<void> => {
    for (let mutant = left.shift(); mutant; mutant = left.shift()) {
      if ((await passes(module, mutant.id, limit)) === true) survivors.push(mutant);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, worker));
  return survivors.toSorted((a, b) => a.id - b.id);
}

const { values, positionals: asked } = parseArgs({
  options: { 'at-most': { type: 'string' } },
  allowPositionals: true,
});
const atMost = Number(values['at-most'] ?? Infinity);
const unknown = asked.filter((module) => !Object.hasOwn(MODULES, module));
if (unknown.length > 0) {
  console.error(`Not among the modules that decide: ${unknown.join(', ')}`);
  process.exit(2);
}
const total = { mutants: 0, survived: 0 };
for (const module of asked.length > 0 ? asked : Object.keys(MODULES)) {
  const all = withMutants(readFileSync(`${ROOT}${module}`, 'utf8')).mutants;
  const every = Math.max(all.length / atMost, 1);
  const mutants = all.filter((_, index) => Math.floor(index / every) !== Math.floor((index - 1) / every));
  const survivors = await survivorsOf(module, mutants);
  total.mutants += mutants.length;
  total.survived += survivors.length;
  console.log(`${module}: ${mutants.length - survivors.length} of ${mutants.length} killed`);
  for (const { line, change } of survivors) console.log(`  survived at line ${line}: ${change}`);
}
const share = 1 - total.survived / Math.max(total.mutants, 1);
console.log(`${total.mutants} mutants, ${(share * 100).toFixed(1)} % killed`);
if (share < WANTED) process.exitCode = 1;
