import { chmodSync, mkdtempSync, readFileSync, rmSync, statfsSync } from 'node:fs';
import { join } from 'node:path';

const MEMORY = '/dev/shm';
const ROOM = 4 * 2 ** 30;

/** Returns whether files in memory have room (a container's default of 64 MB has none) and may be run. */
function hasMemory(): boolean {
  try {
    const { bavail, bsize } = statfsSync(MEMORY);
    const mount = readFileSync('/proc/mounts', 'utf8')
      .split('\n')
      .find((line) => line.split(' ')[1] === MEMORY);
    return bavail * bsize >= ROOM && mount !== undefined && !mount.includes('noexec');
  } catch {
    // Not Linux.
    return false;
  }
}

/**
 * Makes a folder in memory the temporary folder of this process and its children, where there is room and nobody has named
 * another one: what tests store survives their processes, and need not survive the machine. Removes it at the end.
 */
export function useMemory(): void {
  if (process.env['TMPDIR'] !== undefined || !hasMemory()) return;
  const folder = mkdtempSync(join(MEMORY, 'seo-admin-tests-'));
  // Like `/tmp`: PostgreSQL runs as another user.
  chmodSync(folder, 0o1777);
  process.env['TMPDIR'] = folder;
  process.on('exit', () => rmSync(folder, { recursive: true, force: true }));
}
