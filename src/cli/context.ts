import type { Asker } from '../../db/acting.ts';
import { loadConfig, useConfig, type Config } from '../lib/config.ts';
import { databaseAddress } from '../lib/database-address.ts';
import { runningDemo } from '../lib/running-demo.ts';
import type { Actor } from '../services/access/scope.ts';
import { AppError } from '../shared/errors.ts';
import { translate, type Key, type Params } from '../shared/i18n/index.ts';
import { languageAsked, type Asked } from './terminal/asked.ts';
import { isRich } from './terminal/color.ts';
import { harmlessLines, inPieces, type Paint, type Result } from './output.ts';
import { NAMES } from './terminal/fit.ts';
import { sameFlagsOf } from './terminal/flags.ts';
import { SIGNALS, takesAnswer } from './terminal/interrupt.ts';
import { layoutOf } from './terminal/layout.ts';
import { quoted } from './terminal/quoted.ts';

/** The common flags, except those about the output (`Asked`). */
export interface CommonOptions {
  dataDir?: string;
  as?: string;
  demo?: boolean;
  yes?: boolean;
  json?: boolean;
  csv?: boolean;
  format?: string;
  lang?: string;
}

/** An open database; `migrated` are the migrations that were applied on the way. */
export interface Opened {
  config: Config;
  actor: Actor;
  migrated: string[];
}

/** The environment of a command: its flags, translator and output. */
export interface Context {
  /** The words of the command, as in `user create`. */
  command: string;
  asked: Asked;
  options: CommonOptions;
  /** Beginning of a command to type next: `seo-admin`, and the flags that lead to the same data. */
  program: string;
  /** End of a command that continues this one: the flags of its actor, format, language and exit code, as they were typed. */
  sameFlags: string;
  /** Translates a key into the reader's language; `{program}` and `{flags}`, the same ones, are filled in. */
  say: (key: Key, params?: Params) => string;
  /** Prints a message for people on stderr; nothing with `--quiet`. */
  talk: (text: string) => void;
  /** Prints a message on stderr, even with `--quiet`. */
  warn: (text: string) => void;
  /** Prints the result before the command ends. Only the first call counts. */
  print: (result: Result) => Promise<void>;
  config: () => Config;
  /** Opens and migrates the database and finds the actor. The database is closed when the command ends. */
  open: () => Promise<Opened>;
  /** Says that the host acts, for a command that decides before it opens the database. */
  act: () => Promise<void>;
  /** Opens the database without migrating it. */
  openAsItIs: () => Promise<void>;
  /**
   * Purges the database, if the command has opened it for use and nobody has purged it for a day: an installation may
   * have no server. Errors are ignored (the next command tries again); from here on a signal ends the process at once.
   */
  tidy: () => Promise<void>;
  /** Leaves the operations that this process has queued or begun to a person, who has stopped the command. Errors are ignored: their leases run out. */
  leaveWork: () => Promise<void>;
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
  const [{ default: chalk }, link] = await Promise.all([import('chalk'), linker()]);
  return (field, text, whole) => {
    if (NAMES.has(field)) return chalk.bold(link(text, whole));
    const color = COLORS[text.trim()];
    return color ? chalk[color](text) : text;
  };
}

/** Returns what makes a name a hyperlink to its site, where the terminal has those. */
async function linker(): Promise<(text: string, name: string) => string> {
  const { default: supported } = await import('supports-hyperlinks');
  if (!supported.stdout) return (text) => text;
  const { hyperlink } = await import('./terminal/hyperlink.ts');
  return hyperlink;
}

/** Writes the result of a command to stdout, unless the command has its answer. */
async function answer(command: string, result: Result, asked: Asked): Promise<void> {
  const [paint, layout] = await Promise.all([painter(asked), layoutOf(asked)]);
  let isOurs = false;
  for (const piece of inPieces(command, result, asked, paint, layout)) {
    isOurs ||= takesAnswer();
    if (!isOurs) return;
    process.stdout.write(piece);
  }
}

// These are about the demo itself and are given the data that it lies beside.
const ABOUT_DEMO = new Set(['serve', 'demo reset']);

const isInDemo = (command: string, { demo = false }: CommonOptions): boolean => demo && !ABOUT_DEMO.has(command);

// These explain the program: a wrong setting must not keep them from it.
const WITHOUT_SETTINGS = new Set(['help', 'completion']);

function configOf(command: string, options: CommonOptions, config: Config): Config {
  return isInDemo(command, options) ? runningDemo(config) : config;
}

/** Returns what commands on the same data begin with. */
function programOf(command: string, options: CommonOptions): string {
  const demo = isInDemo(command, options) ? ['--demo'] : [];
  const dataDir = options.dataDir === undefined ? [] : ['--data-dir', quoted(options.dataDir)];
  return ['seo-admin', ...demo, ...dataDir].join(' ');
}

/** Makes the presence of a command: it acts as the actor it is given until it leaves. */
function presenceOf(command: string): { actAs: (actor: Asker) => Promise<void>; leave: () => void } {
  let leave = (): void => undefined;
  return {
    actAs: async (actor) => {
      const { actAlways } = await import('../../db/acting.ts');
      const { requestIdOf } = await import('../lib/tracing/request-id.ts');
      const [back, leaveBefore] = [actAlways(actor, { name: 'cli', call: command, request_id: requestIdOf() }), leave];
      leave = () => {
        back();
        leaveBefore();
      };
    },
    leave: () => leave(),
  };
}

/** Makes a command's context. `command` are its words, as in `user create`. Throws `not_configured` for a wrong setting. */
export function createContext(command: string, given: Asked, options: CommonOptions): Context {
  const settings = WITHOUT_SETTINGS.has(command) ? undefined : loadConfig(options);
  const isAsked = languageAsked(process.argv.slice(2), process.env) !== undefined;
  const asked = isAsked ? given : { ...given, language: settings?.language ?? given.language };
  const [program, sameFlags] = [programOf(command, options), sameFlagsOf(options)];
  const beside = { program, flags: sameFlags };
  const say = (key: Key, params?: Params): string => translate(asked.language, key, { ...beside, ...params });
  let config: Config | undefined;
  // `inUse` stays false if the open was refused: the database may be of a newer version.
  let [opened, inUse] = [false, false];
  const { actAs, leave } = presenceOf(command);
  const context: Context = {
    command,
    asked,
    options,
    program,
    sameFlags,
    say,
    talk: (text) => void (asked.quiet || process.stderr.write(`${harmlessLines(text)}\n`)),
    warn: (text) => void process.stderr.write(`${harmlessLines(text)}\n`),
    print: (result) => answer(command, result, asked),
    config: () => (config ??= configOf(command, options, settings ?? loadConfig(options))),
    open: async () => {
      opened = true;
      const { openForCommand } = await import('./open.ts');
      const found = await openForCommand(context.config(), options.as, (message) =>
        context.warn([message, ...(message.also ?? [])].map(({ key, params }) => say(key, params)).join('. ')),
      );
      inUse = true;
      await actAs(found.actor);
      return found;
    },
    act: async () => actAs((await import('../../db/acting.ts')).SYSTEM_ASKER),
    openAsItIs: async () => {
      opened = true;
      const { openDatabase } = await import('../../db/index.ts');
      await openDatabase(databaseAddress(context.config()));
    },
    tidy: async () => {
      if (inUse) await purge(context);
    },
    leaveWork: async () => {
      if (inUse) await (await import('../operations/lease.ts')).leaveToPerson().catch(() => undefined);
    },
    close: async () => {
      if (opened) await (await import('../../db/index.ts')).closeDatabase();
      opened = false;
      inUse = false;
      leave();
    },
  };
  useConfig(context.config);
  return context;
}

/** Purges what is old, if that is due; a failure of it is not the command's. */
async function purge(context: Context): Promise<void> {
  for (const signal of SIGNALS) process.removeAllListeners(signal);
  try {
    await (await import('../services/system/purge.ts')).purgeDaily();
  } catch (error) {
    if (process.env['SEO_ADMIN_LOG'] === 'debug') context.warn(String(error));
  }
}

/** Returns the error of a wrong use of the command line that commander can't detect. */
export const usageError = (key: Key, params: Params = {}): AppError =>
  new AppError('invalid', key, params, { code: 'usage' });

/**
 * Guards commands on the installation: allows the host itself, or an administrator named by `--as`. Throws `forbidden`.
 */
export async function requireHost(context: Context): Promise<void> {
  if (context.options.as !== undefined) requireAdmin((await context.open()).actor);
}

/** As `requireHost`, for a command that opens the database itself. */
export async function requireHostFirst(context: Context): Promise<void> {
  await requireHost(context);
  await context.close();
}

/** Throws `not_found` for an unknown user of `--as`, in a command that otherwise needs no database. */
export async function requireKnown(context: Context): Promise<void> {
  if (context.options.as !== undefined) await context.open();
}

/** Allows administrators and the host itself. Throws `forbidden`. */
export function requireAdmin(actor: Actor): void {
  if (actor.role !== 'admin') throw new AppError('forbidden', 'error.forbidden');
}
