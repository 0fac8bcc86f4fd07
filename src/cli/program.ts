import { accessSync, constants, statSync } from 'node:fs';
import { Command, Option } from 'commander';
import { FORMATS } from './terminal/asked.ts';
import { formatHelp } from './help.ts';
import { KINDS } from '../shared/accounts/kinds.ts';
import type { HelpTexts } from './texts/ru.ts';

/** A module of commands: adds subcommands and flags to the noun's command. */
interface NounFile {
  define: (noun: Command, help: HelpTexts) => void;
}

type Load = () => Promise<NounFile>;

const account: Load = () => import('./commands/account.ts');
const group: Load = () => import('./commands/group.ts');

/** Kinds of account with commands of their own besides those of every kind. */
const WITH_MORE: Readonly<Record<string, Load>> = {
  server: () => import('./commands/server.ts'),
  registrar: () => import('./commands/registrar.ts'),
};

/** Each kind of account, and after the one that has groups these. */
const ACCOUNTS = Object.fromEntries<Load>(
  KINDS.flatMap(({ noun, inGroups }): [string, Load][] => {
    const own: [string, Load] = [noun, WITH_MORE[noun] ?? account];
    return inGroups ? [own, ['group', group]] : [own];
  }),
);

/** Every noun and its module, in the order of the help. A module is loaded only if its noun is in the command line. */
const NOUNS: Readonly<Record<string, Load>> = {
  serve: () => import('./commands/serve.ts'),
  worker: () => import('./commands/system/worker.ts'),
  init: () => import('./commands/system/init.ts'),
  'setup-link': () => import('./commands/system/setup-link.ts'),
  user: () => import('./commands/user.ts'),
  token: () => import('./commands/people/token.ts'),
  status: () => import('./commands/status.ts'),
  top: () => import('./commands/system/top.ts'),
  check: () => import('./commands/check.ts'),
  why: () => import('./commands/why.ts'),
  domain: () => import('./commands/domain.ts'),
  project: () => import('./commands/project.ts'),
  ...ACCOUNTS,
  template: () => import('./commands/template.ts'),
  site: () => import('./commands/site.ts'),
  dns: () => import('./commands/dns.ts'),
  rules: () => import('./commands/rules.ts'),
  transfer: () => import('./commands/transfer.ts'),
  protect: () => import('./commands/protect.ts'),
  keyword: () => import('./commands/search/keyword.ts'),
  position: () => import('./commands/search/position.ts'),
  name: () => import('./commands/name.ts'),
  blocklist: () => import('./commands/blocklist.ts'),
  budget: () => import('./commands/budget.ts'),
  purchases: () => import('./commands/purchases.ts'),
  operation: () => import('./commands/operation.ts'),
  autobuy: () => import('./commands/autobuy.ts'),
  db: () => import('./commands/system/db.ts'),
  doctor: () => import('./commands/system/doctor.ts'),
  schedule: () => import('./commands/system/schedule.ts'),
  notice: () => import('./commands/system/notice.ts'),
  audit: () => import('./commands/system/audit.ts'),
  demo: () => import('./commands/system/demo.ts'),
  completion: () => import('./commands/system/completion.ts'),
  help: () => import('./commands/help.ts'),
};

/** Throws where a folder is given for a file, or a flag names one that can't be read: what reading it throws names no flag, and often no path. */
async function refuseUnreadable(command: Command): Promise<void> {
  for (const { path, flag } of filesGiven(command)) {
    const fault = path === '-' ? null : faultOf(path, flag !== undefined && !UNREAD.has(flag));
    if (fault === null) continue;
    const { AppError } = await import('../shared/errors.ts');
    const [kind, key, code] = FAULTS[fault];
    throw new AppError(kind, key, { path: flag === undefined ? path : `${flag} ${path}` }, { code });
  }
}

// Files that are written, and one that is read only where it is needed.
const UNREAD = new Set(['--output', '--admin-password-file']);

const FAULTS = {
  folder: ['refused', 'cli.is_folder', 'refused'],
  missing: ['not_found', 'cli.no_file', 'enoent'],
  closed: ['forbidden', 'cli.no_access', 'eacces'],
} as const;

/** Returns the files that a command is given, by a flag or as an argument. */
const filesGiven = (command: Command): { path: string; flag?: string }[] => [
  ...command.options.flatMap((option) => {
    const path: unknown = option.flags.endsWith('<file>') ? command.getOptionValue(option.attributeName()) : undefined;
    return typeof path === 'string' ? [{ path, flag: option.long ?? option.flags }] : [];
  }),
  ...command.processedArgs.flatMap((path: unknown, at) =>
    typeof path === 'string' && command.registeredArguments[at]?.name() === 'file' ? [{ path }] : [],
  ),
];

/** Returns the reason why a path can't be used as a file; null: it can. Without `isRead` the file may be absent. */
function faultOf(path: string, isRead: boolean): keyof typeof FAULTS | null {
  if (statSync(path, { throwIfNoEntry: false })?.isDirectory()) return 'folder';
  if (!isRead) return null;
  try {
    accessSync(path, constants.R_OK);
    return null;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    return code === 'EACCES' || code === 'EPERM' ? 'closed' : 'missing';
  }
}

/** Builds the command tree; nouns excluded by `isWanted` have only name and description. */
export async function buildProgram(help: HelpTexts, isWanted: (noun: string) => boolean): Promise<Command> {
  const program = new Command('seo-admin')
    .description(help.about)
    .exitOverride()
    .configureHelp({ formatHelp: (command, layout) => formatHelp(command, layout, help) })
    .helpOption('-h, --help', help.help_flag)
    .helpCommand(false)
    .option('-V, --version', help.version)
    .option('--data-dir <dir>', help.data_dir)
    .option('--demo', help.on_demo)
    .option('--as <login>', help.as)
    .option('--json', help.json)
    .option('--csv', help.csv)
    .addOption(new Option('--format <kind>', help.format).choices(FORMATS))
    .addOption(new Option('--lang <language>', help.lang).choices(['ru', 'en']))
    .option('-q, --quiet', help.quiet)
    .option('--no-color', help.no_color)
    .option('--no-input', help.no_input)
    .option('-y, --yes', help.yes)
    .hook('preAction', (_program, command) => refuseUnreadable(command));
  for (const [name, load] of Object.entries(NOUNS)) {
    const noun = program
      .command(name)
      .description(help[name as keyof HelpTexts] ?? help.account)
      .helpCommand(false);
    if (isWanted(name)) (await load()).define(noun, help);
  }
  return program;
}
