import { fstatSync, readFileSync } from 'node:fs';
import { AppError } from '../shared/errors.ts';
import { cleanHostname } from '../shared/hostname.ts';
import { usageError, type Context } from './context.ts';
import { lineOf, type ItemError, type Result } from './output.ts';

/** A name as its caller typed it; `host` is its clean spelling, or null where it is no host. */
export interface TypedName {
  typed: string;
  host: string | null;
}

// Who starts us with a socket for standard input (as Node's child_process does) and never writes must not make us wait.
const FIRST_BYTE_MS = 3_000;

function wordsIn(text: string): string[] {
  // One name a line, as programs write them by the hundred thousand, needs no search for other separators.
  const plain = !/[^\S\n]|[#,;]/.test(text);
  const words = plain ? text.split('\n') : text.replace(/#.*/g, '').split(/[\s,;]+/);
  return words.filter((word) => word !== '');
}

/** What standard input is: a pipe or a file has an end, a socket may never speak, a terminal and /dev/null have nothing. */
async function inputKind(): Promise<'pipe' | 'socket' | 'none'> {
  // Names that are given as words need no terminal: loading what knows one takes longer than their look-up.
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

async function readInput(firstByteMs?: number): Promise<string> {
  process.stdin.setEncoding('utf8');
  const timer = firstByteMs === undefined ? undefined : setTimeout(() => process.stdin.destroy(), firstByteMs);
  process.stdin.once('data', () => clearTimeout(timer));
  let text = '';
  process.stdin.on('data', (chunk: string) => {
    text += chunk;
  });
  // A file ends without being closed, what is destroyed closes without an end.
  await new Promise((resolve) => process.stdin.once('end', resolve).once('close', resolve).once('error', resolve));
  clearTimeout(timer);
  return text;
}

/**
 * The words of a command's names: arguments, `--file`, `-`, or, where none of these is given, a pipe. Null where nothing
 * was given at all. Standard input is not touched where names are given otherwise.
 */
export async function readWords(names: string[], file: string | undefined): Promise<string[] | null> {
  const texts = names.filter((name) => name !== '-');
  if (names.includes('-') || file === '-') texts.push(await readInput());
  if (file !== undefined && file !== '-') texts.push(readFileSync(file, 'utf8'));
  if (names.length > 0 || file !== undefined) return wordsIn(texts.join('\n'));
  const kind = await inputKind();
  if (kind === 'none') return null;
  const words = wordsIn(await readInput(kind === 'socket' ? FIRST_BYTE_MS : undefined));
  return words.length > 0 ? words : null;
}

/** Names of a command, cleaned, each once, in the order given. Null as `readWords`. */
export async function readNames(names: string[], file: string | undefined): Promise<TypedName[] | null> {
  const words = await readWords(names, file);
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

/** As `readNames`, for a command that can't do without. */
export async function requireNames(names: string[], file: string | undefined, command: string): Promise<TypedName[]> {
  const read = await readNames(names, file);
  if (read === null) throw usageError('cli.no_names', { command });
  return read;
}

/** The clean names. */
export const hostsOf = (names: TypedName[]): string[] => names.map(({ host }) => host).filter((host) => host !== null);

/** What is said of the names that are none. */
export const nameErrors = (names: TypedName[], { say }: Context): ItemError[] =>
  names
    .filter(({ host }) => host === null)
    .map(({ typed }) => ({ domain: typed, code: 'bad_name', message: say('hostname.incorrect') }));

/** How a command over names ends: 5 where some could not be done, 2 where none of them was a name. */
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
