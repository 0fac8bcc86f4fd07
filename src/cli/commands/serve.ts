import { spawn } from 'node:child_process';
import type { Command } from 'commander';
import type { Serving } from '../../server.ts';
import type { Context } from '../context.ts';
import { watchInterrupt } from '../interrupt.ts';
import { wholeNumber } from '../numbers.ts';
import { act } from '../run.ts';
import type { HelpTexts } from '../texts/ru.ts';

interface ServeFlags {
  host: string;
  port: number;
  scheduler: boolean;
  open?: boolean;
}

/** `serve`: UI, API, scheduler and worker, until it is stopped. */
export function define(noun: Command, help: HelpTexts): void {
  noun
    .option('--host <host>', help['serve.host'], '127.0.0.1')
    .option('--port <port>', help['serve.port'], wholeNumber(0, 65_535), 4180)
    .option('--no-scheduler', help['serve.scheduler'])
    .option('--open', help['serve.open'])
    .action(act(serveUntilStopped));
}

async function serveUntilStopped(context: Context, { host, port, scheduler, open }: ServeFlags) {
  const interrupt = watchInterrupt();
  const config = context.config();
  const [{ serve }, { createLog }] = await Promise.all([import('../../server.ts'), import('../../lib/log.ts')]);
  const serving = await serve({ config, log: createLog(config.logLevel), host, port, scheduler });
  const entrance = await greet(context, serving, host);
  await context.print({ data: { url: serving.url }, text: '' });
  if (open) openBrowser(entrance);
  await interrupt.fired;
  context.talk(context.say('cli.stopping'));
  await serving.close();
  return { exit: interrupt.exit(), text: '' };
}

const isLoopback = (host: string): boolean => host === 'localhost' || host === '::1' || host.startsWith('127.');

/** An address to open: every interface is none. */
const reachable = (url: string): string => url.replace('//0.0.0.0', '//127.0.0.1').replace('//[::]', '//[::1]');

/** Says where it serves and, as long as there are no users, how the first one is made. Returns the address to open. */
async function greet(context: Context, { url, migrated }: Serving, host: string): Promise<string> {
  const { say, talk, warn } = context;
  const config = context.config();
  const [{ packageVersion }, { hasNoUsers }, { createSetupToken }] = await Promise.all([
    import('../../lib/package.ts'),
    import('../../services/users.ts'),
    import('../../services/session.ts'),
  ]);
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
  talk(`  ${say(isLoopback(host) ? 'cli.local_only' : 'cli.reachable')}\n  ${say('cli.how_to_stop')}\n`);
  warn(`listening on ${url}`);
  return entrance;
}

/** Opens the default browser; a machine without one is no failure. */
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
