/**
 * `npm run test:mutants [-- --at-most N] [--lines N,…] [module…]`: changes the modules that decide in one place at a time and runs their
 * tests, which must fail. Prints the share that was killed for each module and every change that was not noticed. Ends with 1
 * where fewer than 95 % were. `--at-most` takes N changes of each module, spread over it; `--lines` takes those of some lines,
 * such as of the survivors that a new test is to kill.
 */
import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { withMutants, type Mutant } from './mutate.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const WANTED = 0.95;
const AT_ONCE = 2;
// A change that makes a loop endless counts as noticed.
const SLOWER = 10;
const SHORTEST_LIMIT_MS = 30_000;

const health = (...parts: string[]): string[] => parts.map((part) => `test/providers/health-${part}.test.ts`);
const ITEMS = ['settle', 'item-try', 'items', 'rollback'].map((part) => `test/operations/${part}.test.ts`);

/** The modules that decide, and the tests that answer for them. */
const MODULES: Record<string, string[]> = {
  'src/services/ownership.ts': ['test/services/ownership.test.ts'],
  'src/services/transfer-gate.ts': ['test/services/transfer-gate.test.ts'],
  'src/services/site-likeness.ts': ['test/services/site-likeness-edges.test.ts', 'test/services/site-likeness.test.ts'],
  'src/shared/transfer-pick.ts': ['test/shared/transfer-pick.test.ts'],
  'src/shared/list-doubt.ts': ['test/shared/list-doubt.test.ts'],
  'src/shared/list-schedule.ts': ['test/shared/list-schedule.test.ts'],
  'src/providers/blocklist/index-lookup.ts': ['test/providers/blocklist-index.test.ts'],
  'src/services/throttle.ts': ['-limits', '-memory', ''].map((part) => `test/services/throttle${part}.test.ts`),
  'src/operations/items.ts': ITEMS,
  'src/operations/item-lane.ts': ITEMS,
  'src/operations/item-try.ts': ITEMS,
  'src/operations/item-acts.ts': ITEMS,
  'src/operations/settle.ts': ['test/operations/settle.test.ts'],
  'src/lib/redact.ts': ['test/lib/redact.test.ts'],
  'src/lib/redactor.ts': ['test/lib/redactor.test.ts'],
  'src/shared/domain-state.ts': ['test/shared/domain-state.test.ts'],
  'src/services/domains.ts': ['test/api/domains.test.ts', 'test/api/folders.test.ts'],
  'ui/components/dnsDraft.ts': ['test/ui/dnsDraft.test.ts'],
  'src/providers/health/head.ts': health('head'),
  'src/providers/health/visit.ts': health('redirects', 'private', 'addresses'),
  'src/providers/health/resolve.ts': health('settings', 'lookup'),
};

/** A Vitest in a process of its own, which runs the tests of a module with one mutant after another. */
class Slot {
  private child: ChildProcess | undefined;
  private readonly module: string;

  constructor(module: string) {
    this.module = module;
  }

  /** Whether the tests pass with a mutant; null where they take longer than `limitMs` or end the process. */
  async passes(mutant: number, limitMs: number): Promise<boolean | null> {
    const child = await this.start();
    const late = new AbortController();
    const abort = (): void => late.abort();
    const timer = setTimeout(abort, limitMs);
    // A mutant that ends the process is noticed as well.
    child.once('exit', abort);
    try {
      child.send(mutant);
      const [answer] = (await once(child, 'message', { signal: late.signal })) as [boolean];
      return answer;
    } catch (error) {
      if (!late.signal.aborted) throw error;
      this.stop();
      return null;
    } finally {
      clearTimeout(timer);
      child.off('exit', abort);
    }
  }

  /** Ends the process and the workers of its Vitest. */
  stop(): void {
    const { pid, exitCode, signalCode } = this.child ?? {};
    if (pid !== undefined && exitCode === null && signalCode === null) process.kill(-pid, 'SIGKILL');
    this.child = undefined;
  }

  /** Starts the process unless it runs. */
  async start(): Promise<ChildProcess> {
    if (this.child) return this.child;
    this.child = fork(fileURLToPath(new URL('slot.ts', import.meta.url)), MODULES[this.module], {
      cwd: ROOT,
      env: { ...process.env, TEST_MUTANT_MODULE: this.module },
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
      detached: true,
    });
    await Promise.race([once(this.child, 'message'), once(this.child, 'exit')]);
    return this.child;
  }
}

/** The mutants of a module that its tests let through. */
async function survivorsOf(module: string, mutants: Mutant[]): Promise<Mutant[]> {
  const left = [...mutants];
  const survivors: Mutant[] = [];
  const slots = Array.from({ length: AT_ONCE }, () => new Slot(module));
  const work = async (slot: Slot): Promise<void> => {
    await slot.start();
    const begun = performance.now();
    if ((await slot.passes(0, 600_000)) !== true) throw new Error(`The tests of ${module} fail as it is`);
    const limit = Math.max((performance.now() - begun) * SLOWER, SHORTEST_LIMIT_MS);
    for (let mutant = left.shift(); mutant; mutant = left.shift()) {
      if ((await slot.passes(mutant.id, limit)) === true) survivors.push(mutant);
    }
  };
  try {
    await Promise.all(slots.map(work));
  } finally {
    for (const slot of slots) slot.stop();
  }
  return survivors.toSorted((a, b) => a.id - b.id);
}

const { values, positionals: asked } = parseArgs({
  options: { 'at-most': { type: 'string' }, lines: { type: 'string' } },
  allowPositionals: true,
});
const atMost = Number(values['at-most'] ?? Infinity);
const lines = values.lines?.split(',').map(Number);
const unknown = asked.filter((module) => !Object.hasOwn(MODULES, module));
if (unknown.length > 0) {
  console.error(`Not among the modules that decide: ${unknown.join(', ')}`);
  process.exit(2);
}
const total = { mutants: 0, survived: 0 };
for (const module of asked.length > 0 ? asked : Object.keys(MODULES)) {
  const all = withMutants(readFileSync(`${ROOT}${module}`, 'utf8')).mutants.filter(
    ({ line }) => lines?.includes(line) ?? true,
  );
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
