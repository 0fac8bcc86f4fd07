// System programs that tests need beside Node.
import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';

/** A program: its possible paths, its Debian package, and how to install it. */
export interface Program {
  places: readonly string[];
  debian: string;
  howTo: string;
}

const LOCK = '/tmp/seo-admin-tests-apt.lock';

// Serialized: test files run in parallel, and apt-get fails while another one runs. Another program may hold its lock
// for a while; a failed update leaves the existing lists.
const INSTALL = `test -x "$1" || {
  export DEBIAN_FRONTEND=noninteractive
  apt-get update -q -o DPkg::Lock::Timeout=600
  apt-get install -q -y --no-install-recommends -o DPkg::Lock::Timeout=600 "$2"
}`;

/**
 * Returns the path of a program. As root on Debian it is installed first, so that a container has it after the first
 * run.
 */
export function findProgram({ places, debian, howTo }: Program): { path: string } | { missing: string } {
  const installed = (): string | undefined => places.find((path) => path !== '' && existsSync(path));
  const usual = places.find((path) => path !== '') ?? '';
  if (installed() === undefined && process.getuid?.() === 0 && existsSync('/etc/debian_version')) {
    console.log(`No ${debian}: installing it with apt-get`);
    try {
      execFileSync('flock', [LOCK, 'sh', '-c', INSTALL, 'sh', usual, debian], { stdio: 'ignore' });
    } catch (error) {
      console.log(`${debian} could not be installed: ${String(error)}`);
    }
  }
  const path = installed();
  return path === undefined ? { missing: howTo } : { path };
}
