import { readFile } from 'node:fs/promises';
import { AppError } from '../shared/errors.ts';
import { usageError, type Context } from './context.ts';

/** Where a password comes from: never from a flag's value, which every process of the machine can read. */
export interface SecretFlags {
  passwordStdin?: boolean;
  passwordFile?: string;
}

/** Where an API key comes from, in the same way. */
export interface KeyFlags {
  keyStdin?: boolean;
  keyFile?: string;
}

interface Source {
  stdin: boolean | undefined;
  file: string | undefined;
  /** The flags, for the sentence that asks for one. */
  flags: string;
}

const passwordSource = ({ passwordStdin, passwordFile }: SecretFlags): Source => ({
  stdin: passwordStdin,
  file: passwordFile,
  flags: '--password-stdin, --password-file',
});

const keySource = ({ keyStdin, keyFile }: KeyFlags): Source => ({
  stdin: keyStdin,
  file: keyFile,
  flags: '--key-stdin, --key-file',
});

const withoutLineEnd = (text: string): string => text.replace(/\r?\n$/, '');

/** A secret from standard input, a file, or what `ask` prompts for. Without a terminal a prompt is a wrong use. */
async function readSecret(context: Context, source: Source, ask: () => Promise<string>): Promise<string> {
  const { stdin, file, flags } = source;
  if (stdin && file) throw usageError('cli.conflict', { reason: flags });
  if (file) return withoutLineEnd(await readFile(file, 'utf8'));
  if (stdin) {
    process.stdin.setEncoding('utf8');
    return withoutLineEnd((await process.stdin.toArray()).join(''));
  }
  if (!canAsk(context)) throw usageError('cli.needs_flag', { flag: flags });
  return ask();
}

/** A new password from standard input, a file, or a hidden prompt that asks twice. */
export const readPassword = (context: Context, flags: SecretFlags): Promise<string> =>
  readSecret(context, passwordSource(flags), async () => {
    const { askSecret } = await import('./terminal/Ask.tsx');
    const { say } = context;
    return askSecret(say('cli.ask_password'), say('cli.ask_password_again'), say('cli.passwords_differ'));
  });

/** The password of a server, which exists already and is asked for once. */
export const readServerPassword = (context: Context, flags: SecretFlags): Promise<string> =>
  readSecret(context, passwordSource(flags), async () =>
    (await import('./terminal/Ask.tsx')).askLine(context.say('cli.ask_password'), true),
  );

/** An API key or token. */
export const readKey = (context: Context, flags: KeyFlags): Promise<string> =>
  readSecret(context, keySource(flags), async () =>
    (await import('./terminal/Ask.tsx')).askLine(context.say('cli.ask_key'), true),
  );

/** Whether a secret was given with the command: an edit without one asks for none. */
export const isGiven = (flags: SecretFlags & KeyFlags): boolean =>
  Boolean(flags.passwordStdin ?? flags.passwordFile ?? flags.keyStdin ?? flags.keyFile);

/** Whether there is somebody to ask. */
export const canAsk = ({ asked }: Context): boolean => asked.input && process.stdin.isTTY && process.stderr.isTTY;

/** Asks before something that can't be taken back; `--yes` answers for a script. Throws where the answer is no. */
export async function confirm(context: Context, question: string): Promise<void> {
  if (context.options.yes) return;
  if (!canAsk(context)) throw usageError('cli.needs_flag', { flag: '--yes' });
  const { askYes } = await import('./terminal/Ask.tsx');
  if (await askYes(`${question} ${context.say('cli.yes_no')}`)) return;
  throw new AppError('refused', 'cli.declined', {}, { code: 'declined' });
}
