import type { ExitCode } from '../output.ts';
import { quoted } from './quoted.ts';

/** The interruption of a long command. `exit` returns its exit code once `signal` has fired. */
export interface Interrupt {
  signal: AbortSignal;
  exit: () => ExitCode;
  /** Resolves when the signal fires. */
  fired: Promise<void>;
}

const EXITS = { SIGINT: 130, SIGTERM: 143 } as const;

// Whether the command ends in order by itself.
let isWatched = false;

/** Installs handlers: the first Ctrl-C or SIGTERM asks the command to end in order, a second one ends it at once. */
export function watchInterrupt(): Interrupt {
  isWatched = true;
  const controller = new AbortController();
  let exit: 130 | 143 = 143;
  const fired = new Promise<void>((resolve) => controller.signal.addEventListener('abort', () => resolve()));
  for (const name of ['SIGINT', 'SIGTERM'] as const) {
    process.on(name, () => {
      if (controller.signal.aborted) process.exit(EXITS[name]);
      exit = EXITS[name];
      controller.abort();
    });
  }
  endWithParent(() => controller.abort());
  return { signal: controller.signal, exit: () => exit, fired };
}

/** Thrown into a command that was interrupted; `command` is the line that was typed, to be given again. */
export class Interrupted extends Error {
  override name = 'Interrupted';
  readonly exit: ExitCode;
  readonly command: string;
  constructor(exit: ExitCode) {
    super('interrupted');
    this.exit = exit;
    this.command = process.argv.slice(2).map(quoted).join(' ');
  }
}

// More names than a person would paste; the line that was typed asks about all of them again.
const MOST_NAMES = 200;

/** Returns the line that was typed, with the names that are `left` in the place of those that were `given` to it, as words or by a file. */
export function lineOfRest(left: readonly string[], given: readonly string[]): string {
  const words = process.argv.slice(2);
  if (left.length > MOST_NAMES) return words.map(quoted).join(' ');
  const named = new Set(given);
  const isFile = (word: string, at: number): boolean =>
    ['-', '-f', '--file'].includes(word) ||
    ['-f', '--file'].includes(words[at - 1] ?? '') ||
    word.startsWith('--file=');
  // After a flag it may be its value: a name that stays is asked about again at worst. A number is the id of a name.
  const isName = (word: string, at: number): boolean =>
    (named.has(word) || /^\d{1,15}$/.test(word)) && !/^--[^=]+$/.test(words[at - 1] ?? '');
  return [...words.filter((word, at) => !isName(word, at) && !isFile(word, at)), ...left].map(quoted).join(' ');
}

/**
 * Does work that a signal ends with `Interrupted`, unless the work watches for signals itself; what it was at is left as a
 * killed process leaves it. A second signal ends the process.
 */
export async function untilInterrupted<T>(work: () => Promise<T>): Promise<T> {
  const removers: (() => void)[] = [];
  let isCut = false;
  const cut = new Promise<never>((_resolve, reject) => {
    for (const name of ['SIGINT', 'SIGTERM'] as const) {
      const end = (): void => {
        if (isWatched) return;
        if (isCut) process.exit(EXITS[name]);
        isCut = true;
        reject(new Interrupted(EXITS[name]));
      };
      // Not `once`: Ink, which draws, kills a process that it finds without another listener.
      process.on(name, end);
      removers.push(() => process.removeListener(name, end));
    }
  });
  try {
    return await Promise.race([work(), cut]);
  } finally {
    for (const remove of removers) remove();
  }
}

/** Ends the process in a second, if something that hears of no stop keeps it alive. */
export const endSoon = (exit: ExitCode): void => void setTimeout(() => process.exit(exit), 1_000).unref();

/** npx does not forward SIGTERM: once it is gone, this process has another parent. */
function endWithParent(end: () => void): void {
  if (process.env['npm_command'] !== 'exec') return;
  const parent = process.ppid;
  setInterval(() => {
    if (process.ppid !== parent) end();
  }, 500).unref();
}
