import { spawn } from 'node:child_process';
import type { Demo } from '../../demo/index.ts';
import type { Config } from '../../lib/config.ts';
import { createLog } from '../../lib/log.ts';
import { packageVersion } from '../../lib/package.ts';
import { serve, type Serving } from '../../server.ts';
import { createSetupToken } from '../../services/access/session.ts';
import { hasNoUsers } from '../../services/access/users.ts';
import { DEMO_USERS } from '../../shared/demo.ts';
import { requireHostFirst, usageError, type Context } from '../context.ts';
import { isLoopback } from '../loopback.ts';
import type { Result } from '../output.ts';
import { endSoon, watchInterrupt } from '../terminal/interrupt.ts';

/** The flags of `serve`. */
export interface ServeFlags {
  host: string;
  port: number;
  scheduler: boolean;
  open?: boolean;
  demo?: boolean;
  demoSize?: number;
  demoFreeze?: boolean;
}

/**
 * `serve`: runs UI, API, scheduler and worker until a signal. A `demo`, whose host is known already, gives the configuration, and becomes live with the
 * scheduler; `interrupt` is that of a caller that watches for signals already.
 */
export async function serveUntilStopped(
  context: Context,
  flags: ServeFlags,
  demo?: Pick<Demo, 'config' | 'live'>,
  interrupt = watchInterrupt(),
): Promise<Result> {
  if (!demo && (flags.demoSize !== undefined || flags.demoFreeze)) throw usageError('demo.alone');
  if (!demo) await requireHostFirst(context);
  const config = demo?.config ?? context.config();
  const { host, port } = flags;
  const scheduler = flags.scheduler && !flags.demoFreeze;
  const serving = await serve({
    config,
    log: createLog(config.logLevel, context.asked.language),
    host,
    port,
    scheduler,
  });
  const entrance = await greet(context, config, serving, host);
  await context.print({ data: { url: serving.url }, text: '' });
  if (scheduler) demo?.live();
  if (flags.open) openBrowser(entrance);
  await interrupt.fired;
  context.talk(context.say('cli.stopping'));
  if (!(await serving.close())) endSoon(interrupt.exit());
  return { exit: interrupt.exit(), text: '' };
}

/** Replaces "all interfaces", which no browser can open, by loopback. */
const reachable = (url: string): string => url.replace('//0.0.0.0', '//127.0.0.1').replace('//[::]', '//[::1]');

/** Prints the URL and, while there are no users, how to create the first one. Returns the URL to open. */
async function greet(context: Context, config: Config, { url, migrated }: Serving, host: string): Promise<string> {
  const { say, talk, warn } = context;
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
