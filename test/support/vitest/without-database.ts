import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

const ROOT = join(import.meta.dirname, '../../..');
// These two make databases for whoever calls them.
const MAKERS = new Set(['test/support/database.ts', 'test/support/server.ts']);
const OPENS =
  /\b(?:copyOfTemplate|newDatabase|emptyPlace|newInstallation|openDatabase|startDatabase|startServer|startBareServer)\(/;

/**
 * Returns the test files below some folders that open no database, neither themselves nor in a file of `test` that they import: on
 * another database they would assert the same once more.
 */
export function withoutDatabase(folders: readonly string[]): string[] {
  const known = new Map<string, boolean>();
  const opens = (file: string): boolean => {
    const found = known.get(file);
    if (found !== undefined) return found;
    known.set(file, false);
    const text = readFileSync(join(ROOT, file), 'utf8');
    const imported = [...text.matchAll(/from '(\.[^']+)'/g)].map(([, path = '']) => join(dirname(file), path));
    const helpers = imported.filter((path) => path.startsWith('test/') && existsSync(join(ROOT, path)));
    const does = (!MAKERS.has(file) && OPENS.test(text)) || helpers.some(opens);
    known.set(file, does);
    return does;
  };
  return folders
    .flatMap((folder) =>
      readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' }).map((name) => join(folder, name)),
    )
    .filter((file) => file.endsWith('.test.ts') && !opens(file));
}
