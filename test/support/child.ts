import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../../', import.meta.url));

/** A process of our own code beside the test's. */
export interface Child {
  process: ChildProcess;
  /** The next line of its output. Throws where it ends without one. */
  line: () => Promise<string>;
  /** All of its output, once it has ended well. */
  output: () => Promise<string>;
  /** Ends it at once, as a power cut would, and waits until it is gone. */
  kill: () => Promise<void>;
}

/** Starts a TypeScript file of the tests; `args` are its arguments. */
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
