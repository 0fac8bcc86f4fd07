// The lists of the command line as CSV: the header depends on the command only, not on the listed rows. Every third is printed;
// all in `npm run test:long`.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Command } from 'commander';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { closeDatabase, execute, openDatabase, select, transaction } from '../../../db/index.ts';
import { wordsOf } from '../../../src/cli/help.ts';
import { buildProgram } from '../../../src/cli/program.ts';
import { en } from '../../../src/cli/texts/en.ts';
import { startDemo, type Demo } from '../../../src/demo/index.ts';
import { loadConfig } from '../../../src/lib/config.ts';
import { enqueue } from '../../../src/operations/queue.ts';
import { accountLane } from '../../../src/services/accounts/lanes.ts';
import { everyThird } from '../../support/vitest/turns.ts';
import { zipOf } from '../../support/zips.ts';
import { makeAdminHome, startCli, type Home, type Run } from '../cli.ts';
import { LISTS, OTHERS } from './lists.ts';

let root: string;
let demo: Demo;
let empty: Home;
let env: Record<string, string>;
/** The id of a rule created by `makeRows`. */
let rule: string;
/** The number of the first operation of `makeRows`: the demo has some of its past. */
let operation: number;

const file = (name: string): string => join(root, name);
const inDemo = (args: string[]): Promise<Run> => startCli([...args, '--lang', 'en'], { env }).ended;

beforeAll(async () => {
  root = mkdtempSync(join(tmpdir(), 'seo-admin-csv-'));
  empty = await makeAdminHome();
  demo = await startDemo(loadConfig({ dataDir: root }, {}), { size: 60, frozen: false });
  const { config } = demo;
  env = {
    SEO_ADMIN_DATA_DIR: config.dataDir,
    DATABASE_URL: `sqlite:${config.databaseFile}`,
    BLOCKLIST_URL: config.blocklistUrl,
    CLOUDFLARE_API_URL: config.cloudflareUrl,
    REGHOUSE_API_URL: config.registrarUrls['reghouse.ru'] ?? '',
    EXPIRED_API_URL: config.registrarUrls['expired.ru'] ?? '',
    REGRU_API_URL: config.registrarUrls['reg.ru'] ?? '',
    NAMECHEAP_API_URL: config.registrarUrls['namecheap.com'] ?? '',
    PORKBUN_API_URL: config.registrarUrls['porkbun.com'] ?? '',
    XMLRIVER_API_URL: config.searchUrls.xmlriver ?? '',
    ARSENKIN_API_URL: config.searchUrls.arsenkin ?? '',
    RDAP_URL: config.registry.rdapUrl ?? '',
    WHOIS_SERVER: config.registry.whoisServer ?? '',
    SEO_ADMIN_CONNECT_TO: config.connectTo ?? '',
    SEO_ADMIN_ALLOW_PRIVATE_TARGETS: 'on',
    NODE_EXTRA_CA_CERTS: file('ca.pem'),
  };
  writeFileSync(file('ca.pem'), config.ca ?? '');
  writeFileSync(file('none.csv'), 'domain_name\n');
  writeFileSync(file('rows.csv'), 'domain_name\nimported.ru\nno host\n');
  writeFileSync(file('one.zip'), zipOf({ 'index.html': '<title>One</title>' }));
  writeFileSync(file('page.html'), '<title>A page</title>');
  await makeRows();
});
afterAll(async () => {
  await demo.close();
  rmSync(root, { recursive: true });
  empty.remove();
});

const wordsIn = (line: string, known: string[]): string | undefined =>
  known.find((words) => line.replace(/^empty /, '').startsWith(`${words} `) || line.replace(/^empty /, '') === words);

test('every command is listed as printing a list or none', async () => {
  const leaves = (command: Command): Command[] =>
    command.commands.length === 0 ? [command] : command.commands.flatMap(leaves);
  const commands = leaves(await buildProgram(en, () => true)).map(wordsOf);
  const lists = LISTS.flat().map((line) => wordsIn(line, commands));
  expect(new Set([...lists, ...OTHERS])).toEqual(new Set(commands));
});

// Checks of the whole portfolio end with 75 beside each other.
const isCheck = ([few]: readonly [string, string]): boolean => /^(?:empty )?check /.test(few);

/** Runs both commands; `wanted` is what `found` should be: the same header, items, and no field that the header lacks. */
async function compare(few: string, many: string): Promise<{ found: object; wanted: object }> {
  const header = headerOf(await run(few, 'csv'));
  const other = headerOf(await run(many, 'csv'));
  const { json, stderr } = await run(many, 'json');
  const items = (json.items ?? []) as object[];
  const fields = new Set(items.flatMap((item) => Object.keys(item)));
  const unknown = [...fields].filter((field) => !header.split(',').includes(field));
  return {
    found: { other, hasHeader: header !== '', isEmpty: items.length === 0, unknown, stderr },
    wanted: { other: header, hasHeader: true, isEmpty: false, unknown: [], stderr },
  };
}

test.concurrent.each(everyThird(LISTS.filter((lines) => !isCheck(lines))))(
  '`%s` prints the same CSV header as `%s`, with every field of its items',
  async (few, many) => {
    const { found, wanted } = await compare(few, many);
    expect(found).toEqual(wanted);
  },
);

test.each(everyThird(LISTS.filter(isCheck)))(
  '`%s` prints the same CSV header as `%s`, with every field of its items, alone',
  async (few, many) => {
    const { found, wanted } = await compare(few, many);
    expect(found).toEqual(wanted);
  },
);

test('the header of an export is the same without domains, in CSV and TSV', async () => {
  for (const format of ['csv', 'tsv']) {
    const line = `domain export --format ${format}`.split(' ');
    const [none, all] = [await empty.run(line), await inDemo(line)];
    expect(headerOf(none)).toMatch(/domain/);
    expect(headerOf(all)).toBe(headerOf(none));
  }
});

const headerOf = ({ stdout }: Run): string => stdout.replace(/^\uFEFF/, '').split(/\r?\n/)[0] ?? '';

/**
 * Creates the rows that the lists need beside the demo's: names to be removed, a group without accounts, three
 * operations, a transfer.
 */
async function makeRows(): Promise<void> {
  const good = async (line: string): Promise<Run> => {
    const done = await inDemo(line.split(' '));
    if (done.exit !== 0) throw new Error(`${line}: ${done.stderr}`);
    return done;
  };
  await good('domain add removed-csv.ru removed-json.ru set-csv.ru set-json.ru done.ru new.ru');
  await good('keyword add --project Ремонт removed-csv removed-json');
  await good('token create nightly');
  await good('group add Пустая');
  await good('rules attach ruki-mir.ru dacha-portal.ru --account Второй --server srv-1 --yes');
  await good('protect tls off astro-mir.ru dacha-mir.com --yes');
  await good('dns set done.ru --account Второй --server srv-1 --yes');
  const { id } = (await good('rules list dacha-portal.ru --json')).json.items[0];
  rule = String(id);
  const { items } = (await good('dns list astro-mir.ru --json')).json;
  writeFileSync(file('same.json'), JSON.stringify(items));
  writeFileSync(
    file('other.json'),
    JSON.stringify([...items, { type: 'TXT', name: 'astro-mir.ru', content: 'more', ttl: 1, proxied: false }]),
  );
  await openDatabase(demo.config.databaseFile);
  // Each look at them would wait for ten seconds; names that fail at once are left.
  const hanging = await select<{ domain_name: string }>(`SELECT domain_name FROM domains WHERE http_error = 'timeout'`);
  await good(`domain remove ${hanging.map(({ domain_name }) => domain_name).join(' ')}`);
  const left = [{ item: 'tls vkus-mir.ru', ...accountLane(1), data: { zone: 'vkus-mir.ru' } }];
  const message = { key: 'protect.tls_off_started' } as const;
  const work = { kind: 'tls', subject: 'left', user_id: null, input: { state: 'off' }, message, items: left };
  operation = (await enqueue(work, false)).id - 3;
  await transaction(() =>
    execute(
      `INSERT INTO purchases (kind, domain_name, state, registrar_type, asked_by, years, currency, price, periods, day,
         reference, created_at, changed_at)
       VALUES ('register', 'bought.ru', 'released', 'reg.ru', 'person', 1, 'RUB', 19900, '[]', '2026-11-23', 'x', '', '')`,
    ),
  );
  await transaction(() =>
    execute(
      `INSERT INTO transfer_history (main_domain_id, transfer_domain_id, main_domain_name, transfer_domain_name, action, created_at)
       SELECT id, id, domain_name, domain_name, 'explicit', created_at FROM domains WHERE domain_name = 'astro-mir.ru'`,
    ),
  );
  await transaction(async () => {
    await execute(
      `INSERT INTO notices (kind, level, cause, cause_name, subjects, open_subjects, opened_at, changed_at)
       VALUES ('job_failed', 'warning', '', 'backup', 1, 1, '2026-11-23T00:00:00.000Z', '2026-11-23T00:00:00.000Z')`,
    );
    await execute(
      `INSERT INTO notice_subjects (notice_id, subject, name, params, opened_at)
       SELECT max(id), 'backup', 'backup', '{}', '2026-11-23T00:00:00.000Z' FROM notices`,
    );
  });
  await closeDatabase();
}

async function run(line: string, format: 'csv' | 'json'): Promise<Run> {
  const args = line
    .replace(/^empty /, '')
    .replaceAll('FORMAT', format)
    .replace('RULE', rule)
    .replace(/OPERATION(?:\+(\d))?/, (_whole, more: string | undefined) => String(operation + Number(more ?? 0)))
    .split(' ')
    .map((word) => (/\.(csv|html|json|zip)$/.test(word) ? file(word) : word));
  args.push(`--${format}`);
  return line.startsWith('empty ') ? empty.run(args) : inDemo(args);
}
