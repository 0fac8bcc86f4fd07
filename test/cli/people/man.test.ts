import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { makeHome } from '../cli.ts';

const ROOT = fileURLToPath(new URL('../../..', import.meta.url));

test('the man page tells of every command in the language that is asked for, and the package has it', async () => {
  const home = makeHome();
  const { stdout, exit } = await home.run(['help', 'man', '--lang', 'ru']);
  expect(exit).toBe(0);
  for (const words of ['transfer plan', 'top', 'check http', 'db backup']) expect(stdout).toContain(`.SS "${words}`);
  expect(stdout).toContain('.SH ОБЗОР');
  const { man } = JSON.parse(readFileSync(`${ROOT}/package.json`, 'utf8')) as { man: string };
  expect(existsSync(`${ROOT}/${man}`)).toBe(true);
  const page = readFileSync(`${ROOT}/${man}`, 'utf8');
  expect(page).toBe((await home.run(['help', 'man', '--lang', 'en'])).stdout);
  // No line is a request that roff does not know, and no flag has lost its hyphens.
  const requests = [...page.matchAll(/^[.'](\S*)/gm)].map(([, name]) => name);
  expect(new Set(requests)).toEqual(new Set(['TH', 'SH', 'SS', 'TP', 'B', 'nf', 'fi', 'PP']));
  home.remove();
});
