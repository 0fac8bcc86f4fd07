import type { Command } from 'commander';
import { readAsked, type Asked } from './terminal/asked.ts';
import { createContext, type CommonOptions, type Context } from './context.ts';
import { wordsOf } from './help.ts';
import { endSoon, explainEnd, Interrupted, takesAnswer, untilInterrupted } from './terminal/interrupt.ts';
import { harmless, lineOf, write, type Result } from './output.ts';

const complain = (message: string): void => void process.stderr.write(`seo-admin: ${harmless(message)}\n`);

/** Writes a failure: one line on stderr for people, the document on stdout for programs, unless it has one. Sets the exit code. */
export async function reportFailure(command: string, thrown: unknown, asked: Asked, program?: string): Promise<void> {
  const { failureOf } = await import('./failure.ts');
  const failure = failureOf(thrown, asked.language, program);
  complain(failure.message);
  if (process.env['SEO_ADMIN_LOG'] === 'debug' && thrown instanceof Error) process.stderr.write(`${thrown.stack}\n`);
  if (takesAnswer())
    process.stdout.write(write(command, { exit: failure.exit, failure }, asked, (_field, text) => text));
  process.exitCode = failure.exit;
}

/** Prints additional messages about a result for people. */
function sayMore(context: Context, { note, next, items, text, errors = [], failure }: Result): void {
  // A single error is mostly reported by the failure.
  const isTold = errors.length === 1 && failure?.message.includes(errors[0]?.message ?? '') === true;
  if (!isTold) for (const error of errors) context.talk(lineOf(error));
  if (note !== undefined) context.talk(note());
  else if (items?.length === 0 && text === undefined && errors.length === 0) context.talk(context.say('cli.nothing'));
  if (next !== undefined) context.talk(`→ ${context.program} ${next}`);
}

// Exit codes above this stand for a signal.
const INTERRUPTED = 128;

/** The work of a command: returns a result from its context, flags and arguments (`never` accepts any). */
export type Work = (context: Context, flags: never, ...args: never[]) => Promise<Result>;

/**
 * Returns the works of a module of `actions` by name. The module, and with it the services, is loaded when one of them is
 * called: neither `--help` nor a wrong flag loads it.
 */
export const later =
  <Name extends string>(load: () => Promise<Record<Name, Work>>) =>
  (name: Name): Work =>
  async (context, flags, ...args) => {
    const works = await load();
    return works[name](context, flags, ...args);
  };

// Commands that run until they are stopped: they start tracing themselves, with a span for each request and work.
const SERVING = new Set(['serve', 'worker']);

/** Runs a command in a span, where OpenTelemetry's variables ask for it. */
async function traced<T>(words: string, work: () => Promise<T>): Promise<T> {
  const isAsked = !SERVING.has(words) && Object.keys(process.env).some((name) => name.startsWith('OTEL_'));
  if (!isAsked) return work();
  const [{ startTracing }, { inSpan, stopTracing }, { packageVersion }] = await Promise.all([
    import('../lib/tracing/start.ts'),
    import('../lib/tracing/spans.ts'),
    import('../lib/package.ts'),
  ]);
  await startTracing(packageVersion());
  try {
    return await inSpan({ name: `seo-admin ${words}` }, work);
  } finally {
    await stopTracing();
  }
}

/**
 * Returns the action of a command: prints the result of its work and sets the exit code, or reports the error. Closes
 * the database at the end. A command that `tidies` (those for cron) purges the database before, once a day, unless its
 * work threw, was interrupted, or ran with `--dry-run`.
 */
export function act(work: Work, { tidies = false } = {}): (...parameters: unknown[]) => Promise<void> {
  return async (...parameters) => {
    const command = parameters.at(-1) as Command;
    const args = parameters.slice(0, -2) as never[];
    const options = command.optsWithGlobals<CommonOptions & { dryRun?: boolean }>();
    let asked = readAsked(process.argv.slice(2), process.env);
    const words = wordsOf(command);
    let context: Context | undefined;
    try {
      const made = createContext(words, asked, options);
      context = made;
      asked = made.asked;
      explainEnd((exit) => reportFailure(words, new Interrupted(exit), made.asked, made.program));
      const result = await untilInterrupted(() => traced(words, () => work(made, options as never, ...args)));
      await context.print(result);
      if (asked.format === 'human') sayMore(context, result);
      if (result.failure) complain(result.failure.message);
      process.exitCode = result.exit ?? 0;
      const isInterrupted = process.exitCode > INTERRUPTED;
      if (tidies && !isInterrupted && options.dryRun !== true) await context.tidy();
    } catch (thrown) {
      if (thrown instanceof Interrupted) await context?.leaveWork();
      await reportFailure(words, thrown, asked, context?.program);
      // Its work goes on meanwhile, and may keep the process alive.
      if (thrown instanceof Interrupted) endSoon(thrown.exit);
    } finally {
      await context?.close();
    }
  };
}
