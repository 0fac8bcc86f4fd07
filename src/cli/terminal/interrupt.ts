import type { ExitCode } from '../output.ts';

/** The interruption of a long command. `exit` returns its exit code once `signal` has fired. */
export interface Interrupt {
  signal: AbortSignal;
  exit: () => ExitCode;
  /** Resolves when the signal fires. */
  fired: Promise<void>;
}

const EXITS = { SIGINT: 130, SIGTERM: 143 } as const;

/** Installs handlers: the first Ctrl-C or SIGTERM asks the command to end in order, a second one ends it at once. */
export function watchInterrupt(): Interrupt {
  const controller = new AbortController();
  let exit: 130 | 143 = 143;
  const fired = new Promise<void>((resolve) => controller.signal.addEventListener('abort', () => resolve()));
  for (const name of ['SIGINT', 'SIGTERM'] as const) {
    process.on(name, () => {
      if (controller.signal.aborted) process.exit(EXITS[name]);
      exit = EXITS[name];
      controller.abort();
    });
  }
  endWithParent(() => controller.abort());
  return { signal: controller.signal, exit: () => exit, fired };
}

/** Ends the process in a second, if something that hears of no stop keeps it alive. */
export const endSoon = (exit: ExitCode): void => void setTimeout(() => process.exit(exit), 1_000).unref();

/** npx does not forward SIGTERM: once it is gone, this process has another parent. */
function endWithParent(end: () => void): void {
  if (process.env['npm_command'] !== 'exec') return;
  const parent = process.ppid;
  setInterval(() => {
    if (process.ppid !== parent) end();
  }, 500).unref();
}
