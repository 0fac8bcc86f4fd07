// The units of systemd that `serve` and `worker` print: what is in them, what is not, and whether systemd takes them.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { BIN, makeHome, type Home } from '../cli.ts';

let home: Home;
let folder: string;
beforeAll(() => {
  home = makeHome();
  folder = mkdtempSync(join(tmpdir(), 'seo-admin-unit-'));
});
afterAll(() => {
  home.remove();
  rmSync(folder, { recursive: true });
});

const SECRET = 'hidden-password';
const canVerify = spawnSync('systemd-analyze', ['--version']).status === 0;

const print = (args: string[], env: Record<string, string> = {}) =>
  home.run([...args, '--print-systemd'], { env: { SEO_ADMIN_LANG: 'en', ...env } });

/** The value of each line `Name=value`; empty where a name has none. */
const valuesOf = (unit: string): Map<string, string> =>
  new Map([...unit.matchAll(/^(\w+)=(.*)$/gm)].map(([, name = '', value = '']) => [name, value]));

/** Expects that systemd reads a unit without a word. */
function expectValid(name: string, unit: string): void {
  if (!canVerify) return console.log('systemd-analyze is missing: apt-get install systemd');
  const path = join(folder, `${name}.service`);
  writeFileSync(path, unit);
  const { status, stderr } = spawnSync('systemd-analyze', ['verify', '--man=no', path], { encoding: 'utf8' });
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
  // In tenths: 10 is exposed to everything.
  const words = ['security', '--offline=true', '--no-pager', '--threshold=30', path];
  const rated = spawnSync('systemd-analyze', words, { encoding: 'utf8' });
  // Versions before 250 can't rate a file.
  expect(rated.status === 0 || /unrecognized option/.test(rated.stderr)).toBe(true);
}

test('a unit runs the very command, hardened, and holds no secret', async () => {
  const address = `postgres://seo:${SECRET}@db.example/seo`;
  const { exit, stdout, stderr } = await print(['serve', '--host', '0.0.0.0', '--port', '443', '--no-scheduler'], {
    DATABASE_URL: address,
    TELEGRAM_BOT_TOKEN: SECRET,
    SEO_ADMIN_KEY_FILE: '/etc/seo-admin/key',
  });
  expect(exit).toBe(0);
  expect(existsSync(home.dir)).toBe(false);
  expect(stdout + stderr).not.toContain(SECRET);
  expect(stderr).toMatch(/into \/etc\/seo-admin\/environment \(mode 600\): DATABASE_URL, .*TELEGRAM_BOT_TOKEN/);
  expect(stderr).toContain(home.dir);
  const values = valuesOf(stdout);
  expect(values.get('ExecStart')).toBe(
    `${process.execPath} ${BIN} serve --data-dir ${home.dir} --host 0.0.0.0 --port 443 --no-scheduler`,
  );
  expect(Object.fromEntries(values)).toMatchObject({
    Environment: 'SEO_ADMIN_KEY_FILE=/etc/seo-admin/key',
    EnvironmentFile: '-/etc/seo-admin/environment',
    NoNewPrivileges: 'yes',
    ProtectSystem: 'strict',
    ReadWritePaths: home.dir,
    PrivateTmp: 'yes',
    Restart: 'on-failure',
    SuccessExitStatus: '143',
    TimeoutStopSec: '30',
    CapabilityBoundingSet: 'CAP_NET_BIND_SERVICE',
  });
  expectValid('seo-admin', stdout);
});

test('blanks, quotes and the signs of systemd are read back as they were typed', async () => {
  const dir = join(folder, "it's 100% $HOME");
  mkdirSync(dir);
  const { stdout } = await print([
    'worker',
    '--data-dir',
    dir,
    '--only',
    'checks,dns',
    '--metrics-port',
    '4190',
    '--lang',
    'ru',
  ]);
  const written = `"${dir.replace('%', '%%')}"`;
  const values = valuesOf(stdout);
  expect(values.get('ExecStart')).toBe(
    `${process.execPath} ${BIN} worker --data-dir ${written.replace('$', '$$$$')} --only checks,dns --metrics-port 4190 --metrics-host 127.0.0.1 --lang ru`,
  );
  expect(values.get('ReadWritePaths')).toBe(written);
  expect(values.get('Environment')).toBe(`"SEO_ADMIN_KEY_FILE=${dir.replace('%', '%%')}/key"`);
  expect(values.get('CapabilityBoundingSet')).toBe('');
  expectValid('seo-admin-worker', stdout);
});

test('a database beside the data directory may be written, too', async () => {
  const { stdout } = await print(['serve'], { DATABASE_URL: `sqlite:${folder}/base.sqlite` });
  expect(valuesOf(stdout).get('ReadWritePaths')).toBe(`${home.dir} ${folder}`);
});

test('a path that a unit cannot name is refused, and with --json there is one document', async () => {
  for (const dir of [join(folder, 'two\nExecStartPre=/bin/id'), join(folder, 'a"b')]) {
    const { exit, json } = await print(['serve', '--data-dir', dir, '--json']);
    expect({ exit, code: json.error.code }).toEqual({ exit: 2, code: 'usage' });
  }
  const { json } = await print(['worker', '--json']);
  expect(json).toMatchObject({ ok: true, exit: 0, name: 'seo-admin-worker.service' });
  expect(json.unit).toContain('[Service]');
});

test('both languages tell of it in the help', async () => {
  for (const command of ['serve', 'worker']) {
    const help = async (language: string) => (await home.run([command, '--help', '--lang', language])).stdout;
    expect(await help('en')).toMatch(/--print-systemd +print a systemd unit/);
    expect(await help('ru')).toMatch(/--print-systemd +вывести юнит systemd/);
  }
});
