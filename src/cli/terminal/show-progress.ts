import { isRich } from './color.ts';
import { storageWait } from '../../lib/waits.ts';
import type { Context } from '../context.ts';

/** The progress of a command. `total` is null if unknown. */
export interface Stand {
  done: number;
  total: number | null;
  failed: number;
  /** The time until which the rate limit of an outside service pauses it. */
  waits_until?: string | null;
}

/** A progress display. `end` removes it before the result is printed. */
export interface Progress {
  update: (stand: Stand) => void;
  end: () => Promise<void>;
}

// A shorter command needs no progress, and Ink takes 300 ms to load.
const SHOW_AFTER_MS = 500;
const LINE_EVERY_MS = 10_000;

const silent: Progress = { update: () => undefined, end: async () => undefined };

/** Shows progress on stderr: drawn on a terminal, else a plain line every ten seconds. `name` is as in `check http`. */
export function startProgress(context: Context, name: string, title: string): Progress {
  if (context.asked.quiet) return silent;
  return isRich(context.asked, 'stderr') ? drawn(title, context) : lines(name);
}

/** Returns the reason and end of a wait, or else how to stop the command. */
function hint(say: Context['say'], stand: Stand | undefined): string {
  const storage = storageWait();
  if (storage) return say(storage.key, storage.params);
  if (!stand?.waits_until) return say('cli.progress_stop');
  return say('operation.waits_until', { time: new Date(stand.waits_until).toTimeString().slice(0, 5) });
}

function lines(name: string): Progress {
  let stand: Stand | undefined;
  const timer = setInterval(() => {
    if (!stand) return;
    const { done, total, failed, waits_until } = stand;
    const wait = waits_until ? ` waits_until=${waits_until}` : '';
    const storage = storageWait() ? ` waits_for=${storageWait()?.key.split('_').at(-1)}` : '';
    const part = total ? ` total=${total} pct=${Math.floor((done / total) * 100)}` : '';
    const time = `${new Date().toISOString().slice(0, 19)}Z`;
    process.stderr.write(
      `${time} ${name.replaceAll(' ', '.')} progress done=${done}${part} failed=${failed}${wait}${storage}\n`,
    );
  }, LINE_EVERY_MS);
  timer.unref();
  return {
    update: (next) => {
      stand = next;
    },
    end: async () => clearInterval(timer),
  };
}

function drawn(title: string, { say, asked: { language } }: Context): Progress {
  let stand: Stand | undefined;
  let drawing: Promise<{ end: () => Promise<void> }> | undefined;
  const timer = setTimeout(() => {
    drawing = import('./Progress.tsx').then(({ drawProgress }) =>
      drawProgress(
        { title, language },
        () => hint(say, stand),
        () => stand,
      ),
    );
  }, SHOW_AFTER_MS);
  return {
    update: (next) => {
      stand = next;
    },
    end: async () => {
      clearTimeout(timer);
      await (await drawing)?.end();
    },
  };
}
