import { link, readFile, rm, stat, writeFile } from 'node:fs/promises';

// What the lock guards ends in far less; a holder in another container can't be asked whether it lives.
const MAX_AGE_MS = 60 * 60_000;

// After a restart a container's process may find its own id in the lock that its predecessor left.
const held = new Set<string>();

/**
 * Runs `work` while holding the lock file at `path`, across processes. Gives `undefined` without running it where another
 * one holds the lock; a lock whose process has died, or that is an hour old, is taken over.
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

// The file appears with its content: an empty one is what a full disk has left of a holder that is gone.
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

/** Whether a process of this machine lives, whoever's it is. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
