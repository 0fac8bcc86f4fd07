import { execFileSync } from 'node:child_process';
import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { chromium } from 'playwright-core';
import type { TestProject } from 'vitest/node';
import { findChromium } from '../support/browser.ts';

declare module 'vitest' {
  export interface ProvidedContext {
    /** The address of the browser that all test files share; empty if there is none. */
    browser: string;
    /** The reason why there is no browser, and how to get one. */
    missing: string;
  }
}

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const SOURCES = ['ui', 'src/shared', 'package-lock.json'];

function newest(path: string): number {
  const stat = statSync(path);
  if (!stat.isDirectory()) return stat.mtimeMs;
  const names = readdirSync(path).filter((name) => name !== 'screenshots');
  return Math.max(0, ...names.map((name) => newest(join(path, name))));
}

/** Builds the UI if the build is missing or older than its sources. */
export function ensureUi(): void {
  const built = statSync(join(ROOT, 'dist/ui/index.html'), { throwIfNoEntry: false })?.mtimeMs ?? 0;
  if (built > Math.max(...SOURCES.map((path) => newest(join(ROOT, path))))) return;
  // Tests run with NODE_ENV=test, which would build React for development.
  const env = { ...process.env, NODE_ENV: 'production' };
  execFileSync('npm', ['run', 'build:ui', '--silent'], { cwd: ROOT, env, stdio: ['ignore', 'ignore', 'inherit'] });
}

/** Runs before the first of these tests: builds the UI for production and starts one browser that all files share. */
export default async function setup(project: TestProject): Promise<(() => Promise<void>) | undefined> {
  const found = findChromium();
  project.provide('missing', 'missing' in found ? found.missing : '');
  if ('missing' in found) {
    project.provide('browser', '');
    return undefined;
  }
  ensureUi();
  const server = await chromium.launchServer(found);
  project.provide('browser', server.wsEndpoint());
  return () => server.close();
}
