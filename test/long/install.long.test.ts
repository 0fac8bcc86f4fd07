// Installs a fresh clone on each supported Node, with an empty home, so that nothing tells where Node's headers are:
// the sqlite3 package can't be built, and the database uses the remaining drivers.
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { PASSWORD } from '../support/server.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'seo-admin-test-'));
const clone = join(folder, 'clone');
afterAll(() => rmSync(folder, { recursive: true, force: true }));

beforeAll(() => {
  execFileSync('git', ['clone', '--quiet', ROOT, clone]);
});

/** Installs a major version of Node from npm and returns its path; undefined means the Node that runs the tests. */
function nodeOf(version: string | undefined): string {
  if (version === undefined) return process.execPath;
  const prefix = join(folder, `node${version}`);
  mkdirSync(prefix);
  execFileSync('npm', ['install', '--no-audit', '--no-fund', '--prefix', prefix, `node@${version}`], {
    stdio: 'ignore',
  });
  return join(prefix, 'node_modules', 'node', 'bin', 'node');
}

test.for([undefined, '22', '24', '26'])('npm ci installs a program that runs on Node %s', (version) => {
  const node = nodeOf(version);
  const home = mkdtempSync(join(folder, 'home'));
  const env = {
    PATH: `${dirname(node)}${delimiter}${process.env['PATH']}`,
    HOME: home,
    NODE_ENV: '',
    npm_config_nodedir: '',
    // The certificate authority of a proxy before the registry, if any.
    NODE_EXTRA_CA_CERTS: process.env['NODE_EXTRA_CA_CERTS'] ?? '',
  };
  const run = (command: string, ...words: string[]): string =>
    execFileSync(command, words, { cwd: clone, env, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });
  run('npm', 'ci', '--no-audit', '--no-fund');
  const password = join(home, 'password');
  writeFileSync(password, PASSWORD);
  const admin = ['--admin-login', 'admin', '--admin-password-file', password];
  const made = run('npx', 'seo-admin', 'init', '--json', '--yes', '--no-input', ...admin);
  expect(JSON.parse(made)).toMatchObject({ ok: true });
  const doctor = JSON.parse(run('npx', 'seo-admin', 'doctor', '--json')) as { items: object[] };
  expect(doctor.items).toContainEqual(expect.objectContaining({ check: 'database', status: 'ok' }));
  const suite = run(node, 'node_modules/vitest/vitest.mjs', 'run', '--project', 'db *', '--reporter=json');
  const report = JSON.parse(suite.slice(suite.indexOf('{"'))) as { numPassedTests: number; numFailedTests: number };
  console.log(`Node ${run(node, '--version').trim()}: ${report.numPassedTests} tests of the database passed`);
  expect(report.numFailedTests).toBe(0);
  expect(report.numPassedTests).toBeGreaterThan(15);
});
