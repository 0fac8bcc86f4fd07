import { createReadStream } from 'node:fs';
import { secretIn } from '../shared/accounts/secrets.ts';
import { AppError } from '../shared/errors.ts';
import { usageError, type Context } from './context.ts';
import { keepInput } from './terminal/interrupt.ts';
import { askLine, askSecret, askYes } from './terminal/prompts.ts';

/** The sources of a password; never a flag's value, which every process on the machine can read. */
export interface SecretFlags {
  passwordStdin?: boolean;
  passwordFile?: string;
}

/** The sources of an API key, likewise. */
interface KeyFlags {
  keyStdin?: boolean;
  keyFile?: string;
}

/** The sources of a token, likewise. */
interface TokenFlags {
  tokenStdin?: boolean;
  tokenFile?: string;
}

/** The sources of an account's secret of any sort. */
export type AccountSecretFlags = SecretFlags & KeyFlags & TokenFlags;

interface Source {
  stdin: boolean | undefined;
  file: string | undefined;
  /** The flags, for the message that asks for one. */
  flags: string;
}

const passwordSource = ({ passwordStdin, passwordFile }: SecretFlags): Source => ({
  stdin: passwordStdin,
  file: passwordFile,
  flags: '--password-stdin, --password-file',
});

// Both names may be given: an API key is a token to some services.
const keySource = ({ keyStdin, keyFile, tokenStdin, tokenFile }: KeyFlags & TokenFlags): Source => ({
  stdin: keyStdin ?? tokenStdin,
  file: keyFile ?? tokenFile,
  flags: '--key-stdin, --key-file',
});

const tokenSource = ({ tokenStdin, tokenFile }: TokenFlags): Source => ({
  stdin: tokenStdin,
  file: tokenFile,
  flags: '--token-stdin, --token-file',
});

// Private keys take some kilobytes; a device may have no end.
const MOST_BYTES = 2 ** 20;

/** Reads a secret from a file or from stdin; `name` is what a person calls it. Throws AppError `invalid` where it is too long for one. */
async function readText(source: AsyncIterable<Buffer>, name: string): Promise<string> {
  const parts: Buffer[] = [];
  let bytes = 0;
  for await (const part of source) {
    bytes += part.length;
    if (bytes > MOST_BYTES) throw usageError('cli.secret_long', { source: name });
    parts.push(part);
  }
  return secretIn(Buffer.concat(parts).toString('utf8'));
}

/** Reads a secret from a file. */
export const readSecretFile = (path: string): Promise<string> => readText(createReadStream(path), path);

/**
 * Reads a secret from stdin, a file, or the prompt of `ask`. Throws a usage error if it would have to prompt without a
 * terminal.
 */
async function readSecret(context: Context, source: Source, ask: () => Promise<string>): Promise<string> {
  const { stdin, file, flags } = source;
  if (stdin && file) throw usageError('cli.conflict', { reason: flags });
  if (file) return readSecretFile(file);
  if (stdin) {
    keepInput(null);
    return readText(process.stdin, 'stdin');
  }
  if (!canAsk(context)) throw usageError('cli.needs_flag', { flag: flags });
  return ask();
}

/** Reads a new password from stdin, a file, or a hidden prompt that asks twice. */
export const readPassword = (context: Context, flags: SecretFlags): Promise<string> =>
  readSecret(context, passwordSource(flags), () => {
    const { asked, say } = context;
    return askSecret(asked, say('cli.ask_password'), say('cli.ask_password_again'), say('cli.passwords_differ'));
  });

/** Reads the existing secret of an account, an API key, a token or a password; a prompt asks for it once. */
export const readAccountSecret = (
  context: Context,
  flags: AccountSecretFlags,
  kind: 'key' | 'password' | 'token',
): Promise<string> => {
  const sources = { key: keySource, password: passwordSource, token: tokenSource };
  const source = sources[kind](flags);
  return readSecret(context, source, () =>
    askLine(context.asked, context.say(kind === 'password' ? 'cli.ask_their_password' : 'cli.ask_key'), true),
  );
};

/** Returns whether a secret was given with the command: an edit without one prompts for none. */
export const isGiven = (flags: AccountSecretFlags): boolean =>
  Boolean(
    flags.passwordStdin ?? flags.passwordFile ?? flags.keyStdin ?? flags.keyFile ?? flags.tokenStdin ?? flags.tokenFile,
  );

/** Returns whether a prompt is possible. */
export const canAsk = ({ asked }: Context): boolean => asked.input && process.stdin.isTTY && process.stderr.isTTY;

/** Confirms an action that can't be undone; `--yes` confirms for a script. Throws AppError `refused` if the answer is no. */
export async function confirm(context: Context, question: string): Promise<void> {
  if (context.options.yes) return;
  if (!canAsk(context)) throw usageError('cli.needs_flag', { flag: '--yes' });
  if (await askYes(context.asked, `${question} ${context.say('cli.yes_no')}`)) return;
  throw new AppError('refused', 'cli.declined', {}, { code: 'declined' });
}
