import { afterAll, beforeAll, expect, test } from 'vitest';
import { makeHome, type Home } from './cli.ts';

let home: Home;

beforeAll(async () => {
  home = makeHome();
  await home.run(['blocklist', 'update', '--file', home.file('list.txt', 'blocked-7.ru\n*.masked.com\nпример.рф\n')]);
});
afterAll(() => home.remove());

/** A list of names that is long enough for the separate path, with these among them. */
const long = (...names: string[]): string =>
  [...Array.from({ length: 5000 }, (_, i) => `blocked-${i}.ru`), 'a.masked.com', ...names, ''].join('\n');

// Piped names take the usual path.
test.each([
  ['plain names', long()],
  ['names to be cleaned, duplicates', long('Blocked-7.ru', 'XN--e1afmkfd.xn--p1ai', 'blocked-1.ru')],
  ['other letters and separators', long('пример.рф', 'x.ru, y.ru # z.ru')],
  ['words that are no names', long('word', '"', '1.2.3.4')],
])('a long file gets the same answer as a pipe: %s', async (_, names) => {
  const args = ['check', 'blocked', '--json', '--fail-on-blocked'];
  const [file, pipe] = await Promise.all([
    home.run([...args, '--file', home.file(`names-${names.length}`, names)]),
    home.run(args, { input: names }),
  ]);
  expect(pipe.json.items.length).toBeGreaterThan(5000);
  expect(file).toEqual(pipe);
});

test('all names of a long file are unknown without a list', async () => {
  const empty = makeHome();
  const { exit, json } = await empty.run(['check', 'blocked', '--json', '--file', home.file('names', long())]);
  expect({ exit, summary: json.summary }).toEqual({
    exit: 4,
    summary: { total: 5001, blocked: 0, free: 0, unknown: 5001 },
  });
  empty.remove();
});
