// `npm ci` leaves a checkout that runs. Without the dev dependencies (`npm ci --omit=dev`) there is nothing to
// build with, and a packed tarball comes already built.
import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const tools = ['typescript', 'vite'].every((tool) => existsSync(`${root}node_modules/${tool}`));
if (tools && existsSync(`${root}src`)) {
  execFileSync('npm', ['run', 'build'], { cwd: root, stdio: 'inherit', shell: process.platform === 'win32' });
}
