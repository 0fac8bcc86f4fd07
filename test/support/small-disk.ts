// A small file system that can be filled (mounting a tmpfs needs root).
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export interface SmallDisk {
  dir: string;
  /** Whether it could be mounted; if not, the test can prove nothing. */
  isMounted: boolean;
  /** Fills all free space; may be called again after something was freed. */
  fill: () => void;
  free: () => void;
  remove: () => void;
}

const LARGEST = 4 * 2 ** 20;
const SMALLEST = 512;

/** Mounts it at a new folder, or at an existing one. */
export function mountSmallDisk(megabytes: number, dir = mkdtempSync(join(tmpdir(), 'small-disk-'))): SmallDisk {
  const isMounted = spawnSync('mount', ['-t', 'tmpfs', '-o', `size=${megabytes}m`, 'tmpfs', dir]).status === 0;
  let fillers = 0;
  const filler = (n: number): string => join(dir, `filler-${n}`);
  return {
    dir,
    isMounted,
    fill: () => {
      for (let size = LARGEST; size >= SMALLEST;) {
        try {
          writeFileSync(filler(fillers), Buffer.alloc(size), { flag: 'wx' });
          fillers += 1;
        } catch {
          rmSync(filler(fillers), { force: true });
          size /= 2;
        }
      }
    },
    free: () => {
      for (let n = 0; n < fillers; n += 1) rmSync(filler(n), { force: true });
      fillers = 0;
    },
    remove: () => {
      if (isMounted) spawnSync('umount', [dir]);
      rmSync(dir, { recursive: true, force: true });
    },
  };
}
