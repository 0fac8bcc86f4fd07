import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

const UI = join(import.meta.dirname, '..');
const IMPORT = /(?:^|\n)\s*(?:import|export)\s+(?!type\b)(?:[^'";]*?\sfrom\s+)?'(\.[^']+\.tsx?)'/g;

/** The entry of the app, loaded before all else: it loads the rest. */
const BEGIN = ['shell/main.ts'];
/** The pages before the sign-in, with the part that one of them loads later. */
const SIGN_IN = ['sign-in/main.ts', 'sign-in/Setup.tsx'];
/** The frame and the screen that most people open first. */
const FIRST = ['shell/start.tsx', 'dashboard/Dashboard.tsx'];

function crawl(file: string, found: Map<string, string>): void {
  if (found.has(file)) return;
  const code = readFileSync(file, 'utf8');
  found.set(file, code);
  for (const [, path = ''] of code.matchAll(IMPORT)) crawl(join(dirname(file), path), found);
}

/** The own files that some files need before anything is drawn, with their code; what is imported later is not among them. */
function needed(roots: readonly string[]): ReadonlyMap<string, string> {
  const found = new Map<string, string>();
  for (const root of roots) crawl(join(UI, root), found);
  return found;
}

/** The files of the entry, by path, with their code. */
export const ofBegin = needed(BEGIN);
/** The files of the pages before the sign-in. */
export const ofSignIn = needed(SIGN_IN);
/** The files of the dashboard and its frame. */
export const ofFirst = needed(FIRST);
