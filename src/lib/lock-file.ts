import { link, readFile, rm, stat, writeFile } from 'node:fs/promises';

// The guarded work ends in far less. An older lock is stale, even if its pid belongs to a live process by now.
const MAX_AGE_MS = 60 * 60_000;

// The locks of this process. A lock file with our own pid that is not in here was left by a predecessor in this container.
const held = new Set<string>();

/**
 * Runs `work` while holding the lock file at `path`, across processes. Returns `undefined` without running it if the lock is
 * held; a lock whose process has died, or that is an hour old, is taken over.
 */
export async function withLockFile<T>(path: string, work: () => Promise<T>): Promise<T | undefined> {
  if (held.has(path)) return undefined;
  held.add(path);
  try {
    if (!(await take(path))) return undefined;
    try {
      return await work();
    } finally {
      await rm(path, { force: true });
    }
  } finally {
    held.delete(path);
  }
}

async function take(path: string): Promise<boolean> {
  if (await create(path)) return true;
  if (await isHeld(path)) return false;
  await rm(path, { force: true });
  return create(path);
}

// The file appears with its content: an empty one was left by a dead holder on a full disk.
async function create(path: string): Promise<boolean> {
  const draft = `${path}.${crypto.randomUUID()}.tmp`;
  try {
    await writeFile(draft, String(process.pid), { flag: 'wx' });
    await link(draft, path);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  } finally {
    await rm(draft, { force: true });
  }
}

async function isHeld(path: string): Promise<boolean> {
  try {
    const [text, { mtimeMs }] = await Promise.all([readFile(path, 'utf8'), stat(path)]);
    if (Date.now() - mtimeMs > MAX_AGE_MS) return false;
    const pid = Number(text);
    return pid > 0 && pid !== process.pid && isAlive(pid);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return false;
    throw error;
  }
}

/** Whether a process of this machine is alive, of any user. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
