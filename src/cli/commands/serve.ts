import { spawn } from 'node:child_process';
import { isIPv4 } from 'node:net';
import type { Command } from 'commander';
import type { Demo } from '../../demo/index.ts';
import type { Config } from '../../lib/config.ts';
import type { Serving } from '../../server.ts';
import { DEMO_USERS } from '../../shared/demo.ts';
import { usageError, type Context } from '../context.ts';
import { watchInterrupt } from '../terminal/interrupt.ts';
import { wholeNumber } from '../numbers.ts';
import { act } from '../run.ts';
import type { HelpTexts } from '../texts/ru.ts';

interface ServeFlags {
  host: string;
  port: number;
  scheduler: boolean;
  open?: boolean;
  demo?: boolean;
  demoSize?: number;
  demoFreeze?: boolean;
}

const LARGEST_DEMO = 100_000;

/** `serve`: runs UI, API, scheduler and worker until it is stopped. */
export function define(noun: Command, help: HelpTexts): void {
  noun
    .option('--host <host>', help['serve.host'], '127.0.0.1')
    .option('--port <port>', help['serve.port'], wholeNumber(0, 65_535), 4180)
    .option('--no-scheduler', help['serve.scheduler'])
    .option('--open', help['serve.open'])
    .option('--demo', help['serve.demo'])
    .option('--demo-size <n>', help['serve.demo_size'], wholeNumber(1, LARGEST_DEMO))
    .option('--demo-freeze', help['serve.demo_freeze'])
    .action(act(serveUntilStopped));
}

async function serveUntilStopped(context: Context, flags: ServeFlags) {
  const interrupt = watchInterrupt();
  const demo = await openDemo(context, flags);
  try {
    const config = demo?.config ?? context.config();
    const [{ serve }, { createLog }] = await Promise.all([
      import('../../server.ts'),
      import('../../lib/log.ts'),
      // Loaded in parallel with the server, which imports these modules anyway.
      greetingParts(),
    ]);
    const { host, port } = flags;
    const scheduler = flags.scheduler && !flags.demoFreeze;
    const serving = await serve({ config, log: createLog(config.logLevel), host, port, scheduler });
    const entrance = await greet(context, config, serving, host);
    await context.print({ data: { url: serving.url }, text: '' });
    if (scheduler) demo?.live();
    if (flags.open) openBrowser(entrance);
    await interrupt.fired;
    context.talk(context.say('cli.stopping'));
    await serving.close();
  } finally {
    await demo?.close();
  }
  return { exit: interrupt.exit(), text: '' };
}

/** Starts the demo world of `--demo`. Its passwords are public, so it is refused on other than loopback hosts. */
async function openDemo(context: Context, flags: ServeFlags): Promise<Demo | undefined> {
  if (!flags.demo) {
    if (flags.demoSize !== undefined || flags.demoFreeze) throw usageError('demo.alone');
    return undefined;
  }
  if (!isLoopback(flags.host)) throw usageError('demo.host', { host: flags.host });
  const { startDemo } = await import('../../demo/index.ts');
  return startDemo(context.config(), { size: flags.demoSize, frozen: flags.demoFreeze ?? false });
}

const isLoopback = (host: string): boolean =>
  host === 'localhost' || host === '::1' || (isIPv4(host) && host.startsWith('127.'));

/** Replaces "all interfaces", which no browser can open, by loopback. */
const reachable = (url: string): string => url.replace('//0.0.0.0', '//127.0.0.1').replace('//[::]', '//[::1]');

const greetingParts = () =>
  Promise.all([
    import('../../lib/package.ts'),
    import('../../services/access/users.ts'),
    import('../../services/access/session.ts'),
  ]);

/** Prints the URL and, while there are no users, how to create the first one. Returns the URL to open. */
async function greet(context: Context, config: Config, { url, migrated }: Serving, host: string): Promise<string> {
  const { say, talk, warn } = context;
  const [{ packageVersion }, { hasNoUsers }, { createSetupToken }] = await greetingParts();
  const base = config.publicUrl?.replace(/\/$/, '') ?? reachable(url);
  talk(say('cli.banner', { version: packageVersion(), dir: config.dataDir }));
  if (migrated.length > 0) talk(say('cli.migrated', { names: migrated.join(', ') }));
  talk(`\n  ➜  ${base}/\n`);
  const isFirstRun = await hasNoUsers();
  const entrance = isFirstRun ? `${base}/setup#t=${await createSetupToken()}` : `${base}/`;
  if (isFirstRun) {
    if (!isLoopback(host)) warn(`  ${say('cli.open_without_users', { host })}\n`);
    warn(`  ${say('cli.no_users')}\n  ➜  ${entrance}\n\n  ${say('cli.no_browser')}\n`);
  }
  if (config.demo) {
    const users = DEMO_USERS.map(({ login, password }) => `${login} / ${password}`).join(', ');
    warn(`  ${say('demo.greeting', { users })}\n`);
  }
  if (!config.demo) talk(`  ${say(isLoopback(host) ? 'cli.local_only' : 'cli.reachable')}`);
  talk(`  ${say('cli.how_to_stop')}\n`);
  warn(`listening on ${url}`);
  return entrance;
}

/** Opens the default browser; ignores a machine without one. */
function openBrowser(url: string): void {
  const openers: Partial<Record<NodeJS.Platform, [string, string[]]>> = {
    darwin: ['open', [url]],
    win32: ['cmd', ['/c', 'start', '', url]],
  };
  const [program, args] = openers[process.platform] ?? ['xdg-open', [url]];
  spawn(program, args, { stdio: 'ignore', detached: true })
    .on('error', () => undefined)
    .unref();
}
