import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../../', import.meta.url));

/** The environment variable that names the folder of the built `test/children`, if there is one. */
export const CHILDREN = 'TEST_CHILDREN';

/** Returns how Node runs a file: as built for this run, else from the sources. */
export function childWords(file: string): string[] {
  const built = process.env[CHILDREN];
  if (built === undefined || !file.startsWith('test/children/')) return ['--import', 'tsx', file];
  return [join(built, `${basename(file, '.ts')}.js`)];
}

/** A process of the product's or tests' code beside the test. */
export interface Child {
  process: ChildProcess;
  /** Returns the next line of its output. Throws if it ends without one. */
  line: () => Promise<string>;
  /** Returns all of its output, after a successful exit. */
  output: () => Promise<string>;
  /** Kills it at once, like a power failure, and waits until it is gone. */
  kill: () => Promise<void>;
}

/** Starts a TypeScript file with these arguments. */
export function startChild(file: string, args: string[]): Child {
  const child = spawn(process.execPath, [...childWords(file), ...args], {
    cwd: root,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const lines = createInterface({ input: child.stdout });
  const waiting = lines[Symbol.asyncIterator]();
  const ended = once(child, 'exit') as Promise<[number | null, NodeJS.Signals | null]>;
  return {
    process: child,
    line: async () => {
      const { value, done } = await waiting.next();
      if (done) throw new Error(`${file} ended without a word`);
      return value;
    },
    output: async () => {
      const all: string[] = [];
      for (;;) {
        const { value, done } = await waiting.next();
        if (done) break;
        all.push(value);
      }
      const [code] = await ended;
      if (code !== 0) throw new Error(`${file} ended with ${code}`);
      return all.join('\n');
    },
    kill: async () => {
      child.kill('SIGKILL');
      await ended;
    },
  };
}
