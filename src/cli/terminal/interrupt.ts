import type { ExitCode } from '../output.ts';
import { quoted } from './quoted.ts';

/** The interruption of a long command. `exit` returns its exit code once `signal` has fired. */
export interface Interrupt {
  signal: AbortSignal;
  exit: () => ExitCode;
  /** Resolves when the signal fires. */
  fired: Promise<void>;
}

const EXITS = { SIGHUP: 129, SIGINT: 130, SIGTERM: 143 } as const;
type Signal = keyof typeof EXITS;
/** The signals that end a command: a terminal that is closed, Ctrl-C, and a request to end. */
export const SIGNALS = Object.keys(EXITS) as Signal[];

// Of a command that ends in order by itself.
let watched: Interrupt | undefined;
// Whether a signal has come.
let hasCome = false;
let isAnswered = false;
let explain: ((exit: ExitCode) => Promise<void>) | undefined;

/** Whether a signal has come: the command ends by its exit code, whatever else fails on the way. */
export const isInterrupted = (): boolean => hasCome;

/** Whether the caller is the first to write the answer of the command: there is one, whoever comes to its end first. */
export function takesAnswer(): boolean {
  const isFirst = !isAnswered;
  isAnswered = true;
  return isFirst;
}

/** Sets what answers for a command that a second signal ends before it has an answer. */
export const explainEnd = (by: typeof explain): void => {
  explain = by;
};

/** Ends the process for a second signal, with a word about it; a third one does not wait for that. */
function endNow(exit: ExitCode): void {
  const explaining = explain;
  explain = undefined;
  if (explaining === undefined) process.exit(exit);
  void explaining(exit).finally(() => process.exit(exit));
}

/** Ends by the signal itself where there is a terminal, which is closed: Node aborts as it puts that back at its end. */
function hangUp(): void {
  process.removeAllListeners('SIGHUP');
  process.kill(process.pid, 'SIGHUP');
}

/**
 * Calls `first` at the first signal, and ends the process at a second one. That of a closed terminal comes from the system and from the
 * shell: it is no second one. Returns a function that stops listening.
 */
function onSignals(first: (exit: ExitCode) => void, isOn: () => boolean = () => true): () => void {
  let isSecond = false;
  // Not imported: names are looked up without it, which takes less time than loading it. A closed terminal can't be told any more.
  const { isatty } = process.getBuiltinModule('node:tty');
  const hasTerminal = [0, 1, 2].some((stream) => isatty(stream));
  const removers = SIGNALS.map((name) => {
    const listener = (): void => {
      if (!isOn()) return;
      hasCome = true;
      if (!isSecond) {
        isSecond = true;
        if (name === 'SIGHUP' && hasTerminal) process.once('exit', hangUp);
        first(EXITS[name]);
      } else if (name !== 'SIGHUP') endNow(EXITS[name]);
    };
    // Not `once`: Ink, which draws, kills a process that it finds without another listener.
    process.on(name, listener);
    return () => process.removeListener(name, listener);
  });
  return () => {
    for (const remove of removers) remove();
  };
}

/** Watches for signals, for the whole command: the first asks it to end in order, a second one ends it at once. */
export const watchInterrupt = (): Interrupt => (watched ??= watch());

function watch(): Interrupt {
  const controller = new AbortController();
  let exit: ExitCode = EXITS.SIGTERM;
  const fired = new Promise<void>((resolve) => controller.signal.addEventListener('abort', () => resolve()));
  onSignals((code) => {
    exit = code;
    controller.abort();
  });
  endWithParent(() => controller.abort());
  return { signal: controller.signal, exit: () => exit, fired };
}

/** Returns the line that was typed; `words` are those of it that are given again. */
const lineOf = (words: readonly string[] = process.argv.slice(2)): string => words.map(quoted).join(' ');

/** Thrown into a command that was interrupted; `command` is the line to be given again, with `needsInput` as in `lineAgain`. */
export class Interrupted extends Error {
  override name = 'Interrupted';
  readonly exit: ExitCode;
  readonly command: string;
  readonly needsInput: boolean;
  constructor(exit: ExitCode) {
    super('interrupted');
    this.exit = exit;
    ({ command: this.command, needsInput: this.needsInput } = lineAgain());
  }
}

// More names than a person would paste.
const MOST_NAMES = 200;

// Tells what standard input held, which can be read once; null: no words.
let piped: (() => readonly string[]) | null = () => [];

/** Keeps the words that standard input held, for the line that is given again; null for anything else, which no line has. */
export const keepInput = (words: typeof piped): void => {
  piped = words;
};

/**
 * Returns the line that was typed, with the words that standard input held in its place. `needsInput`: it needs the same input
 * again, because no line can hold it, or means another thing by one of the words.
 */
export function lineAgain(): { command: string; needsInput: boolean } {
  const given = piped?.() ?? [];
  // As an argument, the first would be a flag, and the second the id of a name.
  const needsInput = piped === null || given.length > MOST_NAMES || given.some((word) => /^-|^\d+$/.test(word));
  if (given.length === 0 || needsInput) return { command: lineOf(), needsInput };
  const words = process.argv.slice(2);
  const isFile = (word: string | undefined): boolean => word === '-f' || word === '--file';
  const isInput = (word: string, at: number): boolean =>
    word === '-' || word === '--file=-' || (isFile(word) && words[at + 1] === '-');
  return { command: lineOf([...words.filter((word, at) => !isInput(word, at)), ...given]), needsInput };
}

/**
 * Does work that a signal ends with `Interrupted`, unless the work watches for signals itself; what it was at is left as a
 * killed process leaves it. A second signal ends the process.
 */
export async function untilInterrupted<T>(work: () => Promise<T>): Promise<T> {
  let stopListening = (): void => undefined;
  const cut = new Promise<never>((_resolve, reject) => {
    stopListening = onSignals(
      (exit) => reject(new Interrupted(exit)),
      () => watched === undefined,
    );
  });
  try {
    return await Promise.race([work(), cut]);
  } finally {
    stopListening();
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
