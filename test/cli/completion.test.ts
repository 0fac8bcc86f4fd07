// Completion by Tab, in the shells themselves.
import { spawnSync } from 'node:child_process';
import { chmodSync } from 'node:fs';
import { dirname } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { findProgram } from '../support/programs.ts';
import { BIN, makeAdminHome, makeHome, type Home } from './cli.ts';

let home: Home;
let program: string;
const scripts: Record<string, string> = {};

beforeAll(async () => {
  home = await makeAdminHome();
  await home.run(['project', 'create', 'Rome trips']);
  await home.run([
    'domain',
    'add',
    'alone.example',
    'alpha.example',
    'xn--e1afmkfd.example',
    '--project',
    'Rome trips',
  ]);
  program = home.file('seo-admin', `#!/bin/sh\nexec '${process.execPath}' '${BIN}' "$@"\n`);
  chmodSync(program, 0o755);
  for (const shell of ['bash', 'zsh', 'fish']) {
    scripts[shell] = home.file(`completion.${shell}`, (await home.run(['completion', shell])).stdout);
  }
});
afterAll(() => home.remove());

const inShell = (shell: string, args: string[]): string[] => {
  const env = {
    ...process.env,
    SEO_ADMIN_DATA_DIR: home.dir,
    PATH: `${dirname(program)}:${process.env['PATH']}`,
    CI: '',
  };
  const { stdout, stderr } = spawnSync(shell, args, { encoding: 'utf8', env });
  expect(stderr).toBe('');
  return stdout.split('\n').filter((line) => line !== '');
};
const missing = (shell: string): string | null => {
  const found = findProgram({
    places: [`/usr/bin/${shell}`, `/bin/${shell}`],
    debian: shell,
    howTo: `needs ${shell}: apt-get install ${shell}`,
  });
  return 'missing' in found ? found.missing : null;
};

describe('bash', () => {
  const complete = (...words: string[]): string[] => {
    const line = words.map((word) => `'${word}'`).join(' ');
    const code = `source ${scripts['bash']}; COMP_WORDS=(${program} ${line}); COMP_CWORD=${words.length}; _seo_admin; printf '%s\\n' "\${COMPREPLY[@]}"`;
    return inShell('bash', ['-c', code]);
  };

  test('completes nouns, verbs, flags and their values from the script alone', () => {
    expect(complete('us')).toEqual(['user']);
    expect(complete('user', '')).toEqual(expect.arrayContaining(['create', 'list', 'passwd', 'disable']));
    expect(complete('user', 'create', '--pass')).toEqual(['--password-stdin', '--password-file']);
    expect(complete('check', 'blocked', 'a.ru', '--fail')).toEqual(['--fail-on-blocked']);
    expect(complete('check', 'http', '--scheme', 'ht')).toEqual(['https', 'http']);
    expect(complete('domain', 'list', '--status', 'b')).toEqual(['blocked', 'broken']);
    expect(complete('status', '--lang', '')).toEqual(['ru', 'en']);
  });

  test('completes names, projects and logins from the database', () => {
    expect(complete('why', 'al')).toEqual(['alone.example', 'alpha.example']);
    expect(complete('transfer', 'plan', 'alone.example', 'alp')).toEqual(['alpha.example']);
    expect(complete('domain', 'list', '--project', 'Ro')).toEqual([String.raw`Rome\ trips`]);
    expect(complete('domain', 'list', '-p', 'R')).toEqual([String.raw`Rome\ trips`]);
    expect(complete('user', 'passwd', 'a')).toEqual(['admin']);
    expect(complete('domain', 'add', 'al')).toEqual([]);
    expect(complete('why', 'nothing')).toEqual([]);
  });
});

test('zsh knows the script', ({ skip }) => {
  const reason = missing('zsh');
  if (reason !== null) skip(reason);
  const [checked] = [inShell('zsh', ['-n', scripts['zsh'] ?? ''])];
  expect(checked).toEqual([]);
  const stub = `compdef() { :; }; _files() { :; }; compadd() { print -l -- "\${@[2,-1]}"; }`;
  const code = `${stub}; source ${scripts['zsh']}; words=(${program} domain list --project ''); CURRENT=5; PREFIX='Ro'; _seo_admin`;
  expect(inShell('zsh', ['-fc', code])).toEqual(['Rome trips']);
  const names = `${stub}; source ${scripts['zsh']}; words=(${program} why al); CURRENT=3; PREFIX='al'; _seo_admin`;
  expect(inShell('zsh', ['-fc', names])).toEqual(
    expect.arrayContaining(['alone.example', 'alpha.example', '--stored']),
  );
});

test('fish completes words and names', ({ skip }) => {
  const reason = missing('fish');
  if (reason !== null) skip(reason);
  const complete = (line: string): string[] =>
    inShell('fish', ['--no-config', '-c', `source ${scripts['fish']}; complete -C '${line}'`]).map(
      (found) => found.split('\t')[0] ?? '',
    );
  expect(complete('seo-admin us')).toContain('user');
  expect(complete('seo-admin domain list --status b')).toEqual(expect.arrayContaining(['blocked', 'broken']));
  expect(complete('seo-admin why al')).toEqual(expect.arrayContaining(['alone.example', 'alpha.example']));
  expect(complete('seo-admin domain list --project R')).toEqual(
    expect.arrayContaining([expect.stringContaining('Rome')]),
  );
});

test('completion of values tells of no failure, and makes no database', async () => {
  const empty = makeHome();
  for (const args of [['domain', 'a'], ['nonsense', ''], [], ['user', '', '--as', 'nobody']]) {
    const { exit, stdout, stderr } = await empty.run(['__complete', ...args]);
    expect([exit, stdout, stderr]).toEqual([0, '', '']);
  }
  empty.remove();
  const other = await home.run(['__complete', 'domain', 'пр']);
  expect(other.stdout).toBe('пример.example\n');
  expect((await home.run(['__complete', 'domain', '%'])).stdout).toBe('');
});
