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

/** Parses the words after `check blocked`; null if any of them needs the whole program. */
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
  // Without names, they come from a pipe, which the whole program reads.
  return flags.names.length > 0 || flags.file !== undefined ? flags : null;
}

/** Returns the result of `check blocked` if every name has a verdict; null if there is more to report. */
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

// Set once the reader is slower than we write; all later output goes through it, to keep the order.
let slowOutput: NodeJS.WriteStream | undefined;

/**
 * Writes without `process.stdout`, which takes milliseconds to initialize, unless the reader is slow. Returns false if
 * the write failed.
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
    // The reader of the pipe may have closed it early.
    if (code === 'EPIPE') return true;
    if (code !== 'EAGAIN') return false;
    slowOutput = process.stdout.on('error', () => process.exit());
    slowOutput.write(left);
  }
  return true;
}

/** Like `print`, but makes each part while the previous one is being written. */
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
  // On any error the whole program runs again, and reports it.
  const result = await checkQuickly(flags, asked, env).catch(() => null);
  if (result === null) return false;
  process.exitCode = result.exit ?? 0;
  const pieces = inPieces('check blocked', result, asked, (_field, text) => text);
  return result.itemsJson ? printParts(pieces) : [...pieces].every(print);
}

/**
 * Answers the most frequent requests of scripts (the program's help, and look-ups of names in formats for programs)
 * without commander and the catalogues. Returns true once all is written, with the exit code in `process.exitCode`: the
 * process may end at once. Returns false for all else and if a text is needed; nothing is written then, unless a write
 * failed halfway.
 */
export async function answerQuickly(argv: string[], env: NodeJS.ProcessEnv): Promise<boolean> {
  const isAnswered = await answer(argv, env);
  // Exiting earlier would cut off output that a slow reader has not read yet.
  if (slowOutput !== undefined) await new Promise((resolve) => slowOutput?.write('', resolve));
  return isAnswered;
}
