import { fstatSync, readFileSync } from 'node:fs';
import { decodeUnicode } from '../lib/text-file.ts';
import { AppError } from '../shared/errors.ts';
import { cleanHostname } from '../shared/hostname.ts';
import { usageError, type Context } from './context.ts';
import { lineOf, type ExitCode, type ItemError, type Result } from './output.ts';
import { keepInput, lineAgain } from './terminal/interrupt.ts';

/** A name as typed; `host` is the normalized name, or null if it is not a valid host. */
export interface TypedName {
  typed: string;
  host: string | null;
}

// A parent may start us with a socket as stdin (as Node's child_process does) and never write: don't wait for it
// forever.
const FIRST_BYTE_MS = 3_000;

function wordsIn(text: string): string[] {
  // Text with one name per line and no other separators (as programs write it) is split faster.
  const plain = !/[^\S\n]|[#,;]/.test(text);
  const words = plain ? text.split('\n') : text.replace(/#.*/g, '').split(/[\s,;]+/);
  return words.filter((word) => word !== '');
}

/**
 * Returns the kind of stdin: a pipe or file ends, a socket may never send anything, a terminal and /dev/null hold
 * nothing.
 */
async function inputKind(): Promise<'pipe' | 'socket' | 'none'> {
  // Loaded only here: with names as arguments, loading `tty` would take longer than their look-up.
  const { isatty } = await import('node:tty');
  if (isatty(0)) return 'none';
  try {
    const input = fstatSync(0);
    if (input.isFIFO() || input.isFile()) return 'pipe';
    return input.isSocket() ? 'socket' : 'none';
  } catch {
    return 'none';
  }
}

/** Whether a text that was read as UTF-8 is one of UTF-16 without its mark: every other byte of Latin letters is 0. */
const isUnmarkedUtf16 = (text: string): boolean => text.split('\0').length - 1 > text.length / 4;

/**
 * Returns the text of a file, or of standard input where none is named. Throws a usage error for bytes that are neither UTF-8 nor UTF-16
 * with its mark: nothing is known of their letters.
 */
export function textIn(bytes: Uint8Array, file?: string): string {
  const text = decodeUnicode(bytes)?.text;
  if (text !== undefined && !isUnmarkedUtf16(text)) return text;
  throw file === undefined ? usageError('cli.not_utf8_input') : usageError('cli.not_utf8', { file });
}

async function readInput(firstByteMs?: number): Promise<string> {
  const timer = firstByteMs === undefined ? undefined : setTimeout(() => process.stdin.destroy(), firstByteMs);
  process.stdin.once('data', () => clearTimeout(timer));
  const chunks: Buffer[] = [];
  process.stdin.on('data', (chunk: Buffer) => chunks.push(chunk));
  // A file emits `end` without `close`; a destroyed stream emits `close` without `end`.
  await new Promise((resolve) => process.stdin.once('end', resolve).once('close', resolve).once('error', resolve));
  clearTimeout(timer);
  return textIn(Buffer.concat(chunks));
}

/** Cleans a typed name. Throws AppError `invalid`, which names it. */
export function hostOf(typed: string): string {
  try {
    return cleanHostname(typed);
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    throw new AppError('invalid', 'error.invalid', { fields: typed }, { fields: { [typed]: error.key } });
  }
}

/** Input of a command: `typed` are its arguments, `text` is that of `--file`, `-` or a pipe, `input` that of the last two. */
interface Given {
  typed: string[];
  text: string;
  input: string;
}

/**
 * Reads what was given to a command; a pipe if nothing else was. Null if nothing was given, and for an empty pipe, as cron gives one to
 * every command; with `mayBeNone` for one of blanks as well. Reads stdin only for `-` and a pipe. Throws a usage error for `-` alone without
 * a pipe or file that could hold something.
 */
async function readGiven(names: string[], file: string | undefined, mayBeNone: boolean): Promise<Given | null> {
  const typed = names.filter((name) => name !== '-');
  let input = '';
  if (names.includes('-') || file === '-') {
    const kind = await inputKind();
    input = await readInput();
    const isAlone = typed.length === 0 && (file === undefined || file === '-');
    if (isAlone && kind === 'none' && input === '') throw usageError('cli.no_input');
  }
  const own = file === undefined || file === '-' ? '' : textIn(readFileSync(file), file);
  const text = input === '' || own === '' ? input + own : `${input}\n${own}`;
  if (names.length > 0 || file !== undefined) return { typed, text, input };
  const kind = await inputKind();
  if (kind === 'none') return null;
  input = await readInput(kind === 'socket' ? FIRST_BYTE_MS : undefined);
  const isNothing = input === '' || (input.trim() === '' && (kind === 'socket' || mayBeNone));
  return isNothing ? null : { typed, text: input, input };
}

/** Returns the words of a command's names, read as by `readGiven`. Null if nothing was given. */
export async function readWords(
  names: string[],
  file: string | undefined,
  mayBeNone = false,
): Promise<string[] | null> {
  const given = await readGiven(names, file, mayBeNone);
  if (given === null) return null;
  keepInput(() => wordsIn(given.input));
  return wordsIn([...given.typed, given.text].join('\n'));
}

/**
 * Returns what may contain blanks, read as by `readGiven`: each argument, and each line of a text with its number, but for lines
 * that begin with `#`. Null if nothing was given.
 */
export async function readLines(names: string[], file: string | undefined): Promise<string[] | null> {
  const given = await readGiven(names, file, false);
  if (given === null) return null;
  keepInput(() => linesIn(given.input).filter((line) => line.trim() !== ''));
  return [...given.typed, ...linesIn(given.text)];
}

/** Returns the lines of a text, without comments, which leave an empty one. */
const linesIn = (text: string): string[] => text.split(/\r?\n/).map((line) => (/^\s*#/.test(line) ? '' : line));

/** Returns the names of a command, normalized and deduplicated, in the order given. Null as in `readWords`. */
export async function readNames(
  names: string[],
  file: string | undefined,
  mayBeNone = false,
): Promise<TypedName[] | null> {
  const words = await readWords(names, file, mayBeNone);
  if (words === null) return null;
  const seen = new Set<string>();
  const read: TypedName[] = [];
  for (const typed of words) {
    let host: string | null = null;
    try {
      host = cleanHostname(typed);
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
    }
    const before = seen.size;
    if (seen.add(host ?? typed).size > before) read.push({ typed, host });
  }
  return read;
}

/** Like `readNames`, for a command that needs names. Throws a usage error without them: `hint`, by whether it takes `--all`. */
export async function requireNames(
  names: string[],
  file: string | undefined,
  command: string,
  hint: 'cli.no_names' | 'cli.no_names_all' = 'cli.no_names',
): Promise<TypedName[]> {
  const read = await readNames(names, file);
  if (read === null) throw usageError(hint, { command });
  return read;
}

/** Returns the normalized names, without the invalid ones. */
export const hostsOf = (names: TypedName[]): string[] => names.map(({ host }) => host).filter((host) => host !== null);

/** Returns an error for each invalid name. */
export const nameErrors = (names: TypedName[], { say }: Context): ItemError[] =>
  names
    .filter(({ host }) => host === null)
    .map(({ typed }) => ({ domain: typed, code: 'bad_name', message: say('hostname.incorrect') }));

/** Throws a usage error that has all the invalid names, for a command that takes them all or none. */
export function refuseWrong(names: TypedName[]): void {
  const wrong = names.filter(({ host }) => host === null).map(({ typed }) => typed);
  if (wrong.length > 0) throw usageError('cli.bad_name', { name: wrong.join(', ') });
}

/** Returns the exit code of a command on names: 5 if some failed, 2 if none was a valid name. */
export function endOfNames(
  context: Context,
  names: TypedName[],
  errors: ItemError[] = nameErrors(names, context),
): Pick<Result, 'exit' | 'failure'> {
  if (errors.length === 0) return { exit: 0 };
  const exit = names.every(({ host }) => host === null) ? 2 : 5;
  const message = context.say(exit === 2 ? 'cli.no_valid_names' : 'cli.some_failed', {
    failed: errors.length,
    total: names.length,
    first: errors[0] ? lineOf(errors[0]) : '',
  });
  return { exit, failure: { exit, code: exit === 2 ? 'usage' : 'partial', message } };
}

/**
 * Returns the end of a command on names that a signal stopped: the message has the command that asks about all of them again, whose answer
 * is the whole one.
 */
export function interruptedNames(
  { say }: Context,
  exit: ExitCode,
  names: TypedName[],
  done: ReadonlySet<string>,
): Required<Pick<Result, 'exit' | 'failure'>> {
  const hosts = hostsOf(names);
  const { command, needsInput } = lineAgain();
  const params = { done: hosts.filter((host) => done.has(host)).length, total: hosts.length, command };
  const message = say(needsInput ? 'cli.interrupted_input' : 'cli.interrupted_names', params);
  return { exit, failure: { exit, code: 'interrupted', message } };
}
