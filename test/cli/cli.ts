// The real command line in processes of its own.
import { spawn, type ChildProcessByStdio } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Readable, Writable } from 'node:stream';
import { fileURLToPath, pathToFileURL } from 'node:url';

export const BIN = fileURLToPath(new URL('../../bin/seo-admin.js', import.meta.url));
export const PASSWORD = 'correct horse battery';

/** How a run ended and what it said. */
export interface Run {
  exit: number | null;
  stdout: string;
  stderr: string;
  /** The one JSON document of stdout; throws where it is none. */
  // oxlint-disable-next-line typescript/no-explicit-any -- a document of any command
  json: any;
}

export interface RunOptions {
  /** What comes on standard input, a pipe; null leaves it open and empty, without it /dev/null is there. */
  input?: string | null;
  env?: Record<string, string>;
}

/** A data directory of its own, with the command line on it. */
export interface Home {
  dir: string;
  run: (args: string[], options?: RunOptions) => Promise<Run>;
  start: (args: string[], options?: RunOptions) => Started;
  /** Writes a file beside the data and returns its path. */
  file: (name: string, content: string | Uint8Array) => string;
  remove: () => void;
}

/** A run that goes on. */
export interface Started {
  process: ChildProcessByStdio<Writable, Readable, Readable>;
  /** Settles when stderr has said something that matches; throws where it ends without. */
  says: (pattern: RegExp) => Promise<RegExpExecArray>;
  ended: Promise<Run>;
}

/** Starts the command line. Nothing of the environment that would change its answer is handed on. */
export function startCli(args: string[], { input, env = {} }: RunOptions = {}): Started {
  const { NO_COLOR: _noColor, FORCE_COLOR: _forceColor, CI: _ci, npm_command: _npm, ...rest } = process.env;
  for (const name of ['LC_ALL', 'LC_MESSAGES', 'LANG']) delete rest[name];
  const child = spawn(process.execPath, [BIN, ...args], {
    env: { ...rest, TERM: 'xterm-256color', ...env },
    stdio: [input === undefined ? 'ignore' : 'pipe', 'pipe', 'pipe'],
  }) as ChildProcessByStdio<Writable, Readable, Readable>;
  let stdout = '';
  let stderr = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => (stdout += text));
  child.stderr.setEncoding('utf8').on('data', (text: string) => (stderr += text));
  if (typeof input === 'string') child.stdin.end(input);
  const ended = once(child, 'close').then(([exit]): Run => ({
    exit: exit as number | null,
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

/** A home with an administrator. */
export async function makeAdminHome(): Promise<Home> {
  const home = makeHome();
  const made = await home.run(['init', '--admin-login', 'admin', '--password-stdin'], { input: `${PASSWORD}\n` });
  if (made.exit !== 0) throw new Error(made.stderr);
  return home;
}

/** What a command line makes Node load: the files, and the modules that the built ones are made of. */
export async function loadedBy(args: string[], env: Record<string, string> = {}) {
  const { stderr } = await startCli(args, { env: { ...env, NODE_DEBUG: 'esm,module' } }).ended;
  const required = [...stderr.matchAll(/load "([^"]+)" for module/g)].map(([, path = '']) => pathToFileURL(path).href);
  const imported = [...stderr.matchAll(/file:\/\/[^\s'",]+/g)].map(([url]) => url);
  const files = [...new Set([...required, ...imported])];
  const built = files.filter((url) => url.includes('/dist/'));
  // What the bin tries first holds parts of everything, and is small.
  const whole = built.filter((url) => !url.endsWith('/quick.cjs'));
  const modules = whole.flatMap((url) =>
    [...readFileSync(fileURLToPath(url), 'utf8').matchAll(/^\/\/ ((?:src|db|node_modules)\/\S+)$/gm)].map(
      ([, path = '']) => path,
    ),
  );
  return { files, built, modules };
}

/** Work on many things, four at a time: a process each is heavy. */
export async function eachOf<Item>(items: Item[], work: (item: Item) => Promise<void>): Promise<void> {
  const left = [...items];
  const worker = async (): Promise<void> => {
    for (let item = left.shift(); item !== undefined; item = left.shift()) await work(item);
  };
  await Promise.all(Array.from({ length: 4 }, worker));
}
