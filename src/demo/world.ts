import { existsSync, readFileSync } from 'node:fs';
import { rename, writeFile } from 'node:fs/promises';
import type { CloudflareState } from './cloudflare/state.ts';
import type { RegistrarType } from '../shared/accounts/registrar-types.ts';
import type { Trouble } from './domains.ts';
import type { ShopState } from './registrars/shop.ts';
import type { ArsenkinState } from './search/arsenkin.ts';
import type { XmlriverState } from './search/xmlriver.ts';
import type { TelegramState } from './telegram-state.ts';

const SAVE_AFTER_MS = 3_000;

/** The outside world of a demo, as plain JSON. `size` is the number of domains it was made for; `frozen`: its clock was moved. */
export interface World {
  size: number;
  frozen: boolean;
  cloudflare: CloudflareState;
  registrars: Record<RegistrarType, ShopState>;
  search: { xmlriver: XmlriverState; arsenkin: ArsenkinState };
  /** Missing in the world of a former version: there is a bot, and nobody has written to it. */
  telegram?: TelegramState;
  /** Faults by host; others answer 200. */
  sites: Record<string, Trouble>;
}

/** Reads the world of an earlier run; null if there is none, or one of a former version, which had no registrars, or no search engines. */
export function readWorld(path: string): World | null {
  if (!existsSync(path)) return null;
  const world = JSON.parse(readFileSync(path, 'utf8')) as Partial<World>;
  return world.registrars && world.search ? (world as World) : null;
}

/** Writes the world atomically, so that its file is always complete. */
export async function writeWorld(path: string, world: World): Promise<void> {
  await writeFile(`${path}.part`, JSON.stringify(world), { mode: 0o600 });
  await rename(`${path}.part`, path);
}

/** Saves a world. */
interface Keeper {
  /** Saves within three seconds. */
  changed: () => void;
  /** Resolves when it is saved, unless the disk is full. */
  save: () => Promise<void>;
  close: () => Promise<void>;
}

/** Saves a world at most every three seconds after changes, at once on request, and at `close`. */
export function keepWorld(path: string, world: World): Keeper {
  let timer: NodeJS.Timeout | undefined;
  let writing: Promise<void> = Promise.resolve();
  const save = (): Promise<void> => {
    clearTimeout(timer);
    timer = undefined;
    // A full disk must not stop the demo: the next change saves again.
    writing = writing.then(() => writeWorld(path, world)).catch(() => undefined);
    return writing;
  };
  return {
    changed: () => void (timer ??= setTimeout(() => void save(), SAVE_AFTER_MS).unref()),
    save,
    close: async () => {
      await save();
    },
  };
}
