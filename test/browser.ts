import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';

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

const PLACES = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'];

const HOW_TO =
  'needs Chromium: apt-get install chromium, or set SEO_ADMIN_TEST_BROWSER to the path of a Chromium or Chrome';

const installed = (): string | undefined =>
  [process.env['SEO_ADMIN_TEST_BROWSER'] ?? '', ...PLACES].find((path) => path !== '' && existsSync(path));

/** On Debian, as root, the browser is a package away: a container that runs the tests has it after the first run. */
function install(): void {
  if (process.getuid?.() !== 0 || !existsSync('/etc/debian_version')) return;
  console.log('No Chromium: installing it with apt-get');
  try {
    execFileSync('apt-get', ['update', '-q'], { stdio: 'ignore' });
    execFileSync('apt-get', ['install', '-q', '-y', '--no-install-recommends', 'chromium'], { stdio: 'inherit' });
  } catch (error) {
    console.log(`Chromium could not be installed: ${String(error)}`);
  }
}

/** The system's Chromium, installed where that is possible; else what to tell whoever runs the tests. */
export function findChromium(): { path: string } | { missing: string } {
  if (installed() === undefined) install();
  const path = installed();
  return path === undefined ? { missing: HOW_TO } : { path };
}
