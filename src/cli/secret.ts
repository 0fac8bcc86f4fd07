import { readFile } from 'node:fs/promises';
import { AppError } from '../shared/errors.ts';
import { usageError, type Context } from './context.ts';

/** Where a secret comes from: never from a flag's value, which every process of the machine can read. */
export interface SecretFlags {
  passwordStdin?: boolean;
  passwordFile?: string;
}

const withoutLineEnd = (text: string): string => text.replace(/\r?\n$/, '');

/** A password from standard input, a file, or a hidden prompt. Without a terminal a prompt is a wrong use. */
export async function readPassword(context: Context, flags: SecretFlags): Promise<string> {
  if (flags.passwordStdin && flags.passwordFile) {
    throw usageError('cli.conflict', { reason: '--password-stdin, --password-file' });
  }
  if (flags.passwordFile) return withoutLineEnd(await readFile(flags.passwordFile, 'utf8'));
  if (flags.passwordStdin) {
    process.stdin.setEncoding('utf8');
    return withoutLineEnd((await process.stdin.toArray()).join(''));
  }
  if (!canAsk(context)) throw usageError('cli.needs_flag', { flag: '--password-stdin, --password-file' });
  const { askSecret } = await import('./Ask.tsx');
  return askSecret(
    context.say('cli.ask_password'),
    context.say('cli.ask_password_again'),
    context.say('cli.passwords_differ'),
  );
}

/** Whether there is somebody to ask. */
export const canAsk = ({ asked }: Context): boolean => asked.input && process.stdin.isTTY && process.stderr.isTTY;

/** Asks before something that can't be taken back; `--yes` answers for a script. Throws where the answer is no. */
export async function confirm(context: Context, question: string): Promise<void> {
  if (context.options.yes) return;
  if (!canAsk(context)) throw usageError('cli.needs_flag', { flag: '--yes' });
  const { askYes } = await import('./Ask.tsx');
  if (await askYes(`${question} ${context.say('cli.yes_no')}`)) return;
  throw new AppError('refused', 'cli.declined', {}, { code: 'declined' });
}
