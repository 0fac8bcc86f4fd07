// `npm ci` leaves a checkout that runs. Without the dev dependencies (`npm ci --omit=dev`) there is nothing to
// build with, and a packed tarball comes already built.
import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
if (existsSync(`${root}node_modules/vite`) && existsSync(`${root}src`)) {
  execFileSync('npm', ['run', 'build'], { cwd: root, stdio: 'inherit', shell: process.platform === 'win32' });
}
