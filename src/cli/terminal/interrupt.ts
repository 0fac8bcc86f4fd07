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

/** Returns the line that was typed; `words` are those of it that are given again. */
const lineOf = (words: readonly string[] = process.argv.slice(2)): string => words.map(quoted).join(' ');

/** Thrown into a command that was interrupted; `command` is the line that was typed, to be given again. */
export class Interrupted extends Error {
  override name = 'Interrupted';
  readonly exit: ExitCode;
  readonly command: string;
  constructor(exit: ExitCode) {
    super('interrupted');
    this.exit = exit;
    this.command = lineOf();
  }
}

// More names than a person would paste.
const MOST_NAMES = 200;

/**
 * Returns the line that was typed, with the words that standard input held (`piped`) in its place. `needsInput`: it needs the
 * same input again, because no line can hold those words, or means another thing by one.
 */
export function lineAgain(piped: readonly string[]): { command: string; needsInput: boolean } {
  // As an argument, the first would be a flag, and the second the id of a name.
  const needsInput = piped.length > MOST_NAMES || piped.some((word) => /^-|^\d+$/.test(word));
  if (piped.length === 0 || needsInput) return { command: lineOf(), needsInput };
  const words = process.argv.slice(2);
  const isFile = (word: string | undefined): boolean => word === '-f' || word === '--file';
  const isInput = (word: string, at: number): boolean =>
    word === '-' || word === '--file=-' || (isFile(word) && words[at + 1] === '-');
  return { command: lineOf([...words.filter((word, at) => !isInput(word, at)), ...piped]), needsInput };
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
