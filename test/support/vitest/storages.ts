import { AsyncLocalStorage } from 'node:async_hooks';

type Storage = AsyncLocalStorage<unknown>;

// The method that Node 20 calls as such a storage is used: from then on each promise of the process is noted in it, until it is disabled.
// Newer versions have no such method, and note nothing.
const ENABLE = '_enable';

// The sources are loaded anew for each test file; this is what stays of the process.
const kept = globalThis as typeof globalThis & { usedStorages?: Set<Storage> };

/** Returns a set to which each storage that is used from now on is added. */
function watchStorages(): Set<Storage> {
  const used = new Set<Storage>();
  const storages = AsyncLocalStorage.prototype as unknown as Record<string, ((this: Storage) => void) | undefined>;
  const enable = storages[ENABLE];
  if (enable) {
    storages[ENABLE] = function enableAndAdd(this: Storage): void {
      used.add(this);
      enable.call(this);
    };
  }
  return used;
}

/**
 * Disables the storages that the modules of former test files have used. Nothing reads them any more, and with a hundred files every
 * promise would be noted in hundreds of them. A storage that is used again is enabled again.
 */
export function disableStorages(): void {
  const used = (kept.usedStorages ??= watchStorages());
  for (const storage of used) storage.disable();
  used.clear();
}
