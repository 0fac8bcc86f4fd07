import { isRich } from './color.ts';
import { storageWait } from '../../lib/waits.ts';
import type { Context } from '../context.ts';

/** How far something is. `total` null: nobody knows. */
export interface Stand {
  done: number;
  total: number | null;
  failed: number;
  /** Until when the limit of an outside service makes it wait. */
  waits_until?: string | null;
}

/** Shows how far a command is. `end` clears the way for its answer. */
export interface Progress {
  update: (stand: Stand) => void;
  end: () => Promise<void>;
}

// What ends sooner needs no progress, and Ink takes 300 ms to load.
const SHOW_AFTER_MS = 500;
const LINE_EVERY_MS = 10_000;

const silent: Progress = { update: () => undefined, end: async () => undefined };

/** Progress on stderr: drawn on a terminal, else a line of plain text every ten seconds. `name` is as in `check http`. */
export function startProgress(context: Context, name: string, title: string): Progress {
  if (context.asked.quiet) return silent;
  return isRich(context.asked, 'stderr') ? drawn(title, context) : lines(name);
}

/** Why and until when it waits, where it does, or how it is stopped. */
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

function drawn(title: string, { say }: Context): Progress {
  let stand: Stand | undefined;
  let drawing: Promise<{ end: () => Promise<void> }> | undefined;
  const timer = setTimeout(() => {
    drawing = import('./Progress.tsx').then(({ drawProgress }) =>
      drawProgress(
        title,
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
