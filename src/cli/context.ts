import { loadConfig, type Config } from '../lib/config.ts';
import type { Actor } from '../services/access/scope.ts';
import { AppError } from '../shared/errors.ts';
import { translate, type Key, type Params } from '../shared/i18n/index.ts';
import type { Asked } from './terminal/asked.ts';
import { isRich } from './terminal/color.ts';
import { harmless, inPieces, type Paint, type Result } from './output.ts';

/** The flags of every command that are not about how its answer is written. */
export interface CommonOptions {
  dataDir?: string;
  as?: string;
  yes?: boolean;
}

/** An open database; `migrated` are the migrations that were applied on the way. */
export interface Opened {
  config: Config;
  actor: Actor;
  migrated: string[];
}

/** What a command works with: its flags, its words, its answer. */
export interface Context {
  asked: Asked;
  options: CommonOptions;
  /** The text of a key in the reader's language. */
  say: (key: Key, params?: Params) => string;
  /** Tells a person something, on stderr; silent with `--quiet`. */
  talk: (text: string) => void;
  /** Tells it even with `--quiet`. */
  warn: (text: string) => void;
  /** Writes the answer before the command has ended. Only the first one counts. */
  print: (result: Result) => Promise<void>;
  config: () => Config;
  /** Opens the database, up to date, and says for whom the command acts. It is closed when the command has ended. */
  open: () => Promise<Opened>;
  /** Opens the database without bringing it up to date. */
  openAsItIs: () => Promise<void>;
  /**
   * Purges the database, if the command has taken it into use, where nobody has done so for a day: an installation may have no
   * server. What goes wrong then is for the next command; from here on a signal ends the process at once.
   */
  tidy: () => Promise<void>;
  close: () => Promise<void>;
}

const COLORS: Record<string, 'red' | 'green' | 'yellow'> = {
  blocked: 'red',
  fail: 'red',
  failed: 'red',
  free: 'green',
  ok: 'green',
  succeeded: 'green',
  unknown: 'yellow',
  warn: 'yellow',
  partial: 'yellow',
};

async function painter(asked: Asked): Promise<Paint> {
  if (!isRich(asked, 'stdout')) return (_field, text) => text;
  const { default: chalk } = await import('chalk');
  return (field, text) => {
    if (field === 'domain' || field === 'domain_name') return chalk.bold(text);
    const color = COLORS[text.trim()];
    return color ? chalk[color](text) : text;
  };
}

/** Makes a command's context. `command` are its words, as in `user create`. */
export function createContext(command: string, asked: Asked, options: CommonOptions): Context {
  const say = (key: Key, params?: Params): string => translate(asked.language, key, params);
  let printed = false;
  let config: Config | undefined;
  let opened = false;
  // Unlike one that was opened and then refused: it may be of a newer version.
  let inUse = false;
  const context: Context = {
    asked,
    options,
    say,
    talk: (text) => void (asked.quiet || process.stderr.write(`${harmlessLines(text)}\n`)),
    warn: (text) => void process.stderr.write(`${harmlessLines(text)}\n`),
    print: async (result) => {
      if (printed) return;
      printed = true;
      for (const piece of inPieces(command, result, asked, await painter(asked))) process.stdout.write(piece);
    },
    config: () => (config ??= loadConfig(options)),
    open: async () => {
      opened = true;
      const { openForCommand } = await import('./open.ts');
      const found = await openForCommand(context.config(), options.as);
      inUse = true;
      return found;
    },
    openAsItIs: async () => {
      opened = true;
      const { openDatabase } = await import('../../db/index.ts');
      await openDatabase(context.config().databaseFile);
    },
    tidy: async () => {
      if (!inUse) return;
      for (const signal of ['SIGINT', 'SIGTERM']) process.removeAllListeners(signal);
      try {
        await (await import('../services/system/purge.ts')).purgeDaily();
      } catch (error) {
        if (process.env['SEO_ADMIN_LOG'] === 'debug') context.warn(String(error));
      }
    },
    close: async () => {
      if (opened) await (await import('../../db/index.ts')).closeDatabase();
      opened = false;
      inUse = false;
    },
  };
  return context;
}

const harmlessLines = (text: string): string => text.split('\n').map(harmless).join('\n');

/** A wrong use of the command line that commander cannot know of. */
export const usageError = (key: Key, params: Params = {}): AppError =>
  new AppError('invalid', key, params, { code: 'usage' });

/** For what concerns the installation: the host itself may, and an administrator whom `--as` names. */
export async function requireHost(context: Context): Promise<void> {
  if (context.options.as !== undefined) requireAdmin((await context.open()).actor);
}

/** Only an administrator, or the host itself, may. */
export function requireAdmin(actor: Actor): void {
  if (actor.role !== 'admin') throw new AppError('forbidden', 'error.forbidden');
}
