import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

const UI = join(import.meta.dirname, '..');
const IMPORT = /(?:^|\n)\s*(?:import|export)\s+(?!type\b)(?:[^'";]*?\sfrom\s+)?'(\.[^']+\.tsx?)'/g;

/** What is loaded before all else: it asks for the rest. */
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

/** What asks for the rest needs. */
export const ofBegin = needed(BEGIN);
/** What the pages before the sign-in need. */
export const ofSignIn = needed(SIGN_IN);
/** What the dashboard needs, with its frame. */
export const ofFirst = needed(FIRST);
