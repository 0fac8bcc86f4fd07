import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

// This file is in src/lib when run from source, in dist/cli when built.
const root = new URL('../../', import.meta.url);

/** Returns the absolute path of a file of the package; `path` is relative to its root. */
export const packagePath = (path: string): string => fileURLToPath(new URL(path, root));

/** The version of the package. */
export const packageVersion = (): string =>
  (JSON.parse(readFileSync(packagePath('package.json'), 'utf8')) as { version: string }).version;
