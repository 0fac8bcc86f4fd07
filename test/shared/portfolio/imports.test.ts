import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { readCsv } from '../../../src/lib/csv.ts';
import { guardCell, unguardCell, writeCsv } from '../../../src/shared/csv.ts';
import { AppError } from '../../../src/shared/errors.ts';
import { fieldOfHeader, readTable } from '../../../src/shared/portfolio/import-columns.ts';
import { readDate, readRows } from '../../../src/shared/portfolio/import-rows.ts';
import {
  groupMessages,
  stageImport,
  type Existing,
  type ExistingDomain,
  type Staged,
} from '../../../src/shared/portfolio/import-stage.ts';
import { ImportOptions } from '../../../src/shared/portfolio/imports.ts';

const ME = 7;
const utf8 = (text: string): Uint8Array => Buffer.from(text);
const options = (change: object = {}) => ImportOptions.parse(change);
const existing = (change: Partial<Existing> = {}): Existing => ({
  domains: new Map(),
  projects: [],
  owner: ME,
  ...change,
});

function stage(bytes: Uint8Array, change: object = {}, known: Partial<Existing> = {}): Staged {
  const chosen = options(change);
  return stageImport(readRows(readTable(readCsv(bytes).rows, chosen)), existing(known), chosen);
}

const brief = ({ rows }: Staged) =>
  rows.map(({ line, action, domain_name, messages }) => [line, action, domain_name, ...messages.map(({ key }) => key)]);

const known = (change: Partial<ExistingDomain> = {}): ExistingDomain => ({
  id: 1,
  user_id: ME,
  project_id: null,
  project: null,
  server_id: null,
  holder: ME,
  type: 'main',
  transfer_type: 'auto',
  file_path: '/var/www/www-root/data/www/a.com',
  expired_at: null,
  updated_at: '2026-01-01T00:00:00.000Z',
  ...change,
});

describe('headers', () => {
  test.each([
    ['домен', 'domain_name'],
    ['  ДОМЕН ', 'domain_name'],
    ['Доменное имя', 'domain_name'],
    ['domain', 'domain_name'],
    ['domain_name', 'domain_name'],
    ['Domain Name', 'domain_name'],
    ['name', 'domain_name'],
    ['имя', 'domain_name'],
    ['host', 'domain_name'],
    ['проект', 'project'],
    ['Project', 'project'],
    ['тип', 'type'],
    ['Type', 'type'],
    ['режим', 'transfer_type'],
    ['mode', 'transfer_type'],
    ['transfer_type', 'transfer_type'],
    ['истекает', 'expired_at'],
    ['срок', 'expired_at'],
    ['expires', 'expired_at'],
    ['expiry', 'expired_at'],
    ['Expiry date', 'expired_at'],
    ['expired_at', 'expired_at'],
    ['paid-till', 'expired_at'],
    ['путь', 'file_path'],
    ['path', 'file_path'],
    ['file_path', 'file_path'],
    ['создан', null],
    ['added', null],
    ['comment', null],
    ['constructor', null],
  ])('%s is %s', (header, field) => {
    expect(fieldOfHeader(header)).toBe(field);
  });

  test('are found in any order, and unknown ones are left out', () => {
    const table = readTable(readCsv(utf8('Комментарий;Проект;Домен\nx;Север;a.com')).rows, options());
    expect(table).toMatchObject({ header: true, mapping: [null, 'project', 'domain_name'] });
    expect(table.columns[1]).toEqual({ name: 'Проект', samples: ['Север'] });
  });

  test('name a field once: the first column counts', () => {
    expect(readTable(readCsv(utf8('name,domain\nb.com,a.com')).rows, options()).mapping).toEqual(['domain_name', null]);
  });

  test('without a domain column take the column with hosts as the domain', () => {
    const table = readTable(readCsv(utf8('Проект;Площадка\nСевер;a.com\nЮг;b.com')).rows, options());
    expect(table.mapping).toEqual(['project', 'domain_name']);
  });

  test('can be set by hand', () => {
    const bytes = utf8('a.com;Север\nb.com;Юг');
    expect(brief(stage(bytes, { columns: 'domain_name,project', header: 'off' }))).toEqual([
      [1, 'create', 'a.com'],
      [2, 'create', 'b.com'],
    ]);
    expect(stage(bytes, { columns: 'domain_name,project' }).new_projects).toEqual(['Север', 'Юг']);
    expect(brief(stage(bytes, { columns: ',project' }))[0]).toEqual([1, 'error', null, 'import.no_domain_column']);
  });
});

describe('a list without a header', () => {
  test.each([
    ['one by line', 'a.com\nb.com\n'],
    ['with blank lines and CR LF', '\r\na.com\r\n\r\nb.com'],
    ['by commas', 'a.com, b.com'],
    ['by tabs', 'a.com\tb.com'],
  ])('%s', (_, text) => {
    expect(stage(utf8(text)).rows.map(({ domain_name }) => domain_name)).toEqual(['a.com', 'b.com']);
  });

  test('takes the column with hosts as the name and nothing else', () => {
    const staged = stage(utf8('a.com;Север\nb.com;Юг'));
    expect(brief(staged)).toEqual([
      [1, 'create', 'a.com'],
      [2, 'create', 'b.com'],
    ]);
    expect(staged.new_projects).toEqual([]);
  });
});

describe('values', () => {
  test.each([
    ['Основной', 'main'],
    ['main', 'main'],
    ['РЕЗЕРВНЫЙ', 'transfer'],
    ['reserve', 'transfer'],
    ['transfer', 'transfer'],
    ['', 'main'],
  ])('type %s is %s', (word, type) => {
    expect(stage(utf8(`domain;type\na.com;${word}`)).rows[0]?.target?.type).toBe(type);
  });

  test.each([
    ['auto', 'auto'],
    ['Авто', 'auto'],
    ['автоматически', 'auto'],
    ['manual', 'manual'],
    ['вручную', 'manual'],
    ['', 'auto'],
  ])('mode %s is %s', (word, mode) => {
    expect(stage(utf8(`domain;режим\na.com;${word}`)).rows[0]?.target?.transfer_type).toBe(mode);
  });

  test.each([
    ['05.11.2026', '2026-11-05T00:00:00.000Z'],
    ['5.1.2026', '2026-01-05T00:00:00.000Z'],
    ['2026-11-05', '2026-11-05T00:00:00.000Z'],
    ['2026.11.05', '2026-11-05T00:00:00.000Z'],
    ['2026/11/05', '2026-11-05T00:00:00.000Z'],
    ['2026-11-05T21:00:00Z', '2026-11-05T21:00:00.000Z'],
    ['2026-11-05T21:00:00.000Z', '2026-11-05T21:00:00.000Z'],
    ['2026-11-06T00:00:00+03:00', '2026-11-05T21:00:00.000Z'],
    ['2026-11-05 21:00', '2026-11-05T21:00:00.000Z'],
    ['05.11.2026 21:00:30', '2026-11-05T21:00:30.000Z'],
    ['03/04/25', null],
    ['03/04/2025', null],
    ['05.11.26', null],
    ['31.02.2026', null],
    ['2026-02-30T10:00:00Z', null],
    ['2026-13-01', null],
    ['05.11.2026 25:00', null],
    ['0005-11-05', null],
    ['завтра', null],
    ['2026-11-05 21:00 22:00', null],
  ])('date %s is %s', (text, iso) => {
    expect(readDate(text)).toBe(iso);
  });

  test('that are invalid are errors that show the value', () => {
    const [row] = stage(utf8('domain;type;mode;expires;path\na.com;x;y;03/04/25;../etc')).rows;
    expect(row?.action).toBe('error');
    expect(row?.messages).toEqual([
      { field: 'type', key: 'import.bad_type', params: { value: 'x' } },
      { field: 'transfer_type', key: 'import.bad_mode', params: { value: 'y' } },
      { field: 'expired_at', key: 'import.bad_date', params: { value: '03/04/25' } },
      { field: 'file_path', key: 'domain.path_invalid', params: { value: '../etc' } },
    ]);
  });

  test.each([
    ['пример.рф', 'xn--e1afmkfd.xn--p1ai'],
    ['https://A.com/', 'a.com'],
    ['  a.com  ', 'a.com'],
    ["'-a.com", '-a.com'],
  ])('name %s is %s', (typed, host) => {
    expect(brief(stage(utf8(`domain;type\n${typed};main`)))).toEqual([[2, 'create', host]]);
  });

  test.each(['нет точки', 'a.com/page', 'a_b.com', '10.0.0.1', 'a.com b.com', `${'x'.repeat(2000)}.com`])(
    'name %s is an error',
    (typed) => {
      expect(brief(stage(utf8(`domain;type\n"${typed}";main`)))).toEqual([[2, 'error', null, 'import.bad_host']]);
    },
  );

  test('an empty name is an error of its own', () => {
    expect(brief(stage(utf8('domain;type\n;main')))).toEqual([[2, 'error', null, 'name.empty']]);
  });
});

describe('files', () => {
  // «Домен;Проект\r\nпример.рф;Север» as saved by a Russian Excel.
  const CP1251 = Buffer.from('c4eeece5ed3bcff0eee5eaf20d0aeff0e8ece5f02ef0f43bd1e5e2e5f00d0a', 'hex');

  test('can be in windows-1251 with semicolons', () => {
    expect(readCsv(CP1251)).toEqual({
      encoding: 'windows-1251',
      delimiter: ';',
      rows: [
        { line: 1, cells: ['Домен', 'Проект'] },
        { line: 2, cells: ['пример.рф', 'Север'] },
      ],
    });
  });

  test('can be in UTF-8 with a byte order mark, or in UTF-16 of either order', () => {
    const text = 'Домен\tПроект\nпример.рф\tСевер\n';
    const little = Buffer.from(`\uFEFF${text}`, 'utf16le');
    const big = Buffer.from(little).swap16();
    const read = (bytes: Uint8Array) => {
      const { encoding, delimiter, rows } = readCsv(bytes);
      return [encoding, delimiter, ...rows.map(({ cells }) => cells.join('|'))];
    };
    const cells = ['Домен|Проект', 'пример.рф|Север'];
    expect(read(Buffer.from(`\uFEFF${text}`))).toEqual(['utf-8', '\t', ...cells]);
    expect(read(little)).toEqual(['utf-16le', '\t', ...cells]);
    expect(read(big)).toEqual(['utf-16be', '\t', ...cells]);
  });

  test('keep the line numbers with line breaks in quotes, doubled quotes, quotes in the middle and blank lines', () => {
    const text = 'domain;note\r\n\r\na.com;"two\r\nlines; ""quoted"""\r\n;;\r\nb.com;5" screen\rc.com;"x"y\n';
    expect(readCsv(utf8(text)).rows).toEqual([
      { line: 1, cells: ['domain', 'note'] },
      { line: 3, cells: ['a.com', 'two\nlines; "quoted"'] },
      { line: 6, cells: ['b.com', '5" screen'] },
      { line: 7, cells: ['c.com', '"x"y'] },
    ]);
  });

  test.each([
    ['a.com;b', ';'],
    ['a.com,b', ','],
    ['a.com\tb', '\t'],
    ['a.com', ','],
    ['"x;y",b\n"x;y;z",c', ','],
    ['Домен;Проект, группа;Тип\na.com;Север;main', ';'],
  ])('the delimiter of %j is %j', (text, delimiter) => {
    expect(readCsv(utf8(text)).delimiter).toBe(delimiter);
  });

  test('with an open quote are refused with its line', () => {
    const read = () => readCsv(utf8('domain;note\na.com;1\nb.com;"open\nc.com;2'));
    expect(read).toThrow(expect.objectContaining({ key: 'import.unclosed_quote', params: { line: 3 } }));
  });

  test('that are no text, have long cells or too many rows are refused', () => {
    expect(() => readCsv(Buffer.from('504b0304140000000800', 'hex'))).toThrow(
      expect.objectContaining({ key: 'import.not_text' }),
    );
    expect(() => readCsv(utf8(`"${'x'.repeat(200_000)}"`))).toThrow(
      expect.objectContaining({ key: 'import.long_record' }),
    );
    expect(() => readCsv(utf8('a.com\n'.repeat(100_002)))).toThrow(
      expect.objectContaining({ key: 'import.too_many_rows' }),
    );
  });
});

describe('the result of a row', () => {
  test('comes from the first valid row of a name', () => {
    const staged = stage(utf8('domain;expires\na.com;31.31.2026\nA.com;01.02.2027\na.com;01.03.2027\nb.com;'));
    expect(brief(staged)).toEqual([
      [2, 'error', 'a.com', 'import.bad_date'],
      [3, 'create', 'a.com'],
      [4, 'skip', 'a.com', 'import.duplicate'],
      [5, 'create', 'b.com'],
    ]);
    expect(staged.rows[2]?.messages[0]?.params).toEqual({ value: 'a.com', line: 3 });
    expect(staged.counts).toEqual({ create: 2, update: 0, skip: 1, error: 1 });
  });

  test('with a name of another user is `taken`, without further details', () => {
    const staged = stage(utf8('a.com'), { mode: 'overwrite' }, { domains: new Map([['a.com', 'taken']]) });
    expect(brief(staged)).toEqual([[1, 'error', 'a.com', 'import.taken']]);
  });

  const text = utf8('domain;project;type;expires\na.com;Юг;резервный;01.02.2027');
  const change = (mode: string, row: Partial<ExistingDomain>) =>
    stage(text, { mode }, { domains: new Map([['a.com', known(row)]]) }).rows[0];

  test('with a known name is skipped by default', () => {
    expect(change('skip', {})).toMatchObject({ action: 'skip', changes: [], target: null });
  });

  test('with mode fill keeps present values', () => {
    expect(change('fill', { project: 'Север', project_id: 3 })).toMatchObject({
      action: 'update',
      changes: [{ field: 'expired_at', from: null, to: '2027-02-01T00:00:00.000Z' }],
      target: { id: 1, project: null, type: 'main' },
    });
  });

  test('with mode overwrite takes the values of the file, except empty cells', () => {
    const row = change('overwrite', { project: 'Север', file_path: '/x' });
    expect(row?.changes.map(({ field, from, to }) => [field, from, to])).toEqual([
      ['project', 'Север', 'Юг'],
      ['type', 'main', 'transfer'],
      ['expired_at', null, '2027-02-01T00:00:00.000Z'],
    ]);
    expect(row?.target).toMatchObject({ project: 'Юг', file_path: '/x', transfer_type: 'auto' });
  });

  test('with mode overwrite and equal values is no change', () => {
    const row = { project: 'ЮГ ', type: 'transfer', expired_at: '2027-02-01T00:00:00.000Z' } as const;
    expect(change('overwrite', row)).toMatchObject({ action: 'skip', messages: [{ key: 'import.same' }] });
  });

  test('unknown projects are made once, or are an error', () => {
    const rows = utf8('domain;project\na.com;Север\nb.com; север \nc.com;Юг');
    const projects = [{ id: 1, user_id: ME, name: 'юг' }];
    expect(stage(rows, {}, { projects }).new_projects).toEqual(['Север']);
    expect(brief(stage(rows, { create_projects: 'off' }, { projects }))).toEqual([
      [2, 'error', 'a.com', 'import.project_unknown'],
      [3, 'error', 'b.com', 'import.project_unknown'],
      [4, 'create', 'c.com'],
    ]);
  });

  test("one's own project goes before another's; two alike are an error", () => {
    const rows = utf8('domain;project\na.com;Юг');
    const [own, other] = [
      { id: 1, user_id: ME, name: 'Юг' },
      { id: 2, user_id: 8, name: 'Юг' },
    ];
    expect(brief(stage(rows, {}, { projects: [other, own] }))).toEqual([[2, 'create', 'a.com']]);
    expect(brief(stage(rows, {}, { projects: [other, { ...other, id: 3 }] }))).toEqual([
      [2, 'error', 'a.com', 'import.project_many'],
    ]);
  });

  test('that is new takes the defaults for empty cells', () => {
    const defaults = { type: 'transfer', transfer_type: 'manual', project: 'Юг' };
    const staged = stage(utf8('domain;type\na.com;main\nb.com;'), defaults);
    expect(staged.rows.map(({ target }) => [target?.type, target?.transfer_type, target?.project])).toEqual([
      ['main', 'manual', 'Юг'],
      ['transfer', 'manual', 'Юг'],
    ]);
    expect(staged.rows[0]?.target?.file_path).toBe('/var/www/www-root/data/www/a.com');
  });

  test('has all its messages, errors first', () => {
    const { rows } = stage(utf8('domain;expires\na.com;x\nb.com;\nb.com;\nb.com;\nc.com;y'));
    expect(groupMessages(rows).map(({ action, message, count, lines }) => [action, message.key, count, lines])).toEqual(
      [
        ['error', 'import.bad_date', 2, [2, 6]],
        ['skip', 'import.duplicate', 2, [4, 5]],
      ],
    );
  });
});

describe('written CSV', () => {
  test('starts no formula in a spreadsheet, and reads back unchanged', () => {
    const cells = ['=cmd()', '+1', '-a.com', '@x', '\tx', '\rx', "'=x", "''-x", "'plain", 'a"b', 'a;b', 'a\r\nb', ''];
    for (const cell of cells) expect(unguardCell(guardCell(cell))).toBe(cell);
    const text = writeCsv([cells.slice(0, 4), cells.slice(9)], { delimiter: ';', bom: true });
    expect(text).toBe('\uFEFF\'=cmd();\'+1;\'-a.com;\'@x\r\n"a""b";"a;b";"a\r\nb";\r\n');
  });

  test('guards every string reversibly', () => {
    fc.assert(
      fc.property(fc.string(), (cell) => {
        expect(guardCell(cell)).not.toMatch(/^[=+\-@\t\r]/);
        expect(unguardCell(guardCell(cell))).toBe(cell);
      }),
    );
  });
});

describe('any bytes', () => {
  test('are staged, or refused with an AppError', () => {
    const line = fc.array(fc.constantFrom('a.com', 'домен', '"', ';', ',', '\t', '\r\n', '\n', "'", '=', '03/04/25'));
    const bytes = fc.oneof(
      fc.uint8Array({ maxLength: 200 }),
      line.map((parts) => Buffer.from(parts.join(''))),
      line.map((parts) => Buffer.from(`\uFEFF${parts.join('')}`, 'utf16le')),
      fc.string({ unit: 'binary' }).map((text) => Buffer.from(text)),
    );
    const modes = fc.constantFrom('skip', 'fill', 'overwrite');
    const attempt = (input: Uint8Array, mode: string): Staged | null => {
      try {
        return stage(input, { mode });
      } catch (error) {
        if (error instanceof AppError) return null;
        throw error;
      }
    };
    fc.assert(
      fc.property(bytes, modes, (input, mode) => {
        const staged = attempt(input, mode);
        const total = Object.values(staged?.counts ?? {}).reduce((sum, count) => sum + count, 0);
        expect(total).toBe(staged?.rows.length ?? 0);
      }),
      { numRuns: 500 },
    );
  });
});
