import { existsSync, readFileSync } from 'node:fs';
import { rename, writeFile } from 'node:fs/promises';
import type { CloudflareState } from './cloudflare/state.ts';
import type { Trouble } from './domains.ts';

const SAVE_AFTER_MS = 3_000;

/** The outside world of a demo, as plain JSON. `size` is how many domains it was made for, `frozen` that it has a day of its own. */
export interface World {
  size: number;
  frozen: boolean;
  cloudflare: CloudflareState;
  /** By host: what does not answer 200. */
  sites: Record<string, Trouble>;
}

/** The world that a former run has left; null where there is none. */
export function readWorld(path: string): World | null {
  return existsSync(path) ? (JSON.parse(readFileSync(path, 'utf8')) as World) : null;
}

/** Writes the world so that its file is always a whole one. */
export async function writeWorld(path: string, world: World): Promise<void> {
  await writeFile(`${path}.part`, JSON.stringify(world), { mode: 0o600 });
  await rename(`${path}.part`, path);
}

/** Keeps a world on disk: some seconds after a change, however many follow, and at the end. */
export function keepWorld(path: string, world: World): { changed: () => void; close: () => Promise<void> } {
  let timer: NodeJS.Timeout | undefined;
  let writing: Promise<void> = Promise.resolve();
  const save = (): void => {
    timer = undefined;
    // A disk that is full costs the demo its memory, not its life: the next change tries again.
    writing = writing.then(() => writeWorld(path, world)).catch(() => undefined);
  };
  return {
    changed: () => void (timer ??= setTimeout(save, SAVE_AFTER_MS).unref()),
    close: async () => {
      clearTimeout(timer);
      save();
      await writing;
    },
  };
}
