// The pages for operators name messages, commands, variables and files: each has to be the program's.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Command } from 'commander';
import { expect, test } from 'vitest';
import { buildProgram } from '../src/cli/program.ts';
import { en as texts } from '../src/cli/texts/en.ts';
import { en } from '../src/shared/i18n/en.ts';
import { ru } from '../src/shared/i18n/ru.ts';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const PAGES = ['README.md', 'deploy/README.md', ...readdirSync(join(ROOT, 'docs')).map((file) => `docs/${file}`)];
const read = (page: string): string => readFileSync(join(ROOT, page), 'utf8');
const program = await buildProgram(texts, () => true);

test('each message of the troubleshooting page is in the catalogues, in both languages', () => {
  const known = new Set(
    [...Object.values(ru), ...Object.values(en)].map((text) =>
      text.replace(/\{[^}]*\}/g, '…').replaceAll('\u00A0', ' '),
    ),
  );
  const rows = [...read('docs/troubleshooting.md').matchAll(/^\| \*(.+?)\*<br>\*(.+?)\* \|/gm)];
  expect(rows.length).toBeGreaterThan(30);
  expect(rows.flatMap(([, one = '', other = '']) => [one, other]).filter((text) => !known.has(text))).toEqual([]);
});

/** Returns the words and flags of each call of the program in a page: in code, and after npx, sudo or a schedule. */
const callsIn = (page: string): string[][] =>
  [...read(page).matchAll(/(?:^|[\s`|])seo-admin ((?:--[\w-]+ )*[a-z][^`\n#>|;]*)/gm)].map(([, line = '']) =>
    line.trim().split(/\s+/),
  );

/** Returns what of a call is not the program's: a command, or a flag; '' where all is. */
function strangeIn(words: readonly string[]): string {
  let command: Command = program;
  const names = words.filter((word) => /^[a-z][a-z-]*$/.test(word));
  for (const name of names) {
    const next = command.commands.find((one) => one.name() === name);
    if (!next) break;
    command = next;
  }
  if (command === program) return words[0] ?? '';
  if (command.commands.length > 0 && names.length > 1) return words.slice(0, 2).join(' ');
  const flags = words.filter((word) => /^--[a-z]/.test(word)).map((word) => word.replace(/[=,)].*$/, ''));
  const options = [...command.options, ...program.options, ...(command.parent?.options ?? [])];
  return flags.find((flag) => !options.some(({ long }) => long === flag || long === '--yes')) ?? '';
}

test.each(PAGES)('each command and flag of %s is the program’s', (page) => {
  expect(callsIn(page).map(strangeIn).filter(Boolean)).toEqual([]);
});

test.each(PAGES)('each variable of %s is the program’s', (page) => {
  const known: string[] = read('src/lib/settings.ts').match(/SEO_ADMIN_[A-Z_]+/g) ?? [];
  const named: string[] = read(page).match(/SEO_ADMIN_[A-Z]+(?:_[A-Z]+)*/g) ?? [];
  expect(named.filter((name) => !known.includes(name))).toEqual([]);
});

test.each(PAGES)('each link of %s leads to a file', (page) => {
  const links = [...read(page).matchAll(/\]\(([^)#\s]+)[^)]*\)/g)].map(([, link = '']) => link);
  const own = links.filter((link) => !/^[a-z]+:/.test(link));
  expect(own.filter((link) => !existsSync(join(ROOT, dirname(page), link)))).toEqual([]);
});
