import { spawnSync } from 'node:child_process';
import { closeSync, mkdtempSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, domainToASCII } from 'node:url';
import iconv from 'iconv-lite';
import { checkBlocklist } from '../src/services/checks/blocklist.ts';
import { random } from '../test/support/random.ts';
import { writeDump } from './blocklist-dump.ts';

const ROWS = 1_000_000;
const NAMES = 100_000;
const root = fileURLToPath(new URL('..', import.meta.url));

// The peer's table holds the second column of the dump unchanged.
const PEER_IMPORT = `export LC_ALL=C; rm -f "$2"; cut -d';' -f2 "$1" | tr 'A-Z' 'a-z' | sort -u |
  sqlite3 "$2" 'CREATE TABLE blocked (name TEXT PRIMARY KEY) WITHOUT ROWID' '.import /dev/stdin blocked'`;
const PEER_CHECK = `sqlite3 "$2" 'CREATE TEMP TABLE asked (name TEXT)' ".import $1 asked" "
  WITH RECURSIVE parents (host, name) AS (
    SELECT name, name FROM asked
    UNION ALL SELECT host, substr(name, instr(name, '.') + 1) FROM parents WHERE instr(name, '.') > 0)
  SELECT name FROM asked JOIN blocked USING (name)
  UNION SELECT host FROM parents JOIN blocked ON blocked.name = '*.' || parents.name"`;

/** A run to be timed: a command line as a whole process with its output file, or work in this process. */
type Run = { title: string } & ({ command: string[]; output?: string } | { work: () => Promise<unknown> });

/**
 * Measures the blocklist of a million rows: import, look-ups of 100,000 and of ten names, each interleaved with a peer;
 * then compares every verdict with plain sets. `command` is the product, to which the CLI arguments are appended.
 */
export async function benchBlocklist(
  rounds = 5,
  command: string[] = [process.execPath, join(root, 'bin/seo-admin.js')],
): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'seo-admin-bench-'));
  const at = (name: string): string => join(folder, name);
  const product = (...args: string[]): string[] => [...command, ...args, '--data-dir', at('data')];
  const shell = (script: string, ...args: string[]): string[] => ['sh', '-c', script, 'sh', ...args];
  try {
    await writeDump(at('dump.csv'), ROWS, new Date());
    const sets = readSets(at('dump.csv'));
    const hosts = askedHosts(sets, NAMES);
    writeFileSync(at('names'), hosts.map((host) => `${host}\n`).join(''));

    await compare(rounds, '1,000,000 rows imported', [
      { title: 'cut | tr | sort -u | sqlite3 .import', command: shell(PEER_IMPORT, at('dump.csv'), at('peer.db')) },
      { title: 'seo-admin blocklist update', command: product('blocklist', 'update', '--file', at('dump.csv')) },
    ]);
    await compare(rounds, '100,000 names checked', [
      { title: 'sqlite3, prebuilt', command: shell(PEER_CHECK, at('names'), at('peer.db')), output: at('peer.txt') },
      {
        title: 'the same call of the service',
        work: () => checkBlocklist(join(at('data'), 'blocklist'), hosts),
      },
      {
        title: 'seo-admin check blocked --json, whole',
        command: product('check', 'blocked', '--file', at('names'), '--json'),
        output: at('ours.json'),
      },
    ]);
    await compareTen(rounds, hosts.slice(0, 10), command, product);
    verify(at('ours.json'), hosts, sets);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

async function compareTen(
  rounds: number,
  hosts: string[],
  command: string[],
  product: (...args: string[]) => string[],
): Promise<void> {
  const [node = 0, start = 0, ten = 0] = await compare(rounds * 3, 'ten names, cold', [
    { title: 'node -e 0', command: [process.execPath, '-e', '0'] },
    { title: 'seo-admin --version', command: [...command, '--version'] },
    { title: 'seo-admin check blocked', command: product('check', 'blocked', ...hosts, '--json') },
  ]);
  const own = Math.max(0, start - node);
  console.log(`  without the CLI's own start of ${own.toFixed(0)} ms: ${((ten - own) / node).toFixed(2)} x node -e 0`);
}

/** Runs all in turns, prints the medians relative to the first one's, and returns them in milliseconds. */
async function compare(rounds: number, title: string, runs: Run[]): Promise<number[]> {
  const times = runs.map((): number[] => []);
  for (let round = 0; round < rounds; round++) {
    for (const [index, run] of runs.entries()) times[index]?.push(await time(run));
  }
  const medians = times.map((list) => list.sort((a, b) => a - b)[list.length >> 1] ?? 0);
  console.log(`${title}, median of ${rounds}`);
  for (const [index, { title }] of runs.entries()) {
    const median = medians[index]!;
    console.log(`  ${title.padEnd(40)} ${median.toFixed(0).padStart(6)} ms  ${(median / medians[0]!).toFixed(2)}`);
  }
  return medians;
}

async function time(run: Run): Promise<number> {
  if ('work' in run) {
    const started = performance.now();
    await run.work();
    return performance.now() - started;
  }
  const { title, command, output = '/dev/null' } = run;
  const file = openSync(output, 'w');
  const started = performance.now();
  const { status, stderr } = spawnSync(command[0]!, command.slice(1), { stdio: ['ignore', file, 'pipe'] });
  const ms = performance.now() - started;
  closeSync(file);
  if (status !== 0) throw new Error(`${title} ended with ${status}: ${stderr.toString()}`);
  return ms;
}

interface Sets {
  exact: Set<string>;
  mask: Set<string>;
}

// Reads the dump in the simplest way, without regard to time.
function readSets(path: string): Sets {
  const sets: Sets = { exact: new Set(), mask: new Set() };
  for (const line of iconv.decode(readFileSync(path), 'windows-1251').split('\n').slice(1)) {
    const [, name = '', url = ''] = line.split(';');
    if (name === '' || url !== '') continue;
    if (name.startsWith('*.')) sets.mask.add(domainToASCII(name.slice(2)));
    else sets.exact.add(domainToASCII(name));
  }
  return sets;
}

// Two fifths listed, one fifth below masks, one fifth below names listed exactly (not blocked), one fifth unlisted.
function askedHosts({ exact, mask }: Sets, count: number): string[] {
  const next = random(42);
  const [names, bases] = [[...exact], [...mask]];
  const pick = (list: string[]): string => list[Math.floor(next() * list.length)]!;
  const kinds = [
    () => pick(names),
    () => pick(bases),
    () => `shop.${pick(bases)}`,
    () => `shop.${pick(names)}`,
    () => `own-site-${Math.floor(next() * 1e9)}.ru`,
  ];
  const hosts = new Set<string>();
  while (hosts.size < count) hosts.add(kinds[hosts.size % kinds.length]!());
  return [...hosts];
}

function verify(path: string, hosts: string[], { exact, mask }: Sets): void {
  const { items } = JSON.parse(readFileSync(path, 'utf8')) as { items: { domain: string; status: string }[] };
  const isMasked = (name: string): boolean =>
    mask.has(name) || (name.includes('.') && isMasked(name.slice(name.indexOf('.') + 1)));
  const wrong = hosts.filter((host, i) => {
    const status = exact.has(host) || isMasked(host) ? 'blocked' : 'free';
    return items[i]?.domain !== host || items[i]?.status !== status;
  });
  const blocked = items.filter(({ status }) => status === 'blocked').length;
  console.log(`${items.length} verdicts, ${blocked} blocked; ${wrong.length} differ from plain sets`);
  if (wrong.length > 0) throw new Error(`Wrong verdicts, the first: ${wrong[0]}`);
}
