/**
 * `npm run test:mutants [-- --at-most N] [--lines N,…] [--known] [--at-once N] [module…]`: changes the deciding modules
 * in one place at a time and runs their tests, which must fail. Prints the share of killed mutants of each module, and
 * every change that was not detected. Exits with 1 if less than 95 % of any module were. The entries of equivalents.ts
 * are left out.
 * `--at-most` limits the run to N changes of each module, spread over it; `--lines` to those of some lines, such as of
 * survivors that a new test is to kill; `--known` to those that are otherwise left out, none of which may be detected;
 * `--at-once` sets how many run in parallel.
 */
import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { EQUIVALENTS, equivalentsAmong } from './equivalents.ts';
import { withMutants, type Mutant } from './mutate.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const WANTED = 0.95;
// A change that causes an endless loop counts as detected.
const SLOWER = 3;
const SHORTEST_LIMIT_MS = 30_000;

// In memory if possible: databases are written by the thousand, and killed tests leave theirs behind.
const TEMPORARY = mkdtempSync(join(existsSync('/dev/shm') ? '/dev/shm' : tmpdir(), 'seo-admin-mutants-'));
process.on('exit', () => rmSync(TEMPORARY, { recursive: true, force: true }));

const health = (...parts: string[]): string[] => parts.map((part) => `test/providers/health-${part}.test.ts`);
const ITEMS = [
  'item-acts',
  'item-unsent',
  'item-lane',
  'item-lane-settling',
  'item-trace',
  'item-try',
  'settle',
  'items',
  'rollback',
  'restore',
];
const items = (...first: string[]): string[] =>
  [...new Set([...first, ...ITEMS])].map((part) => `test/operations/${part}.test.ts`);

const search = (...parts: string[]): string[] => parts.map((part) => `test/providers/search/${part}.test.ts`);

const GATE = ['answers', 'likeness', 'sends-back'].map((part) => `test/services/transfers/gate/${part}.test.ts`);

const PICK = ['pick', 'choice', 'choice-any', 'choice-same'].map(
  (part) => `test/shared/transfers/transfer-${part}.test.ts`,
);

const THROTTLE = ['-book', '-limits', '-links', '-memory', '', '-servers', '-shares', '-siege'].map(
  (part) => `test/services/access/throttle${part}.test.ts`,
);

const INDEX = ['damage', 'index'].map((part) => `test/providers/blocklist-${part}.test.ts`);

/** The deciding modules and their tests, those that detect most first. */
const MODULES: Record<string, string[]> = {
  'src/services/access/ownership.ts': [
    'test/services/access/ownership.test.ts',
    ...['names', 'mains', 'claims', 'hand-over'].map((part) => `test/api/dns/attached-${part}.test.ts`),
  ],
  'src/services/transfers/gate.ts': GATE,
  'src/services/transfers/seen.ts': ['test/services/transfers/gate/answers.test.ts'],
  'src/services/sites/site-likeness.ts': ['site-likeness-edges', 'site-likeness', 'site-print', 'sends-back'].map(
    (part) => `test/services/sites/${part}.test.ts`,
  ),
  'src/services/sites/site-print.ts': ['test/services/sites/site-print.test.ts'],
  'src/shared/transfers/transfer-pick.ts': PICK,
  'src/shared/transfers/witnesses.ts': PICK,
  'src/shared/checks/list-doubt.ts': ['test/shared/checks/list-doubt.test.ts'],
  'src/shared/checks/list-schedule.ts': ['test/shared/checks/list-schedule.test.ts'],
  'src/providers/blocklist/index-lookup.ts': INDEX,
  'src/providers/blocklist/index-whole.ts': INDEX,
  'src/services/access/throttle.ts': THROTTLE,
  'src/services/access/throttle-book.ts': THROTTLE,
  'src/operations/items.ts': items('item-lane'),
  'src/operations/item-lane.ts': items('item-lane'),
  'src/operations/item-try.ts': items('item-try', 'early'),
  'src/operations/item-acts.ts': items('item-acts', 'early'),
  'src/operations/settle.ts': ['test/operations/settle.test.ts'],
  'src/lib/redact.ts': ['test/lib/redact.test.ts'],
  'src/lib/redactor.ts': ['test/lib/redactor.test.ts'],
  'src/shared/portfolio/domain-state.ts': ['test/shared/portfolio/domain-state.test.ts'],
  'src/services/portfolio/domains.ts': [
    'domains/domains',
    'domains/renames',
    'domains/lists',
    'domains/projects',
    'folders/owners',
    'folders/doors',
  ].map((part) => `test/api/${part}.test.ts`),
  'ui/dns/editor/dnsDraft.ts': ['test/ui/dnsDraft.test.ts'],
  'src/providers/health/head.ts': health('head'),
  'src/providers/health/visit.ts': health('redirects', 'private', 'addresses'),
  'src/providers/health/by-address.ts': GATE,
  'src/providers/health/resolve.ts': health('lookup'),
  'src/lib/outgoing/name-server.ts': health('settings'),
  'src/providers/search/serp-url.ts': search('corpus'),
  'src/providers/search/serp-xml.ts': search('corpus', 'serp-xml'),
  'src/providers/search/arsenkin-results.ts': search('arsenkin-results', 'arsenkin'),
  'src/shared/positions/places.ts': ['test/shared/positions/places.test.ts', ...search('corpus')],
};

/** A Vitest in a child process, which runs the tests of a module with one mutant after another. */
class Slot {
  private child: ChildProcess | undefined;
  private readonly module: string;

  constructor(module: string) {
    this.module = module;
  }

  /** Returns whether the tests pass with a mutant; null if they exceed `limitMs` or end the process. */
  async passes(mutant: number, limitMs: number): Promise<boolean | null> {
    const child = await this.start();
    const late = new AbortController();
    const abort = (): void => late.abort();
    const timer = setTimeout(abort, limitMs);
    // A mutant that ends the process counts as detected.
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

  /** Kills the process and the workers of its Vitest. */
  stop(): void {
    const { pid, exitCode, signalCode } = this.child ?? {};
    if (pid !== undefined && exitCode === null && signalCode === null) process.kill(-pid, 'SIGKILL');
    this.child = undefined;
  }

  /** Starts the process unless it is running. */
  async start(): Promise<ChildProcess> {
    if (this.child) return this.child;
    this.child = fork(fileURLToPath(new URL('slot.ts', import.meta.url)), MODULES[this.module], {
      cwd: ROOT,
      // As the command line of Vitest sets it: crash points do nothing without it.
      env: { ...process.env, NODE_ENV: 'test', TEST_MUTANT_MODULE: this.module, TMPDIR: TEMPORARY },
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
      detached: true,
    });
    await Promise.race([once(this.child, 'message'), once(this.child, 'exit')]);
    return this.child;
  }
}

/** The outcome of a module's mutants: the undetected ones, and the number stopped for taking too long. */
interface Ends {
  survivors: Mutant[];
  late: number;
}

async function endsOf(module: string, mutants: readonly Mutant[]): Promise<Ends> {
  const left = [...mutants];
  const ends: Ends = { survivors: [], late: 0 };
  const slots = Array.from({ length: Number(values['at-once']) }, () => new Slot(module));
  const work = async (slot: Slot): Promise<void> => {
    await slot.start();
    const begun = performance.now();
    if ((await slot.passes(0, 600_000)) !== true) throw new Error(`The tests of ${module} fail as it is`);
    const limit = Math.max((performance.now() - begun) * SLOWER, SHORTEST_LIMIT_MS);
    for (let mutant = left.shift(); mutant; mutant = left.shift()) {
      const passed = await slot.passes(mutant.id, limit);
      if (passed === null) ends.late += 1;
      if (passed !== true) continue;
      ends.survivors.push(mutant);
      if (!values.known) console.log(`${module}:${mutant.line}: survived: ${mutant.change}`);
    }
  };
  try {
    await Promise.all(slots.map(work));
  } finally {
    for (const slot of slots) slot.stop();
  }
  return ends;
}

const { values, positionals: asked } = parseArgs({
  options: {
    'at-most': { type: 'string' },
    'at-once': { type: 'string', default: '2' },
    lines: { type: 'string' },
    known: { type: 'boolean' },
  },
  allowPositionals: true,
});
const atMost = Number(values['at-most'] ?? Infinity);
const lines = values.lines?.split(',').map(Number);
const unknown = asked.filter((module) => !Object.hasOwn(MODULES, module));
const missing = Object.values(MODULES)
  .flat()
  .filter((test) => !existsSync(`${ROOT}${test}`));
if (missing.length > 0) {
  console.error(`No such tests: ${[...new Set(missing)].join(', ')}`);
  process.exit(2);
}
if (unknown.length > 0) {
  console.error(`Not among the modules that decide: ${unknown.join(', ')}`);
  process.exit(2);
}

/** Returns all changes of a module, and those of them that are known to have no effect. */
function changesOf(module: string): { all: Mutant[]; known: Set<Mutant> } {
  const { mutants } = withMutants(readFileSync(`${ROOT}${module}`, 'utf8'));
  return { all: mutants, known: equivalentsAmong(module, mutants) };
}

/** Runs the requested mutants of a module, and returns whether enough were detected. */
async function isWellTested(module: string): Promise<boolean> {
  const begun = performance.now();
  const { all, known } = changesOf(module);
  const wanted = all.filter((mutant) => known.has(mutant) === (values.known ?? false));
  const inLines = wanted.filter(({ line }) => lines?.includes(line) ?? true);
  const every = Math.max(inLines.length / atMost, 1);
  const mutants = inLines.filter((_, index) => Math.floor(index / every) !== Math.floor((index - 1) / every));
  if (mutants.length === 0) return true;
  const { survivors, late } = await endsOf(module, mutants);
  const killed = mutants.length - survivors.length;
  const seconds = Math.round((performance.now() - begun) / 1000);
  const stopped = late > 0 ? ` (${late} by time)` : '';
  console.log(`${module}: ${killed} of ${mutants.length} killed${stopped}, ${known.size} equivalent, ${seconds} s`);
  const wronged = values.known ? mutants.filter((mutant) => !survivors.includes(mutant)) : [];
  for (const { line, change } of wronged) console.log(`${module}:${line}: killed: ${change}`);
  total.mutants += mutants.length;
  total.killed += killed;
  return values.known ? killed === 0 : killed >= mutants.length * WANTED;
}

// Validates all entries at once, before the long work.
for (const module of Object.keys(EQUIVALENTS)) changesOf(module);
const total = { mutants: 0, killed: 0 };
for (const module of asked.length > 0 ? asked : Object.keys(MODULES)) {
  if (!(await isWellTested(module))) process.exitCode = 1;
}
console.log(`${total.mutants} mutants, ${((total.killed / Math.max(total.mutants, 1)) * 100).toFixed(1)} % killed`);
