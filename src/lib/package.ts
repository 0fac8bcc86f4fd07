import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

// Run from its source this file is src/lib/package.ts; compiled it is dist/src/lib/package.js.
const source = new URL('../../', import.meta.url);
const root = existsSync(new URL('package.json', source)) ? source : new URL('../', source);

/** The path of a file of the package, from its root. */
export const packagePath = (path: string): string => fileURLToPath(new URL(path, root));

/** The version of the package. */
export const packageVersion = (): string =>
  (JSON.parse(readFileSync(packagePath('package.json'), 'utf8')) as { version: string }).version;
