import { findProgram } from './programs.ts';

/** What Chromium is started with: no sandbox, since tests also run as root, and nothing that calls home. */
export const CHROMIUM_ARGS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

/** The system's Chromium, installed where that is possible; else what to tell whoever runs the tests. */
export const findChromium = (): { path: string } | { missing: string } =>
  findProgram({
    places: [
      process.env['SEO_ADMIN_TEST_BROWSER'] ?? '',
      '/usr/bin/chromium',
      '/usr/bin/chromium-browser',
      '/usr/bin/google-chrome',
    ],
    debian: 'chromium',
    howTo:
      'needs Chromium: apt-get install chromium, or set SEO_ADMIN_TEST_BROWSER to the path of a Chromium or Chrome',
  });
