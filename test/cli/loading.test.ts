// Modules that a command line loads: commander and declarations for its help, one module of actions for its work.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { buildProgram } from '../../src/cli/program.ts';
import { en } from '../../src/cli/texts/en.ts';
import { eachOf, loadedBy, makeAdminHome, type Home } from './cli.ts';

const CLI = fileURLToPath(new URL('../../src/cli', import.meta.url));
const sourcesIn = (folder: string): [string, string][] =>
  readdirSync(join(CLI, folder), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts'))
    .map((file) => [file, readFileSync(join(CLI, folder, file), 'utf8')]);

const PARTS = /^(?:db|src\/(?:services|operations|providers|demo|api|server|cli\/actions))\b/;
const heavy = (modules: string[]): string[] =>
  modules.filter((path) => PARTS.test(path) || /^node_modules\/(?!commander\/|punycode\/)/.test(path));

let home: Home;

beforeAll(async () => {
  home = await makeAdminHome();
});
afterAll(() => home.remove());

test('the help of each noun loads no service, no action and no library but commander', async () => {
  const { commands } = await buildProgram(en, () => false);
  const nouns = commands.map((noun) => noun.name()).filter((noun) => noun !== 'help');
  const loaded = new Map<string, string[]>();
  await eachOf([...nouns], async (noun) => {
    const { files, modules } = await loadedBy([noun, '--help']);
    expect(modules).toContain('src/cli/program.ts');
    expect(files.filter((url) => url.includes('/node_modules/'))).toEqual([]);
    loaded.set(noun, heavy(modules));
  });
  // A look-up of names is the most frequent command: its action stands in one file with the noun. A completion script needs
  // every noun, that one among them.
  const { check = [], completion = [], ...others } = Object.fromEntries(loaded);
  expect(Object.keys(others).length).toBeGreaterThan(20);
  expect(Object.values(others).flat()).toEqual([]);
  expect(completion).toEqual(check);
  expect(check).toContain('src/cli/actions/check/blocked.ts');
  expect(check.filter((path) => /^db|src\/operations|node_modules/.test(path))).toEqual([]);
});

test.each(['domain list --no-such-flag', 'operation show x', 'dns set a.ru', 'server add a --no-such-flag'])(
  '`%s` is refused before its action is loaded',
  async (line) => {
    const { modules } = await loadedBy(line.split(' '));
    expect(modules).toContain('src/cli/failure.ts');
    expect(heavy(modules)).toEqual([]);
  },
);

test('a server starts without the list of public suffixes, a tenth of what it would read', () => {
  const served = readFileSync(fileURLToPath(new URL('../../dist/serve/serve.js', import.meta.url)), 'utf8');
  expect(served).toContain('allowPrivateDomains');
  expect(served).not.toContain('allowIcannDomains');
});

describe('a command', () => {
  test.each([
    ['project list', 'project.ts', ['src/services/portfolio/projects.ts']],
    ['user list', 'user/list.ts', ['src/services/access/users.ts']],
    ['dns list a.ru', 'dns/records.ts', ['src/services/dns/dns.ts']],
  ])('`%s` loads one module of actions and its services', async (line, action, services) => {
    const { modules } = await loadedBy(line.split(' '), { SEO_ADMIN_DATA_DIR: home.dir });
    expect(modules).toEqual(expect.arrayContaining([`src/cli/actions/${action}`, ...services]));
    const works = sourcesIn('actions').map(([file]) => `src/cli/actions/${file}`);
    expect(works.filter((path) => modules.includes(path))).toEqual([`src/cli/actions/${action}`]);
    expect(modules.filter((path) => /^src\/(?:demo|api|server)\b/.test(path))).toEqual([]);
    expect(modules).not.toContain('src/services/system/flows.ts');
  });

  test('loads its actions by later() alone', () => {
    const commands = sourcesIn('commands');
    expect(commands.length).toBeGreaterThan(20);
    const others = commands.map(([file, source]): [string, string] => [
      file,
      source.replace(/later\(\(\) => import\('[^']+'\)\)/g, ''),
    ]);
    expect(others.filter(([, source]) => /\bimport\(/.test(source)).map(([file]) => file)).toEqual([]);
    expect(commands.filter(([, source]) => /from '\.\.\/\.\.\/(?:services|operations|server)/.test(source))).toEqual(
      [],
    );
  });

  test('has actions that import statically', () => {
    const actions = sourcesIn('actions');
    expect(actions.length).toBeGreaterThan(30);
    expect(actions.filter(([, source]) => /\bimport\(/.test(source)).map(([file]) => file)).toEqual([]);
  });
});
