import { expect, test, vi } from 'vitest';
import { readAsked, type Format } from '../../src/cli/terminal/asked.ts';
import { columnsOf, minorOf, write, type Result } from '../../src/cli/output.ts';
import { clip, widthOf } from '../../src/cli/terminal/fit.ts';
import { sameFlagsOf } from '../../src/cli/terminal/flags.ts';

const asked = (format: Format) => ({ ...readAsked([], {}), format });
const plainly = (_field: string, text: string): string => text;
const written = (format: Format, result: Result): string => write('user list', result, asked(format), plainly);

const NASTY = { domain: '=1+1', note: 'a "b", c\nd', steering: '\u001B[31mred\u009B0m\u202E', nothing: null };

test('CSV quotes by RFC 4180, disarms formulas and contains nothing that controls a terminal', () => {
  expect(written('csv', { items: [NASTY] })).toBe(
    `domain,note,steering,nothing\r\n'=1+1,"a ""b"", c\uFFFDd",\uFFFD[31mred\uFFFD0m\uFFFD,\r\n`,
  );
  for (const start of ['=', '+', '-', '@', '\t', '\r']) {
    expect(written('csv', { items: [{ a: `${start}x` }] })).toContain(`'`);
  }
});

test('CSV has a number as it is, whatever its sign', () => {
  expect(written('csv', { items: [{ drop: -1, rest: '-1' }] })).toBe("drop,rest\r\n-1,'-1\r\n");
});

test('an unknown language of a flag leaves that of the environment', () => {
  const spoken = (argv: string[], env: NodeJS.ProcessEnv): string => readAsked(argv, env).language;
  expect(spoken(['--lang', 'xx'], { SEO_ADMIN_LANG: 'en' })).toBe('en');
  expect(spoken(['--lang', 'ru'], { SEO_ADMIN_LANG: 'en' })).toBe('ru');
  expect(spoken([], { SEO_ADMIN_LANG: 'de', LANG: 'en_US.UTF-8' })).toBe('en');
});

test('a text for people keeps its lines, and nothing that controls a terminal', () => {
  expect(written('human', { text: 'one\u001B[31m\n two\u009B0m\u202E' })).toBe('one\uFFFD[31m\n two\uFFFD0m\uFFFD\n');
});

test('JSON is one line with the data intact and without bytes that control a terminal', () => {
  const text = written('json', { items: [NASTY], summary: { total: 1 } });
  // oxlint-disable-next-line no-control-regex
  expect(text).not.toMatch(/[\u0000-\u0009\u000B-\u001F\u007F-\u009F]/);
  expect(JSON.parse(text)).toEqual({
    schema: 'seo-admin/user.list@1',
    ok: true,
    exit: 0,
    items: [NASTY],
    summary: { total: 1 },
  });
});

test('NDJSON ends with the summary', () => {
  const lines = written('ndjson', { items: [{ a: 1 }, { a: 2 }], summary: { total: 2 } })
    .trimEnd()
    .split('\n');
  expect(lines.map((line) => (JSON.parse(line) as { type: string }).type)).toEqual(['item', 'item', 'summary']);
});

test('a line of NDJSON keeps a type of its own, and the summary is the last line', () => {
  const lines = written('ndjson', {
    items: [
      { type: 'main', domain_name: 'a.ru' },
      { type: 'A', name: 'a.ru' },
    ],
  })
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as { type: string });
  expect(lines.map(({ type }) => type)).toEqual(['main', 'A', 'summary']);
});

test('TSV has a heading, plain has none, and no cell of either spans lines', () => {
  const result = { items: [{ a: 'x\ty\nz', b: 2 }] };
  expect(written('tsv', result)).toBe('a\tb\nx\uFFFDy\uFFFDz\t2\n');
  expect(written('plain', result)).toBe('x\uFFFDy\uFFFDz\t2\n');
});

test('a table stays aligned with wide and zero-width letters', () => {
  const [, first, second] = written('human', {
    items: [
      { a: '例え', b: 1 },
      { a: 'яйца', b: 2 },
    ],
  }).split('\n');
  expect(first).toBe('例え  1');
  expect(second).toBe('яйца  2');
  expect(widthOf('e\u0301')).toBe(1);
});

test('a table has as many rows as there are', () => {
  const items = Array.from({ length: 200_000 }, (_, at) => ({ a: `n${at}`, b: 'x' }));
  const lines = written('human', { items }).split('\n');
  expect([lines.length, lines[1], lines[200_000]]).toEqual([200_002, 'n0       x', 'n199999  x']);
});

test('findings are ok in the document, failures are not', () => {
  const parsed = (exit: 0 | 3 | 5) => JSON.parse(written('json', { exit, items: [] })) as { ok: boolean };
  expect([parsed(0).ok, parsed(3).ok, parsed(5).ok]).toEqual([true, true, false]);
});

test.each([
  [['--json'], {}, { format: 'json', color: true }],
  [['--format=csv'], {}, { format: 'csv' }],
  [['--format', 'tsv', '--lang', 'en'], {}, { format: 'tsv', language: 'en' }],
  [['--', '--json'], {}, { format: 'human' }],
  [[], { NO_COLOR: '1' }, { color: false }],
  [[], { NO_COLOR: '' }, { color: true }],
  [[], { CI: 'true' }, { color: false }],
  [[], { TERM: 'dumb' }, { color: false }],
  [['--no-color'], {}, { color: false }],
  [[], {}, { language: 'ru' }],
  [['--lang', 'ru'], { SEO_ADMIN_LANG: 'en' }, { language: 'ru' }],
  [[], { SEO_ADMIN_LANG: 'en', LANG: 'ru_RU' }, { language: 'en' }],
  [[], { LC_ALL: 'en_US.UTF-8', LC_MESSAGES: 'ru_RU', LANG: 'ru_RU' }, { language: 'en' }],
  [[], { LC_ALL: '', LC_MESSAGES: 'ru_RU.UTF-8', LANG: 'C' }, { language: 'ru' }],
  [[], { LANG: 'C.UTF-8' }, { language: 'en' }],
  [[], { LANG: 'run_RUN' }, { language: 'en' }],
  [['-q', '--no-input'], {}, { quiet: true, input: false }],
])('readAsked parses %j with %j', (argv, env, expected) => {
  expect(readAsked(argv, env)).toMatchObject(expected);
});

const LONG = {
  domain: 'a-very-long-name-of-a-domain-of-the-portfolio.example.com',
  status: 'available',
  error: null,
  message: 'the certificate is of another name, or it has ended: look at the zone of the domain',
  checked_at: '2026-11-25T14:54:05.871Z',
};
const COLUMNS = columnsOf<typeof LONG>({ domain: true, status: true, error: true, message: true, checked_at: true });

test.each([40, 60, 80, 120, 200])('a table fits into a terminal of %s columns, and keeps its first column', (width) => {
  const items = [LONG, { ...LONG, domain: 'пример.рф', message: '例え'.repeat(30) }];
  const layout = { width, heading: (title: string) => `[${title}]` };
  const text = write('domain list', { items, columns: COLUMNS }, asked('human'), plainly, layout);
  const lines = text.trimEnd().split('\n');
  expect(lines).toHaveLength(3);
  for (const line of lines) expect(widthOf(line)).toBeLessThanOrEqual(width);
  expect(lines[0]).toContain('[domain]');
  expect(lines[1]).toMatch(width === 200 ? /2026-11-25 14:54$/ : /^a-very.*…/);
  expect(lines[2]).toMatch(/^пример\.рф/);
});

test('a table of a check has its findings first on a terminal, and what a pipe gets stays as it is', () => {
  const items = [
    { domain: 'a.ru', status: 'free' },
    { domain: 'b.ru', status: 'blocked' },
  ];
  const layout = { width: 80, heading: (title: string) => title };
  const names = (text: string): string[] => [...text.matchAll(/^[ab]\.ru/gm)].map(([name]) => name);
  expect(names(write('check blocked', { items }, asked('human'), plainly, layout))).toEqual(['b.ru', 'a.ru']);
  expect(names(write('check blocked', { items }, asked('human'), plainly))).toEqual(['a.ru', 'b.ru']);
});

test('a name is shortened in its middle, a text at its end', () => {
  expect([clip('example.com', 7, true), clip('example.com', 7), clip('a.ru', 7)]).toEqual([
    'exa…com',
    'exampl…',
    'a.ru',
  ]);
});

test('the column that names a row stays, wherever it stands', () => {
  vi.useFakeTimers({ now: new Date('2026-11-24T00:00:00Z'), toFake: ['Date'] });
  const columns = ['id', 'at', 'kind', 'domain_name', 'state'].map((field) => ({ field, title: field }));
  const items = [
    {
      id: 23,
      at: '2026-11-23T15:50:12.508Z',
      kind: 'register',
      domain_name: 'a-long-name.example.com',
      state: 'committed',
    },
  ];
  const layout = { width: 40, heading: (title: string) => title };
  const [head = '', row = ''] = write('purchases list', { items, columns }, asked('human'), plainly, layout).split(
    '\n',
  );
  expect(head).toContain('domain_name');
  expect(row).toMatch(/11-23 15:50  register  a-long…le\.com/);
  expect(widthOf(row)).toBeLessThanOrEqual(40);
  vi.useRealTimers();
});

test('where a terminal has no room, minor columns go before those at the right', () => {
  const columns = minorOf(
    columnsOf<{ id: number; name: string; zone: string; result: string }>({
      id: true,
      name: true,
      zone: true,
      result: true,
    }),
    'id',
    'zone',
  );
  const items = [{ id: 12, name: 'check', zone: 'Europe/Moscow', result: 'failed' }];
  const layout = (width: number) => ({ width, heading: (title: string) => title });
  const head = (width: number): string | undefined =>
    write('schedule list', { items, columns }, asked('human'), plainly, layout(width)).split('\n')[0];
  expect([40, 22, 16].map(head)).toEqual(['id  name   zone           result', 'id  name   result', 'name   result']);
});

test('a command that goes on has the flags of who asked, of the answer and of its exit code, and no others', () => {
  const typed = { as: 'anna b', lang: 'en', json: true, failOnBlocked: true, yes: true, timeout: 5 };
  expect(sameFlagsOf(typed)).toBe(" --as 'anna b' --lang en --json --fail-on-blocked");
  expect(sameFlagsOf({})).toBe('');
});
