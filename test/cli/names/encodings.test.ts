// Lists of names as editors of Windows save them: in UTF-16, in UTF-8 with a mark, and in windows-1251, whose letters nobody can tell.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { makeAdminHome, type Home, type Run } from '../cli.ts';

const TEXT = 'example.com\r\nпример.рф # заметка\r\n';
const HOSTS = ['example.com', 'xn--e1afmkfd.xn--p1ai'];
const little = Buffer.from(`\uFEFF${TEXT}`, 'utf16le');
const CP1251 = Buffer.from('6578616d706c652e636f6d0d0aeff0e8ece5f02ef0f40d0a', 'hex');

let home: Home;
beforeAll(async () => {
  home = await makeAdminHome();
  await home.run(['blocklist', 'update', '--file', home.file('list.txt', 'пример.рф\n')]);
});
afterAll(() => home.remove());

const names = ({ json }: Run): string[] =>
  json.items.map((item: { domain?: string; domain_name?: string }) => item.domain ?? item.domain_name);

/** Runs a command with the list in a file, and on standard input. */
async function both(words: string[], bytes: Buffer): Promise<Run[]> {
  const run = home.start([...words, '-', '--json', '--lang', 'en'], { input: null });
  run.process.stdin.end(bytes);
  const file = home.file('names.txt', bytes);
  return [await home.run([...words, '--file', file, '--json', '--lang', 'en']), await run.ended];
}

test.each([
  ['UTF-8 with a mark', Buffer.from(`\uFEFF${TEXT}`)],
  ['UTF-16', little],
  ['UTF-16 of the other order', Buffer.from(little).swap16()],
])('a list in %s is read by every command that takes names', async (_, bytes) => {
  for (const run of await both(['check', 'blocked'], bytes)) {
    expect([run.exit, names(run), run.json.summary.blocked]).toEqual([0, HOSTS, 1]);
  }
  const checked = await home.run(['name', 'check', '--file', home.file('names.txt', bytes), '--json']);
  expect(checked.json.summary).toMatchObject({ total: 2 });
  const file = home.file('names.txt', bytes);
  const added = await home.run(['domain', 'add', '--file', file, '--json']);
  expect([added.exit, names(added)]).toEqual([0, HOSTS]);
  for (const run of await both(['domain', 'set', '--mode', 'manual', '--yes'], bytes)) {
    expect([run.exit, run.json.summary.total]).toEqual([0, 2]);
  }
  expect((await home.run(['domain', 'remove', '--file', file])).exit).toBe(0);
});

test('a long list in UTF-16 gets the answer that it gets in UTF-8', async () => {
  const long = Array.from({ length: 5_000 }, (_, index) => `n${index}.example`).join('\n');
  const answers = await Promise.all(
    [Buffer.from(long), Buffer.from(`\uFEFF${long}`, 'utf16le')].map((bytes, at) =>
      home.run(['check', 'blocked', '--json', '--file', home.file(`long-${at}.txt`, bytes)]),
    ),
  );
  expect(answers[1]).toEqual(answers[0]);
});

test('a list in windows-1251 is refused by its name before anything is done, and so is UTF-16 without its mark', async () => {
  for (const bytes of [CP1251, little.subarray(2)]) {
    for (const words of [
      ['check', 'blocked'],
      ['check', 'http'],
      ['domain', 'add'],
      ['name', 'check'],
    ]) {
      const [file, input] = await both(words, bytes);
      expect([file?.exit, file?.json.error]).toEqual([
        2,
        { code: 'usage', message: expect.stringMatching(/^The file is not UTF-8: \S+names\.txt\. Save it as UTF-8/) },
      ]);
      expect([input?.exit, input?.json.error]).toEqual([
        2,
        { code: 'usage', message: expect.stringMatching(/^Standard input is not UTF-8/) },
      ]);
    }
  }
  expect((await home.run(['domain', 'list', '--json'])).json.items).toEqual([]);
});

test('an import reads each of these encodings', async () => {
  const rows = 'domain\r\nпример.рф\r\n';
  const marked = Buffer.from(`\uFEFF${rows}`, 'utf16le');
  for (const [at, bytes] of [
    Buffer.from(`\uFEFF${rows}`),
    marked,
    Buffer.from(marked).swap16(),
    Buffer.from('646f6d61696e0d0aeff0e8ece5f02ef0f40d0a', 'hex'),
  ].entries()) {
    const { exit, json } = await home.run(['domain', 'import', home.file(`${at}.csv`, bytes), '--dry-run', '--json']);
    expect([at, exit, names({ json } as Run)]).toEqual([at, 0, HOSTS.slice(1)]);
  }
});
