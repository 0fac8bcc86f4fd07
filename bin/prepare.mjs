// Builds a checkout after `npm ci`, so that it runs. Without the dev dependencies (`npm ci --omit=dev`) nothing can be
// built, and a packed tarball is built already.
import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
if (existsSync(`${root}node_modules/vite`) && existsSync(`${root}src`)) {
  execFileSync('npm', ['run', 'build'], { cwd: root, stdio: 'inherit', shell: process.platform === 'win32' });
}
