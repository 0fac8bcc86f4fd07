import { mkdirSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { LaunchOptions } from 'playwright-core';
import { findProgram } from './programs.ts';

// No sandbox, since tests also run as root, and no background network requests.
const ARGS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  // One process for all pages of a context, and none for the graphics: a process starts for as long as a page is drawn.
  '--process-per-site',
  '--in-process-gpu',
  '--disable-site-isolation-trials',
];

// On Debian, Chromium's package brings no other font.
const FONTS = process.env['SEO_ADMIN_TEST_FONTS'] ?? '/usr/share/fonts/truetype/dejavu';

/**
 * Writes a font configuration with a single folder, so that all machines render like a fresh one, whatever fonts are
 * installed.
 */
function fontConfig(): string {
  const folder = join(tmpdir(), `seo-admin-tests-fonts-${process.getuid?.() ?? 0}`);
  const file = join(folder, 'fonts.conf');
  mkdirSync(folder, { recursive: true });
  writeFileSync(
    file,
    `<?xml version="1.0"?><!DOCTYPE fontconfig SYSTEM "fonts.dtd"><fontconfig>
<dir>${FONTS}</dir><cachedir>${folder}</cachedir></fontconfig>`,
  );
  return file;
}

/**
 * Returns how to launch the system's Chromium, installing it if possible; else a message on how to install it. Debian's
 * headless shell is the same engine without the browser's own interface, and opens a page in half of the time.
 */
export function findChromium(): LaunchOptions | { missing: string } {
  const found = findProgram({
    places: [
      process.env['SEO_ADMIN_TEST_BROWSER'] ?? '',
      '/usr/bin/chromium-headless-shell',
      '/usr/bin/chromium',
      '/usr/bin/chromium-browser',
      '/usr/bin/google-chrome',
    ],
    debian: 'chromium-headless-shell',
    howTo:
      'needs Chromium: apt-get install chromium-headless-shell, or set SEO_ADMIN_TEST_BROWSER to the path of a Chromium or Chrome',
  });
  if ('missing' in found) return found;
  return { executablePath: found.path, args: ARGS, env: { ...process.env, FONTCONFIG_FILE: fontConfig() } };
}
