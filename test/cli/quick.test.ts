import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { BIN, loadedBy, makeHome, type Home } from './cli.ts';

let home: Home;
let empty: Home;

beforeAll(async () => {
  [home, empty] = [makeHome(), makeHome()];
  await home.run(['blocklist', 'update', '--file', home.file('list.txt', 'blocked.ru\n*.masked.com\nпример.рф\n')]);
  home.file('names', 'Free.ru, blocked.ru # both\nx.masked.com\n');
  home.file('long', Array.from({ length: 5_000 }, (_, index) => `shop-${index}.ru`).join('\n'));
});
afterAll(() => {
  home.remove();
  empty.remove();
});

// `--yes` has no effect on `check`, but forces the whole program, for comparison.
const lines = [
  'blocked.ru free.ru x.masked.com пример.рф --json',
  'blocked.ru free.ru --json --fail-on-blocked',
  'free.ru --json --fail-on-blocked',
  'Free.RU https://blocked.ru/ free.ru --csv',
  'blocked.ru --format plain --quiet',
  'blocked.ru --format tsv --no-color --no-input',
  'blocked.ru free.ru --format ndjson',
  'blocked.ru free.ru',
  'blocked.ru word --json',
  'word --json',
  '--json',
  'blocked.ru --json --file {names}',
  '--json -f {names}',
  '--csv --file {names} --fail-on-blocked',
  '--json --file {long}',
  '--json --file {missing}',
  'blocked.ru --json --format yaml',
  'blocked.ru --json --no-such-flag',
  'blocked.ru --json --accept',
  'blocked.ru --json --all',
  'blocked.ru --json --data-dir',
  'blocked.ru --json --help',
  'blocked.ru --json -- free.ru',
];

test.each(lines)('`check blocked %s` gets the same answer from the quick and the whole program', async (line) => {
  const words = line.split(' ').map((word) => word.replace(/\{(\w+)\}/, (_, name: string) => `${home.dir}/../${name}`));
  const args = ['check', 'blocked', ...words];
  const [short, long] = await Promise.all([home.run(args), home.run(['--yes', ...args])]);
  const { exit, stdout, stderr } = short;
  expect({ exit, stdout, stderr }).toEqual({ exit: long.exit, stdout: long.stdout, stderr: long.stderr });
  expect(short.stdout + short.stderr).not.toBe('');
});

test('names without a list and a wrong configuration are reported in words', async () => {
  const args = ['check', 'blocked', 'a.ru', '--json'];
  const unknown = await empty.run(args);
  expect(unknown).toMatchObject({ exit: 4, json: { error: { message: expect.stringContaining('blocklist update') } } });
  const wrong = await home.run(args, { env: { SEO_ADMIN_LOG: 'loud' } });
  expect(wrong.exit).toBe(4);
  expect(wrong.json.error.message).toContain('SEO_ADMIN_LOG');
});

test('names are looked up without commander, texts and the loader of ES modules', async () => {
  const { built } = await loadedBy(['check', 'blocked', 'a.ru', '--json', '--data-dir', home.dir]);
  expect(built.map((url) => url.replace(/.*\//, ''))).toEqual(['quick.cjs']);
});

test.each(['--help', '--version', 'check blocked a.ru --json', 'help exit-codes'])(
  '`%s` on a full disk exits with 1 and prints the reason',
  (line) => {
    const full = openSync('/dev/full', 'w');
    const args = [BIN, ...line.split(' '), '--lang', 'en', '--data-dir', home.dir];
    const { status, stderr } = spawnSync(process.execPath, args, { stdio: ['ignore', full, 'pipe'], encoding: 'utf8' });
    closeSync(full);
    expect({ status, stderr }).toEqual({ status: 1, stderr: 'The disk is full: free some space and try again\n' });
  },
);

// Node sets the pipe that it writes to non-blocking, and resets that when it ends, unless it is killed.
const UNWAITING = `node -e "process.stdout.write(''); process.kill(process.pid, 'SIGKILL')"`;

test('a long answer reaches a slow reader whole', async () => {
  const args = [BIN, 'check', 'blocked', '--json', '--file', join(home.dir, '../long'), '--data-dir', home.dir];
  const child = spawn('sh', ['-c', `(${UNWAITING}; exec "$@") | (sleep 1; cat)`, 'sh', process.execPath, ...args]);
  const [stdout] = await Promise.all([text(child.stdout), once(child, 'close')]);
  const { items } = JSON.parse(stdout) as { items: unknown[] };
  expect(items).toHaveLength(5_000);
});
