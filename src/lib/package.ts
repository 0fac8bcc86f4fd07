import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

// Run from its source this file is in src/lib, built it is in dist/cli.
const root = new URL('../../', import.meta.url);

/** The path of a file of the package, from its root. */
export const packagePath = (path: string): string => fileURLToPath(new URL(path, root));

/** The version of the package. */
export const packageVersion = (): string =>
  (JSON.parse(readFileSync(packagePath('package.json'), 'utf8')) as { version: string }).version;
