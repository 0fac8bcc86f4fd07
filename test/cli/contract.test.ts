// Of the commands, every third one is started for each question; all in `npm run test:long`.
import { spawnSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import type { Command } from 'commander';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { wordsOf } from '../../src/cli/help.ts';
import { buildProgram } from '../../src/cli/program.ts';
import { en } from '../../src/cli/texts/en.ts';
import { ru } from '../../src/cli/texts/ru.ts';
import { everyThird } from '../support/vitest/turns.ts';
import { eachOf, loadedBy, makeAdminHome, makeHome, startCli, type Home, type Run } from './cli.ts';

const program = await buildProgram(ru, () => true);
const leaves = (command: Command): Command[] =>
  command.commands.length === 0 ? [command] : command.commands.flatMap(leaves);
const commands = leaves(program).map(wordsOf);

let home: Home;
beforeAll(async () => {
  home = await makeAdminHome();
});
afterAll(() => home.remove());

/** Expects one document whose `ok` and `exit` agree with the process, with an error unless it is ok. */
function expectDocument(run: Run, words: string): void {
  const { ok, exit, error } = run.json;
  const isOk = run.exit === 0 || run.exit === 3;
  const found = { words, lines: run.stdout.split('\n').length, ok, exit, error: typeof error?.code === 'string' };
  expect(found).toEqual({ words, lines: 2, ok: isOk, exit: run.exit, error: !isOk });
}

// oxlint-disable-next-line no-control-regex
const ESCAPE = /[\u001B\u009B]/;

describe('--json', () => {
  test('prints one document for an unknown flag', async () => {
    await eachOf(everyThird(commands), async (words) => {
      const run = await home.run([...words.split(' '), '--nope', '--json']);
      expectDocument(run, words);
      expect({ words, exit: run.exit }).toEqual({ words, exit: 2 });
    });
  });

  test('prints one document without arguments, and never waits for input', async () => {
    const shortlived = commands.filter((words) => !['serve', 'worker'].includes(words) && words !== 'blocklist update');
    await eachOf(everyThird(shortlived, 1), async (words) => {
      const run = await home.run(['--json', ...words.split(' ')]);
      expectDocument(run, words);
      expect(run.stdout + run.stderr).not.toMatch(ESCAPE);
    });
  });

  test.each([['--version'], ['--help'], ['user', '--help'], ['help', 'user', 'create']])(
    'puts a text into the document: %s %s',
    async (...words) => {
      const run = await home.run([...words, '--json']);
      expectDocument(run, words.join(' '));
      expect(run.exit).toBe(0);
    },
  );
});

test('the cron line of `help cron` succeeds if the check does or is still running', async () => {
  const { stdout } = await home.run(['help', 'cron']);
  const tail = /http\.json; (.*)$/m.exec(stdout)?.[1] ?? '';
  const exits = [0, 75, 1, 5].map((code) => spawnSync('sh', ['-c', `sh -c 'exit ${code}'; ${tail}`]).status);
  expect(exits).toEqual([0, 0, 1, 5]);
});

describe('common flags', () => {
  test('are accepted before and after the words of the command', async () => {
    const [before, after] = await Promise.all([
      home.run(['--csv', '--lang', 'en', 'user', 'list']),
      home.run(['user', 'list', '--csv', '--lang=en']),
    ]);
    expect(after.stdout).toBe(before.stdout);
    expect(after.stdout.split('\r\n')[0]).toBe('id,login,role,telegram,active,created_at,second_factor,last_seen_at');
  });

  test('choose the data directory', async () => {
    const run = await home.run(['init', '--json', '--data-dir', `${home.dir}-other`]);
    expect(run.exit).toBe(2);
    expect((await home.run(['db', 'status', '--data-dir', `${home.dir}-other`, '--json'])).json.domains).toBe(
      undefined,
    );
  });

  test('choose the language; the locale decides otherwise, and Russian is the default', async () => {
    const [english, russian, locale] = await Promise.all([
      home.run(['domain', 'add', '--lang', 'en']),
      home.run(['domain', 'add']),
      home.run(['domain', 'add'], { env: { LANG: 'en_US.UTF-8' } }),
    ]);
    for (const { stderr } of [english, locale]) expect(stderr).toContain('Which domains?');
    expect(russian.stderr).toContain('Какие домены?');
  });

  test('the file of the configuration chooses the language where neither a flag nor a variable does', async () => {
    const other = makeHome();
    mkdirSync(other.dir, { recursive: true });
    writeFileSync(`${other.dir}/seo-admin.config.json`, '{"SEO_ADMIN_LANG":"en"}');
    const told = async (args: string[], env: Record<string, string> = {}) =>
      (await other.run(['domain', 'show', 'a.ru', ...args], { env })).stderr;
    expect(await told([])).toContain('No such domain');
    expect(await told([], { LANG: 'ru_RU.UTF-8' })).toContain('No such domain');
    expect(await told([], { SEO_ADMIN_LANG: 'ru' })).toContain('Нет такого домена');
    expect(await told(['--lang', 'ru'])).toContain('Нет такого домена');
    other.remove();
  });

  test('an address that cannot be listened on is named', async () => {
    const { exit, stderr } = await home.run(['serve', '--port', '0', '--host', 'nowhere.invalid', '--lang', 'en']);
    expect([exit, stderr]).toEqual([1, 'seo-admin: cannot listen on this address: nowhere.invalid\n']);
  });

  test('short ones may stand together', async () => {
    const run = await home.run(['domain', 'list', '--search', 'nothing', '-yq']);
    expect(run).toMatchObject({ exit: 0, stdout: '', stderr: '' });
  });

  test('print nothing but errors with --quiet', async () => {
    const run = await home.run(['check', 'blocked', '-', '--quiet'], { input: '' });
    expect(run).toMatchObject({ exit: 0, stdout: '', stderr: '' });
  });
});

describe('help', () => {
  test('of every command lists its flags and is complete in both languages', async () => {
    const english = await buildProgram(en, () => true);
    for (const tree of [program, english]) {
      for (const command of leaves(tree)) expect(command.helpInformation()).toContain(wordsOf(command));
    }
    const texts = [...Object.entries(ru), ...Object.entries(en)];
    expect(texts.filter(([, text]) => text === '')).toEqual([]);
  });

  test('loads only commander and the files of the command line', async () => {
    const { files, modules } = await loadedBy(['--help', '--format', 'plain']);
    expect(files.filter((url) => !/\/bin\/|\/dist\/cli\//.test(url))).toEqual([]);
    expect(modules).toContain('src/cli/program.ts');
    // The kinds of accounts are commands as well: their declarations, which are data alone, are read for the list.
    const isDeclaration = (path: string): boolean =>
      /^src\/shared\/(?:table|accounts\/(?:tables|kind|kinds|screens|registrars|registrar-types|cloudflare-accounts|servers|xmlriver|arsenkin))\.ts$/.test(
        path,
      );
    const others = modules.filter((path) => !/^src\/cli\/(?!commands\/)|^node_modules\/commander\//.test(path));
    expect(others.filter((path) => !isDeclaration(path))).toEqual([]);
  });

  test('of the program itself loads no command tree', async () => {
    const { built } = await loadedBy(['--help']);
    expect(built.map((url) => url.replace(/.*\//, ''))).toEqual(['quick.cjs']);
  });

  test('suggests the intended command', async () => {
    const run = await startCli(['usr', 'list']).ended;
    expect(run.stderr).toContain('user');
  });
});

test.each(['ru', 'en'])('the prepared help in %s equals the text of the command tree', async (language) => {
  const [prepared, made] = await Promise.all([
    startCli(['--help', '--lang', language]).ended,
    startCli(['--help', '--lang', language, '--format', 'plain']).ended,
  ]);
  expect(prepared).toMatchObject({ exit: 0, stderr: '', stdout: made.stdout });
  expect(made.stdout.length).toBeGreaterThan(1000);
});
