import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../../', import.meta.url));

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
  const child = spawn(process.execPath, ['--import', 'tsx', file, ...args], {
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
