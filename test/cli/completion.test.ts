import { spawnSync } from 'node:child_process';
import { expect, test } from 'vitest';
import { makeHome } from './cli.ts';

const home = makeHome();

test('bash completes nouns, verbs and flags from a script that starts no Node', async () => {
  const { stdout } = await home.run(['completion', 'bash']);
  const script = home.file('completion.bash', stdout);
  const complete = (...words: string[]): string[] => {
    const line = words.map((word) => `'${word}'`).join(' ');
    const code = `source ${script}; COMP_WORDS=(seo-admin ${line}); COMP_CWORD=${words.length}; _seo_admin; echo "\${COMPREPLY[@]}"`;
    return spawnSync('bash', ['-c', code], { encoding: 'utf8' }).stdout.trim().split(' ');
  };
  expect(complete('us')).toEqual(['user']);
  expect(complete('user', '')).toEqual(expect.arrayContaining(['create', 'list', 'passwd', 'disable']));
  expect(complete('user', 'create', '--pass')).toEqual(['--password-stdin', '--password-file']);
  expect(complete('check', 'blocked', 'a.ru', '--fail')).toEqual(['--fail-on-blocked']);
  home.remove();
});

test.each(['zsh', 'fish'])('%s gets a script with every noun', async (shell) => {
  const { exit, stdout } = await makeHome().run(['completion', shell]);
  expect(exit).toBe(0);
  for (const noun of ['serve', 'check', 'domain', 'blocklist']) expect(stdout).toContain(noun);
});
