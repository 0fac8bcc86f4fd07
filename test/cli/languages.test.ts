// The output of commands in both languages: English contains no Cyrillic, Russian no English sentence. Every third line is run; all
// in `npm run test:long`.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { buildProgram } from '../../src/cli/program.ts';
import { RU_HEADINGS } from '../../src/cli/texts/headings.ts';
import { ru } from '../../src/cli/texts/ru.ts';
import { startCloudflare, type CloudflareFake } from '../../src/demo/cloudflare.ts';
import { DOMAIN_FIELDS, SITE_FIELDS } from '../../src/shared/portfolio/domains.ts';
import { accountOf, KEY, stateOf } from '../support/cloudflare-state.ts';
import { CYRILLIC, isVerbatim, sentenceFinder } from '../support/languages.ts';
import { everyThird } from '../support/vitest/turns.ts';
import { makeAdminHome, type Home } from './cli.ts';

const ACCOUNT = 'a'.repeat(32);
const sentenceIn = sentenceFinder(await buildProgram(ru, () => true));

let home: Home;
let outside: CloudflareFake;
let env: Record<string, string>;

beforeAll(async () => {
  home = await makeAdminHome();
  const logins = [{ email: 'ops@example.net', api_key: KEY, accounts: [ACCOUNT] }];
  outside = await startCloudflare({ state: stateOf([accountOf(ACCOUNT, 'Main')], logins) });
  outside.addZone({ name: 'one.com', account_id: ACCOUNT, status: 'active' });
  env = { CLOUDFLARE_API_URL: outside.url };
  const good = async (line: string, input?: string): Promise<void> => {
    const { exit, stderr } = await home.run(line.split(' '), { env, ...(input !== undefined && { input }) });
    if (exit !== 0) throw new Error(`${line}: ${stderr}`);
  };
  await good('cloudflare add Main --email ops@example.net --key-stdin', KEY);
  await good('server add srv --host 203.0.113.10 --user root --password-stdin', 'secret word');
  await good('domain add one.com two.com');
});
afterAll(async () => {
  await outside.close();
  home.remove();
});

const LINES = [
  // Lists, documents and empty results.
  'domain list',
  'domain list --search nobody',
  'domain show one.com',
  'cloudflare list',
  'template list',
  'transfer history one.com',
  'blocklist status',
  'db status',
  'doctor',
  'name check -bad-.ru',
  'name check-template {a|b}.ru',
  // Plans, operations and progress.
  'dns set one.com --account Main --server srv --dry-run',
  'dns set one.com --account Main --server srv --yes',
  'dns list one.com',
  'dns set one.com --account Main --server srv --dry-run',
  'operation list',
  'operation show 1',
  'operation restore 1 --dry-run',
  'check http --all --timeout 1',
  'transfer auto --all --dry-run',
  'protect tls on --all --dry-run',
  'protect under-attack enable two.com --yes',
  'autobuy show --project Nope',
  'purchases list',
  'schedule list',
  'help hosting',
  'help exit-codes',
  // Not found, wrong use, refusals and missing values.
  'domain show nope.ru',
  'domain remove nope.ru nope.com',
  'server test Nope',
  'operation show 999',
  'server test Nope Nowhere',
  'blocklist update --file nowhere.txt',
  'operation resume 1',
  'operation resume 1 --yes',
  'domain add one.com two.com',
  'domain add http://x/y',
  'domain import nowhere.csv',
  'check blocked a.ru',
  'check blocked',
  'transfer plan one.com two.com',
  'transfer run one.com two.com',
  'domain list --nope',
  'domain list --status nope',
  'nope',
  'domain',
  'domain show',
  'domain show one.com two.com',
  'user create',
  'user create --login second --password-file nowhere.txt',
  'server edit srv --host bad/host',
  'site deploy one.com --yes',
  'serve --host 0.0.0.0 --demo',
];

test.concurrent.each(everyThird([...new Set(LINES)], 2))('`%s` answers in one language', async (line) => {
  const answers = await Promise.all(
    ['en', 'ru'].map(async (language) => {
      const { stdout, stderr } = await home.run([...line.split(' '), '--lang', language, '--no-input'], { env });
      return `${stdout}\n${stderr}`;
    }),
  );
  const [english = '', russian = ''] = answers;
  const mixed = russian.split('\n').filter((said) => !isVerbatim(said.trim()) && sentenceIn(said) !== undefined);
  expect({ english: english.split('\n').filter((said) => CYRILLIC.test(said)), russian: mixed }).toEqual({
    english: [],
    russian: [],
  });
});

/** Returns the headings that the sources declare for columns. */
function headings(): string[] {
  const files = ['src/cli', 'src/shared/accounts'].flatMap((folder) =>
    readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.ts'))
      .map((name) => readFileSync(join(folder, name), 'utf8')),
  );
  const declared = /(?:columnsOf(?:<[^(]*>)?\(\{|listed: \{|const SHOWN = \{)([\s\S]*?)\n {0,4}\}/g;
  const field = /^ {2,6}(\w+): (?:true|'([^']+)'|\{\s*title: '([^']+)')/gm;
  return files.flatMap((text) =>
    [...text.matchAll(declared)].flatMap(([, fields = '']) =>
      [...fields.matchAll(field)].map(([, name, title, shown]) => shown ?? title ?? name ?? ''),
    ),
  );
}

test('each heading of a table, and each field of a domain, is a word in Russian', () => {
  const all = [...headings(), ...DOMAIN_FIELDS, ...SITE_FIELDS];
  expect(all.length).toBeGreaterThan(150);
  expect([...new Set(all)].filter((heading) => RU_HEADINGS[heading] === undefined)).toEqual([]);
});

test('plans and operations are told in the reader’s words: without names of kinds, steps and levels', async () => {
  expect((await home.run('domain set one.com two.com --cdn-account Main --yes'.split(' '), { env })).exit).toBe(0);
  const told = async (line: string) =>
    (await home.run([...line.split(' '), '--lang', 'ru'], { env })).stdout.split('\n');
  const plan = await told('protect under-attack enable one.com --dry-run');
  expect(plan).toEqual(['one.com', '  ± уровень защиты: средний → Under Attack', '']);
  const [head, message, step, failed] = await told('protect under-attack enable one.com two.com --yes');
  expect(head).toMatch(/^\d+ Under Attack: \S+ 2\/2$/);
  expect([message, step]).toEqual([
    expect.stringMatching(/^Готово: изменено 1/),
    expect.stringMatching(/^ {2}Объекты: /),
  ]);
  expect(failed).toMatch(/^ {2}! two\.com – В аккаунте/);
  const [id] = head?.split(' ') ?? [];
  expect(await told(`operation show ${id}`)).toEqual([head, message, step, failed, '']);
});
