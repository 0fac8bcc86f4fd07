// The work that is under way: once for programs, live on a terminal.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { closeDatabase, execute, openDatabase, transaction } from '../../../db/index.ts';
import { clockOf, marked, paceOf } from '../../../src/cli/terminal/pace.ts';
import { loadConfig } from '../../../src/lib/config.ts';
import { BIN, makeAdminHome, type Home } from '../cli.ts';

let home: Home;
beforeAll(async () => {
  home = await makeAdminHome();
  await openDatabase(loadConfig({ dataDir: home.dir }, {}).databaseFile);
  const later = new Date(Date.now() + 3_600_000).toISOString();
  const columns =
    'kind, subject, input, state, total, done, failed, steps, message, lease_owner, lease_until, created_at, changed_at';
  await transaction(() =>
    execute(
      `INSERT INTO operations (${columns}) VALUES ('check', 'x', '{}', 'running', 200, 50, 3, '[]', '{"key":"operation.retrying"}', 'another', $later, $later, $later),
       ('deploy', 'y', '{}', 'queued', 1, 0, 0, '[]', '{"key":"operation.retrying"}', NULL, NULL, $later, $later)`,
      { later },
    ),
  );
  await closeDatabase();
});
afterAll(() => home.remove());

test('once it shows what runs with its rate, what waits, and what needs somebody', async () => {
  const { json } = await home.run(['top', '--json']);
  expect(json.summary).toEqual({
    running: 1,
    queued: 1,
    checks_per_second: 0,
    problems: { total: 0, names: 0, all: 0 },
  });
  expect(json.items).toMatchObject([
    { kind: 'check', state: 'running', done: 50, total: 200, rate: 0, left_seconds: null },
    { kind: 'deploy', state: 'queued' },
  ]);
  const { stdout } = await home.run(['top', '--once', '--lang', 'en']);
  expect(stdout.split('\n')[0]).toBe('Operations running: 1, waiting: 1. Checks per second: 0');
  expect(stdout).toContain('Check  ████░░░░░░░░░░░░ 25 %  50/200  ! 3  0/s');
});

test.each([
  ['q', 0],
  ['\u0003', 130],
])('on a terminal %j ends it and gives the screen back', async (key, exit) => {
  const command = [process.execPath, BIN, 'top', '--lang', 'en'].join(' ');
  const { NO_COLOR: _noColor, CI: _ci, FORCE_COLOR: _force, ...rest } = process.env;
  const env = { ...rest, TERM: 'xterm-256color', SEO_ADMIN_DATA_DIR: home.dir };
  const terminal = spawn('script', ['-qec', `stty rows 24 cols 60; ${command}`, '/dev/null'], {
    env,
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  let shown = '';
  terminal.stdout.setEncoding('utf8').on('data', (text: string) => (shown += text));
  const ended = once(terminal, 'close');
  await expect.poll(() => shown).toContain('Operations running: 1');
  terminal.stdin.write(key);
  const [status] = await ended;
  const [entered, left] = ['\u001B[?1049h', '\u001B[?1049l'].map((sequence) => shown.lastIndexOf(sequence));
  expect([entered !== -1, (left ?? 0) > (entered ?? 0)]).toEqual([true, true]);
  expect(status).toBe(exit);
});

test('a rate is of the last seconds, and the time left follows from it', () => {
  const marks = [0, 1, 2, 3].map((second) => ({ at: second * 1_000, done: second * 25 }));
  expect(paceOf(marks, 200)).toEqual({ rate: 25, left: 5 });
  expect(paceOf(marks.slice(0, 1), 200)).toEqual({ rate: null, left: null });
  expect(marked(marks, { at: 12_000, done: 100 }, 10_000)).toHaveLength(3);
  expect([clockOf(59), clockOf(61), clockOf(3_661)]).toEqual(['0:59', '1:01', '1:01:01']);
});
