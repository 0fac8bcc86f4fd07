import { write as writeLater, writeSync } from 'node:fs';
import { promisify } from 'node:util';
import { loadConfig } from '../lib/config.ts';
import { FORMATS, readAsked, type Asked } from './terminal/asked.ts';
import { blockedItems, checkLongFile, withFindings, type NamesFlags } from './blocked-names.ts';
import { readNames } from './names.ts';
import { inPieces, type Result } from './output.ts';
import { preparedHelp } from './prepared-help.ts';

interface QuickFlags extends NamesFlags {
  names: string[];
  dataDir?: string;
}

const SWITCHES = new Set(['--json', '--csv', '-q', '--quiet', '--no-color', '--no-input']);

/** The words behind `check blocked`; null where any of them is for the whole program. */
function readFlags(words: string[]): QuickFlags | null {
  const flags: QuickFlags = { names: [] };
  const rest = words.values();
  for (const word of rest) {
    if (!word.startsWith('-')) flags.names.push(word);
    else if (word === '--fail-on-blocked') flags.failOnBlocked = true;
    else if (!SWITCHES.has(word)) {
      const { value = '' } = rest.next() as { value?: string };
      if (value === '' || value.startsWith('-')) return null;
      if (word === '--file' || word === '-f') flags.file = value;
      else if (word === '--data-dir') flags.dataDir = value;
      else if (!(word === '--format' && FORMATS.some((format) => format === value))) return null;
    }
  }
  // Without names they come from a pipe.
  return flags.names.length > 0 || flags.file !== undefined ? flags : null;
}

/** The answer to `check blocked` for names of which each has a verdict; null where there is more to say. */
async function checkQuickly(flags: QuickFlags, asked: Asked, env: NodeJS.ProcessEnv): Promise<Result | null> {
  const { blocklistDir } = loadConfig(flags, env);
  const long = await checkLongFile(blocklistDir, flags, flags.names, asked);
  if (long) return long;
  const names = await readNames(flags.names, flags.file);
  if (names === null) return null;
  const answer = await blockedItems(blocklistDir, names);
  if (names.length === 0 || answer.summary.unknown > 0) return null;
  return withFindings({ ...answer, errors: [], exit: 0 }, flags.failOnBlocked, answer.summary.blocked);
}

// Where the reader is slower than we are: what was written to it goes out before all that follows.
let slowOutput: NodeJS.WriteStream | undefined;

/**
 * Writes without `process.stdout`, which takes milliseconds to wake, unless the reader is slower than we are. Returns false
 * where it can't be written.
 */
function print(text: string | Buffer): boolean {
  let left = typeof text === 'string' ? Buffer.from(text) : text;
  if (slowOutput !== undefined) {
    slowOutput.write(left);
    return true;
  }
  try {
    while (left.length > 0) left = left.subarray(writeSync(1, left));
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    // The reader of a pipe may have seen enough.
    if (code === 'EPIPE') return true;
    if (code !== 'EAGAIN') return false;
    slowOutput = process.stdout.on('error', () => process.exit());
    slowOutput.write(left);
  }
  return true;
}

/** As `print`, for a text whose parts are made while those before them are written. */
async function printParts(parts: Iterable<string | Buffer>): Promise<boolean> {
  const writePart = promisify(writeLater);
  const begin = async (part: Buffer): Promise<boolean> => {
    if (slowOutput !== undefined) return print(part);
    const written = await writePart(1, part).then(
      ({ bytesWritten }) => bytesWritten,
      () => 0,
    );
    return print(part.subarray(written));
  };
  let writing = Promise.resolve(true);
  for (const part of parts) {
    if (!(await writing)) return false;
    writing = begin(typeof part === 'string' ? Buffer.from(part) : part);
  }
  return writing;
}

async function answer(argv: string[], env: NodeJS.ProcessEnv): Promise<boolean> {
  const asked = readAsked(argv, env);
  const help = preparedHelp(argv, asked);
  if (help !== undefined) return print(help);
  const [noun, verb, ...words] = argv;
  const flags = noun === 'check' && verb === 'blocked' && asked.format !== 'human' ? readFlags(words) : null;
  if (flags === null) return false;
  // Whatever is wrong happens to the whole program once more, which says it.
  const result = await checkQuickly(flags, asked, env).catch(() => null);
  if (result === null) return false;
  process.exitCode = result.exit ?? 0;
  const pieces = inPieces('check blocked', result, asked, (_field, text) => text);
  return result.itemsJson ? printParts(pieces) : [...pieces].every(print);
}

/**
 * Answers what scripts ask the most, the program's help and names that are looked up for a program, without commander and
 * the catalogues. Returns true once all of it is written, with the exit code in `process.exitCode`: the process may end at once.
 * Returns false, with nothing written, for all else and wherever something has to be said in words.
 */
export async function answerQuickly(argv: string[], env: NodeJS.ProcessEnv): Promise<boolean> {
  const isAnswered = await answer(argv, env);
  // To end the process would cut off what a slow reader has not taken yet.
  if (slowOutput !== undefined) await new Promise((resolve) => slowOutput?.write('', resolve));
  return isAnswered;
}
