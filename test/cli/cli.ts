// The real command line in child processes.
import { spawn, type ChildProcessByStdio } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Readable, Writable } from 'node:stream';
import { fileURLToPath, pathToFileURL } from 'node:url';

export const BIN = fileURLToPath(new URL('../../bin/seo-admin.js', import.meta.url));
export const PASSWORD = 'correct horse battery';

/** The exit code and output of a run. */
export interface Run {
  exit: number | null;
  stdout: string;
  stderr: string;
  /** The JSON document of stdout; throws if it is not exactly one. */
  // oxlint-disable-next-line typescript/no-explicit-any -- a document of any command
  json: any;
}

export interface RunOptions {
  /** The contents of stdin, a pipe; null leaves it open and empty; absent, stdin is /dev/null. */
  input?: string | null;
  env?: Record<string, string>;
}

/** A data directory with the command line on it. */
export interface Home {
  dir: string;
  run: (args: string[], options?: RunOptions) => Promise<Run>;
  start: (args: string[], options?: RunOptions) => Started;
  /** Writes a file beside the data and returns its path. */
  file: (name: string, content: string | Uint8Array) => string;
  remove: () => void;
}

/** A run in progress. */
export interface Started {
  process: ChildProcessByStdio<Writable, Readable, Readable>;
  /** Resolves when stderr contains a match; throws if the run ends without one. */
  says: (pattern: RegExp) => Promise<RegExpExecArray>;
  ended: Promise<Run>;
}

/** Registries at which nobody answers. */
const NO_REGISTRY = { RDAP_URL: 'http://127.0.0.1:9', WHOIS_SERVER: '127.0.0.1:9' };

/** Starts the command line, without environment variables that would change its output. */
export function startCli(args: string[], { input, env = {} }: RunOptions = {}): Started {
  const { NO_COLOR: _noColor, FORCE_COLOR: _forceColor, CI: _ci, npm_command: _npm, ...rest } = process.env;
  for (const name of ['LC_ALL', 'LC_MESSAGES', 'LANG']) delete rest[name];
  const child = spawn(process.execPath, [BIN, ...args], {
    env: { ...rest, ...NO_REGISTRY, TERM: 'xterm-256color', ...env },
    stdio: [input === undefined ? 'ignore' : 'pipe', 'pipe', 'pipe'],
  }) as ChildProcessByStdio<Writable, Readable, Readable>;
  let stdout = '';
  let stderr = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => (stdout += text));
  child.stderr.setEncoding('utf8').on('data', (text: string) => (stderr += text));
  if (typeof input === 'string') child.stdin.end(input);
  const ended = once(child, 'close').then(([exit, signal]): Run => ({
    // As a shell tells it: a second SIGHUP may come while the process ends by the first, after its listeners are gone.
    exit: signal === 'SIGHUP' ? 129 : (exit as number | null),
    stdout,
    stderr,
    get json() {
      return JSON.parse(stdout);
    },
  }));
  const says = async (pattern: RegExp): Promise<RegExpExecArray> => {
    for (;;) {
      const found = pattern.exec(stderr);
      if (found) return found;
      const over = await Promise.race([ended, once(child.stderr, 'data').then(() => null)]);
      if (over && !pattern.test(stderr)) throw new Error(`ended with ${over.exit}: ${stderr}`);
    }
  };
  return { process: child, says, ended };
}

export function makeHome(): Home {
  const root = mkdtempSync(join(tmpdir(), 'seo-admin-cli-'));
  const dir = join(root, 'data');
  const start = (args: string[], { input, env }: RunOptions = {}): Started =>
    startCli(args, { ...(input === undefined ? {} : { input }), env: { SEO_ADMIN_DATA_DIR: dir, ...env } });
  return {
    dir,
    start,
    run: (args, options) => start(args, options).ended,
    file: (name, content) => {
      const path = join(root, name);
      writeFileSync(path, content);
      return path;
    },
    remove: () => rmSync(root, { recursive: true }),
  };
}

/** The environment variable that names an installation with an administrator, if there is one. */
export const INSTALLED = 'TEST_INSTALLED';

/** Creates a home with an administrator: a copy of what `seo-admin init` has made before the tests of the project. */
export async function makeAdminHome(): Promise<Home> {
  const home = makeHome();
  const installed = process.env[INSTALLED];
  if (installed === undefined) await install(home);
  else cpSync(installed, home.dir, { recursive: true });
  return home;
}

/** Makes the installation of a home. */
export async function install(home: Home): Promise<void> {
  const made = await home.run(['init', '--admin-login', 'admin', '--password-stdin'], { input: `${PASSWORD}\n` });
  if (made.exit !== 0) throw new Error(made.stderr);
}

/** Returns what a command line makes Node load: the files, and the modules bundled in the built ones. */
export async function loadedBy(args: string[], env: Record<string, string> = {}) {
  const { stderr } = await startCli(args, { env: { ...env, NODE_DEBUG: 'esm,module' } }).ended;
  const required = [...stderr.matchAll(/load "([^"]+)" for module/g)].map(([, path = '']) => pathToFileURL(path).href);
  const imported = [...stderr.matchAll(/file:\/\/[^\s'",]+/g)].map(([url]) => url);
  const files = [...new Set([...required, ...imported])];
  const built = files.filter((url) => url.includes('/dist/'));
  // The file that the bin tries first contains parts of everything, and is small.
  const whole = built.filter((url) => !url.endsWith('/quick.cjs'));
  const modules = whole.flatMap((url) =>
    [...readFileSync(fileURLToPath(url), 'utf8').matchAll(/^\/\/ ((?:src|db|node_modules)\/\S+)$/gm)].map(
      ([, path = '']) => path,
    ),
  );
  return { files, built, modules };
}

/** Works on many items, four at a time, because each starts a heavy process. */
export async function eachOf<Item>(items: Item[], work: (item: Item) => Promise<void>): Promise<void> {
  const left = [...items];
  const worker = async (): Promise<void> => {
    for (let item = left.shift(); item !== undefined; item = left.shift()) await work(item);
  };
  await Promise.all(Array.from({ length: 4 }, worker));
}
