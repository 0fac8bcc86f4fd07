// Builds a checkout after `npm ci`, so that it runs. Without the dev dependencies (`npm ci --omit=dev`) nothing can be
// built, and a packed tarball is built already. npm calls this at the first `npx seo-admin`, too: what is built is not built again.
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const dist = join(root, 'dist');
// Holds the sum of the sources that `dist` was built from. A later `npm run build` makes other files newer than this one.
const builtFrom = join(dist, 'built-from');
const SOURCES = ['bin', 'db', 'src', 'ui', 'package.json', 'package-lock.json', 'tsconfig.json'];

const filesIn = (path) =>
  statSync(path).isFile()
    ? [path]
    : readdirSync(path, { recursive: true, withFileTypes: true })
        .filter((entry) => entry.isFile())
        .map((entry) => join(entry.parentPath, entry.name))
        .toSorted();

function sumOfSources() {
  const sum = createHash('sha256');
  for (const path of SOURCES.map((name) => join(root, name)).filter(existsSync)) {
    for (const file of filesIn(path)) sum.update(`${relative(root, file)}\0`).update(readFileSync(file));
  }
  return sum.digest('hex');
}

function isBuilt(sum) {
  if (!existsSync(builtFrom) || readFileSync(builtFrom, 'utf8') !== sum) return false;
  const { mtimeMs } = statSync(builtFrom);
  return filesIn(dist).every((file) => statSync(file).mtimeMs <= mtimeMs);
}

if (existsSync(join(root, 'node_modules/vite')) && existsSync(join(root, 'src'))) {
  const sum = sumOfSources();
  if (!isBuilt(sum)) {
    rmSync(builtFrom, { force: true });
    execFileSync('npm', ['run', 'build'], { cwd: root, stdio: 'inherit', shell: process.platform === 'win32' });
    writeFileSync(builtFrom, sum);
  }
}
