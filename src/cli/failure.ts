import { troubleOf, type Trouble } from '../lib/database-trouble.ts';
import { allowedFor } from '../lib/settings.ts';
import { redact } from '../lib/redact.ts';
import type { AppError, ErrorKind } from '../shared/errors.ts';
import { say, translate, type Key, type Language, type Params } from '../shared/i18n/index.ts';
import { PROGRAM } from '../shared/operations.ts';
import type { ExitCode, Failure } from './output.ts';
import { Interrupted } from './terminal/interrupt.ts';

const EXITS: Record<ErrorKind, ExitCode> = {
  invalid: 2,
  wrong_type: 2,
  too_large: 2,
  no_token: 4,
  bad_login: 4,
  bad_token: 4,
  forbidden: 4,
  not_configured: 4,
  not_found: 1,
  conflict: 1,
  refused: 1,
  too_many: 6,
  upstream: 6,
  unavailable: 6,
  busy: 75,
};

// Missing setup exits with 4, whatever its kind over the API. `operation.busy` exits with 1: no process holds that operation, and a retry,
// which 75 asks for, would not help.
const EXITS_OF_KEYS: Partial<Record<Key, ExitCode>> = {
  'provider.credentials': 4,
  'dns.no_account': 4,
  'auto_buy.no_registrar': 4,
  'auto_buy.no_group': 4,
  'auto_buy.empty_group': 4,
  'operation.busy': 1,
};

// Usage errors, by commander's codes.
const USAGE: Record<string, Key> = {
  'commander.unknownOption': 'cli.unknown_option',
  'commander.unknownCommand': 'cli.unknown_command',
  'commander.missingArgument': 'cli.missing_argument',
  'commander.optionMissingArgument': 'cli.missing_value',
  'commander.missingMandatoryOptionValue': 'cli.missing_option',
  'commander.excessArguments': 'cli.too_many_arguments',
  'commander.invalidArgument': 'cli.bad_value',
  'commander.help': 'cli.no_command',
};

// System errors that a person can fix.
const SYSTEM: Record<string, { key: Key; exit: ExitCode }> = {
  EACCES: { key: 'cli.no_access', exit: 4 },
  EPERM: { key: 'cli.no_access', exit: 4 },
  EROFS: { key: 'cli.no_access', exit: 4 },
  ENOENT: { key: 'cli.no_file', exit: 1 },
  EEXIST: { key: 'cli.file_exists', exit: 1 },
  EISDIR: { key: 'cli.is_folder', exit: 1 },
  ENOTDIR: { key: 'cli.no_file', exit: 1 },
  EADDRINUSE: { key: 'cli.port_taken', exit: 1 },
  EADDRNOTAVAIL: { key: 'cli.no_address', exit: 1 },
  ENOTFOUND: { key: 'cli.no_address', exit: 1 },
  ENOSPC: { key: 'error.storage_full', exit: 6 },
};

const STORAGE: Partial<Record<Trouble, { key: Key; exit: ExitCode }>> = {
  full: { key: 'error.storage_full', exit: 6 },
  busy: { key: 'error.database', exit: 6 },
  lost: { key: 'error.database', exit: 6 },
  failing: { key: 'error.database', exit: 6 },
  unopened: { key: 'cli.database_unopened', exit: 4 },
  damaged: { key: 'cli.database_damaged', exit: 1 },
};

const isAppError = (thrown: unknown): thrown is AppError => thrown instanceof Error && thrown.name === 'AppError';

/** Extracts the parameters of commander's English message: the quoted words, the allowed values, the suggestion. */
function usageParams(message: string): Params {
  const quoted = [...message.matchAll(/'([^']*)'/g)].map((match) => match[1] ?? '');
  // "option 'O' argument 'V' is invalid", but "command-argument value 'V' is invalid for argument 'A'".
  const [what = '', value = ''] = message.includes('command-argument') ? [...quoted].reverse() : quoted;
  return {
    what,
    value,
    allowed: message.replace(/^.* is invalid[^.]*\.\s*(?:Allowed choices are )?/, '').replace(/\.$/, ''),
    hint: /\(Did you mean (?:one of )?([^?]+)\?\)/.exec(message)?.[1] ?? '',
  };
}

/**
 * Returns the code, exit code and message of a failure in a language, without secrets; `program` begins the commands in it. An unexpected error is a bug:
 * its own message in one line, exit 1.
 */
export function failureOf(thrown: unknown, language: Language, program = PROGRAM): Failure {
  const failure = describe(thrown, language, program);
  return { ...failure, message: redact(failure.message) };
}

// Flags that confirm what is refused without them.
const CONFIRMING: Partial<Record<Key, string>> = { 'dns.unsafe_empty': '--override', 'dns.unsafe_many': '--override' };

/** Returns what a sentence goes on with: the flag that confirms what was refused, or what a wrong setting may be. */
function remedyIn({ key, params }: AppError, language: Language): string {
  const flag = CONFIRMING[key];
  if (flag !== undefined) return `: ${flag}`;
  if (key !== 'config.bad_value') return '';
  const { values, least } = allowedFor(String(params['name']));
  if (least !== null) return `. ${translate(language, 'backup.passphrase_short', { n: least })}`;
  return values.length > 0 ? `. ${translate(language, 'cli.allowed', { values: values.join(', ') })}` : '';
}

/** Returns the sentence of a failure: of names in a request that are not there it tells these, not the field that had them. */
function sentenceOf({ key, params }: AppError, language: Language, program: string): string {
  const { domains } = params;
  if (key === 'error.unknown_reference' && domains !== undefined) {
    return translate(language, 'error.no_such_domain', { what: domains });
  }
  return translate(language, key, { ...params, program });
}

function describe(thrown: unknown, language: Language, program: string): Failure {
  if (isAppError(thrown)) {
    const { kind, code, fields, key } = thrown;
    const params = { ...thrown.params, program };
    const words = Object.entries(fields ?? {}).map(([field, text]) => [field, say(language, text, params)]);
    const details = words.map(([field, text]) => `${field}: ${text}`).join('; ');
    const message =
      key === 'error.invalid' && details ? details : sentenceOf(thrown, language, program) + remedyIn(thrown, language);
    const exit = EXITS_OF_KEYS[key] ?? EXITS[kind];
    return {
      exit,
      code: key === 'operation.busy' ? 'conflict' : code,
      message,
      ...(fields ? { fields: Object.fromEntries(words) } : {}),
    };
  }
  if (thrown instanceof Interrupted) {
    const { exit, command, needsInput } = thrown;
    const key = needsInput ? 'cli.interrupted_same_input' : 'cli.interrupted';
    return { exit, code: 'interrupted', message: translate(language, key, { command }) };
  }
  const error = thrown as NodeJS.ErrnoException & { address?: string; hostname?: string; port?: number };
  const usage = USAGE[error.code ?? ''];
  if (usage) {
    const params = usageParams(error.message);
    const hint = params['hint'] ? `. ${translate(language, 'cli.did_you_mean', params)}` : '';
    return { exit: 2, code: 'usage', message: translate(language, usage, params) + hint };
  }
  const code = error.code ?? '';
  const trouble = troubleOf(error);
  const known = trouble ? STORAGE[trouble] : SYSTEM[code];
  if (known) {
    const params = {
      path: error.path ?? '',
      address: error.address ?? error.hostname ?? '',
      port: String(error.port ?? ''),
    };
    return { exit: known.exit, code: code.toLowerCase(), message: translate(language, known.key, params) };
  }
  const reason = error instanceof Error ? error.message : String(thrown);
  return {
    exit: 1,
    code: 'internal',
    message: translate(language, 'cli.bug', { reason: reason.split('\n')[0] ?? '' }),
  };
}

/**
 * Returns a failure in which an interruption names the line that was typed, not the operation: of a command that has more to answer for
 * than that.
 */
export const goingOnByLine = (failure: Failure, language: Language): Failure =>
  failure.code === 'interrupted' ? failureOf(new Interrupted(failure.exit), language) : failure;
