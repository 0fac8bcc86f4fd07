// `keyword`: where keywords come from, which lines are refused, and what a removal asks.
import { beforeAll, describe, expect, test } from 'vitest';
import { PASSWORD } from '../cli.ts';
import { done, home, run, useSearchCli } from './world.ts';

useSearchCli();

let count = 0;
const newProject = async (): Promise<string> => {
  const name = `p${(count += 1)}`;
  await done(`project create ${name}`);
  return name;
};
const valuesIn = async (project: string): Promise<string[]> =>
  (await done(`keyword list --project ${project}`)).items.map(({ value }: { value: string }) => value);

test('the lists of keywords are counted', async () => {
  const project = await newProject();
  const counted = async (line: string, words: string[] = []) =>
    (await run(`${line} --project ${project} --json`, words)).json.summary;
  expect(await counted('keyword add', ['one', 'two', 'one'])).toEqual({ total: 3, done: 2, failed: 1 });
  expect(await counted('keyword list')).toEqual({ total: 2 });
  expect(await counted('keyword remove --dry-run', ['one'])).toEqual({ total: 1, done: 0, failed: 0 });
  expect(await counted('keyword remove', ['one', 'three'])).toEqual({ total: 2, done: 1, failed: 1 });
});

describe('keyword add', () => {
  test('takes arguments, a file, - and a pipe; only a line ends a keyword', async () => {
    const file = home.file('words.txt', '\uFEFF# ours\r\nonline casino, slots; free\r\n\r\n  poker # 1  \r\n');
    const cases: [string, string[], string | undefined, string[]][] = [
      ['', ['big win', 'c#'], undefined, ['big win', 'c#']],
      [`--file ${file}`, [], undefined, ['online casino, slots; free', 'poker # 1']],
      ['--file -', [], 'from stdin\n', ['from stdin']],
      ['-', [], 'from dash\nsecond', ['from dash', 'second']],
      ['', [], 'piped one\npiped two\n', ['piped one', 'piped two']],
      ['', ['#hash'], undefined, ['#hash']],
    ];
    for (const [flags, words, input, added] of cases) {
      const project = await newProject();
      const line = ['keyword add --project', project, flags].filter(Boolean).join(' ');
      const { items } = await done(line, words, input);
      expect(items.map(({ value }: { value: string }) => value)).toEqual(added);
      expect(await valuesIn(project)).toEqual(added);
    }
  });

  test('without any asks for them, and names a file that is not there', async () => {
    const project = await newProject();
    expect((await run(`keyword add --project ${project} --json`)).json).toMatchObject({ ok: false, exit: 2 });
    const none = await run(`keyword add --project ${project} --file /nowhere.txt --json`);
    expect([none.exit, none.json.error.message]).toEqual([1, expect.stringContaining('/nowhere.txt')]);
    const unknown = await run('keyword add x --project nobodys --json');
    expect([unknown.exit, unknown.json.error.message]).toEqual([1, expect.stringContaining('nobodys')]);
    expect((await run('keyword add x --json')).json).toMatchObject({ exit: 2, error: { code: 'usage' } });
  });

  test('keeps the good lines of a list, and says of each other line why', async () => {
    const project = await newProject();
    const lines = ['good one', 'a\0b', 'x'.repeat(513), 'GOOD  ONE', '', 'good two', 'a\u200Bb', '\uFFFD'];
    const { exit, json } = await run(`keyword add --project ${project} --json`, [], lines.join('\n'));
    expect([exit, json.ok, json.error.code]).toEqual([5, false, 'partial']);
    expect(json.items.map(({ value }: { value: string }) => value)).toEqual(['good one', 'good two']);
    expect(
      json.errors.map(({ code, message }: { code: string; message: string }) => [code, Number.parseInt(message)]),
    ).toEqual([
      ['error.characters', 2],
      ['error.too_long', 3],
      ['keyword.repeated', 4],
      ['error.characters', 7],
      ['error.characters', 8],
    ]);
    const again = await run(`keyword add --project ${project} --json`, ['good TWO']);
    expect([again.exit, again.json.errors[0].code]).toEqual([1, 'keyword.taken']);
    expect(await valuesIn(project)).toEqual(['good one', 'good two']);
  });

  test('refuses more lines than are taken at once, and a file in another encoding', async () => {
    const project = await newProject();
    const many = Array.from({ length: 10_001 }, (_, index) => `word ${index}`).join('\n');
    const { exit, json } = await run(`keyword add --project ${project} --json`, [], many);
    expect([exit, Object.keys(json.error.fields)]).toEqual([2, ['keywords']]);
    const cyrillic = home.file('cp1251.txt', Buffer.from([0xea, 0xe0, 0xe7, 0xe8, 0xed, 0xee]));
    const wrong = await run(`keyword add --project ${project} --file ${cyrillic} --json`);
    expect([wrong.exit, wrong.json.error]).toMatchObject([
      2,
      { code: 'usage', message: expect.stringContaining(cyrillic) },
    ]);
    expect(await valuesIn(project)).toEqual([]);
    const most = many.slice(0, many.lastIndexOf('\n'));
    expect((await done(`keyword add --project ${project}`, [], most)).items).toHaveLength(10_000);
  });
});

describe('keyword remove', () => {
  test('takes the same sources, says what is unknown, and does nothing with --dry-run', async () => {
    const project = await newProject();
    await done(`keyword add --project ${project}`, ['one', 'two words', 'three']);
    const rehearsed = await done(`keyword remove --project ${project} --dry-run`, ['TWO  words']);
    expect([rehearsed.dry_run, rehearsed.items.length]).toEqual([true, 1]);
    expect(await valuesIn(project)).toHaveLength(3);
    const { exit, json } = await run(`keyword remove --project ${project} --json`, [], 'TWO  words\nnone\n');
    expect([exit, json.items.length, json.errors[0].keyword]).toEqual([5, 1, 'none']);
    const unknown = await run(`keyword remove --project ${project} --json`, ['none']);
    expect([unknown.exit, unknown.json.error.message]).toEqual([1, 'The project has no keyword none']);
    expect((await run(`keyword remove --project ${project} --json`)).exit).toBe(2);
    expect(await valuesIn(project)).toEqual(['one', 'three']);
  });
});

describe('for somebody else', () => {
  beforeAll(async () => {
    await done('user create --login ann --password-stdin', [], `${PASSWORD}\n`);
  });

  test('a project is theirs or not there', async () => {
    const project = await newProject();
    await done(`keyword add --project ${project}`, ['mine']);
    for (const line of ['keyword list', 'position show', 'position fetch --yes']) {
      const { exit, json } = await run(`${line} --project ${project} --as ann --json`);
      expect([line, exit, json.error.code]).toEqual([line, 1, 'not_found']);
    }
    const removed = await run(`keyword remove mine --project ${project} --as ann --json`);
    expect([removed.exit, removed.json.error.code]).toEqual([1, 'not_found']);
    expect(await valuesIn(project)).toEqual(['mine']);
  });
});

test('the help of all commands is in both languages', async () => {
  for (const line of [
    'keyword add',
    'keyword remove',
    'position fetch',
    'position show',
    'check index',
    'xmlriver add',
  ]) {
    const [en, ru] = [await run(`${line} --help`), await home.run([...line.split(' '), '--help', '--lang', 'ru'])];
    expect([line, en.exit, ru.exit]).toEqual([line, 0, 0]);
    expect(en.stdout).not.toMatch(/[а-яё]/i);
    expect(ru.stdout).toMatch(/[а-яё]/i);
  }
});
