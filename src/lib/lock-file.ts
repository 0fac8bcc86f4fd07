import { createHash, randomUUID } from 'node:crypto';
import { readFileSync, readlinkSync } from 'node:fs';
import { link, readFile, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { hostname } from 'node:os';

// The guarded work ends in far less. An older lock is stale, even if its pid belongs to a live process by now.
const MAX_AGE_MS = 60 * 60_000;
// A number of a process tells nothing to another machine or container: there a holder is alive whose lock was touched lately. Clocks may differ.
const TOUCHED_MS = 10_000;
const SILENT_MS = 180_000;

// The locks of this process. A lock file with our own pid that is not in here was left by a predecessor in this container.
const held = new Set<string>();

/**
 * Runs `work` while holding the lock file at `path`, across processes. Returns `undefined` without running it if the lock is
 * held; a lock whose process has died, or that is an hour old, is taken over. One of another machine or container, on a shared folder,
 * is taken over when it was not touched for three minutes.
 */
export async function withLockFile<T>(path: string, work: () => Promise<T>): Promise<T | undefined> {
  if (held.has(path)) return undefined;
  held.add(path);
  try {
    if (!(await take(path))) return undefined;
    const touching = setInterval(() => void touch(path), TOUCHED_MS);
    touching.unref();
    try {
      return await work();
    } finally {
      clearInterval(touching);
      await rm(path, { force: true });
    }
  } finally {
    held.delete(path);
  }
}

/** Sets the time of the last change of a file to now, where it is there: what is not touched is taken for abandoned at worst. */
export const touch = async (path: string): Promise<void> => {
  const now = new Date();
  await utimes(path, now, now).catch(() => undefined);
};

async function take(path: string): Promise<boolean> {
  if (await create(path)) return true;
  if (await isHeld(path)) return false;
  // Of several that find it abandoned one takes it over: the others would remove the new lock instead.
  const turn = `${path}.turn`;
  if (!(await create(turn))) {
    if (!(await isHeld(turn))) await rm(turn, { force: true });
    return false;
  }
  try {
    if (await isHeld(path)) return false;
    await rm(path, { force: true });
    return await create(path);
  } finally {
    await rm(turn, { force: true });
  }
}

// The file appears with its content: an empty one was left by a dead holder on a full disk.
async function create(path: string): Promise<boolean> {
  const draft = `${path}.${randomUUID()}.tmp`;
  try {
    await writeFile(draft, `${process.pid} ${pidSpace()}`, { flag: 'wx' });
    await link(draft, path);
    return true;
  } catch (error) {
    const { code, syscall } = error as NodeJS.ErrnoException;
    // The holder of the lock may have removed the draft among files that crashes have left.
    if (code === 'EEXIST' || (code === 'ENOENT' && syscall === 'link')) return false;
    throw error;
  } finally {
    await rm(draft, { force: true });
  }
}

async function isHeld(path: string): Promise<boolean> {
  try {
    const [text, { mtimeMs }] = await Promise.all([readFile(path, 'utf8'), stat(path)]);
    const ageMs = Date.now() - mtimeMs;
    if (ageMs > MAX_AGE_MS) return false;
    const [number, space = pidSpace()] = text.split(' ');
    if (space !== pidSpace()) return ageMs < SILENT_MS;
    const pid = Number(number);
    return pid > 0 && pid !== process.pid && isAlive(pid);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return false;
    throw error;
  }
}

const kernelSays = (read: () => string): string => {
  try {
    return read();
  } catch {
    return '';
  }
};

let space: string | undefined;

/**
 * Returns what names the space in which this process has its number: the same for processes that see each other's numbers, another one in each container and on each
 * machine. The name of the host alone does not tell: containers on the network of their host have its name.
 */
export function pidSpace(): string {
  if (space !== undefined) return space;
  const namespace = kernelSays(() => readlinkSync('/proc/self/ns/pid'));
  const boot = kernelSays(() => readFileSync('/proc/sys/kernel/random/boot_id', 'utf8'));
  space = createHash('sha256').update(`${hostname()}\n${namespace}\n${boot}`).digest('hex').slice(0, 8);
  return space;
}

/**
 * Whether a process of this machine is alive, of any user. A zombie is not, though it keeps its number: its parent has to reap it, which
 * the first process of a container may never do.
 */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EPERM') return false;
  }
  // The state stands after the program's name in brackets, which may hold some itself. Linux alone tells it.
  const status = kernelSays(() => readFileSync(`/proc/${pid}/stat`, 'latin1'));
  return !/^ [ZX]/.test(status.slice(status.lastIndexOf(')') + 1));
}
