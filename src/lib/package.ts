import { readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';

// This file is in src/lib when run from source, in dist/cli when built.
const root = new URL('../../', import.meta.url);

/** Returns the absolute path of a file of the package; `path` is relative to its root. */
export const packagePath = (path: string): string => fileURLToPath(new URL(path, root));

const versionOf = (text: string): string => (JSON.parse(text) as { version: string }).version;

/** The version of the package. */
export const packageVersion = (): string => versionOf(readFileSync(packagePath('package.json'), 'utf8'));

/** Returns the version that is installed now: after an update it is not that of the process which goes on. Null while its files are being replaced. */
export async function installedVersion(): Promise<string | null> {
  try {
    return versionOf(await readFile(packagePath('package.json'), 'utf8'));
  } catch {
    return null;
  }
}
