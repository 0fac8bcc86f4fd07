import { describe, expect, test } from 'vitest';
import { readCsv } from '../../../../src/lib/csv.ts';
import { fieldOfHeader, readTable } from '../../../../src/shared/portfolio/import-columns.ts';
import { brief, options, stage, utf8 } from './staging.ts';

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
  ])('named %j mean the field %s', (header, field) => {
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
    ['one a line', 'a.com\nb.com\n'],
    ['one a line, with blank lines and CR LF', '\r\na.com\r\n\r\nb.com'],
    ['between commas', 'a.com, b.com'],
    ['between tabs', 'a.com\tb.com'],
  ])('is read where its names stand %s', (_, text) => {
    expect(stage(utf8(text)).rows.map(({ domain_name }) => domain_name)).toEqual(['a.com', 'b.com']);
  });

  test.each([
    [
      'in a line of two',
      'a1.ru, ne_ok.ru\na3.ru, a4.ru\na5.ru, a6.ru',
      ['a1.ru', null, 'a3.ru', 'a4.ru', 'a5.ru', 'a6.ru'],
    ],
    ['without a dot', 'a1.ru, nonsense\na3.ru, a4.ru', ['a1.ru', null, 'a3.ru', 'a4.ru']],
    ['in the only line', 'a1.ru, nonsense, a3.ru', ['a1.ru', null, 'a3.ru']],
    ['at the end of the only line', 'a1.ru, ne_ok.ru', ['a1.ru', null]],
    ['at the beginning', 'ne_ok.ru, a2.ru\na3.ru, a4.ru', [null, 'a2.ru', 'a3.ru', 'a4.ru']],
    ['of two words', 'a1.ru, no name\na3.ru, a4.ru', ['a1.ru', null, 'a3.ru', 'a4.ru']],
    ['under a heading', 'Домены\na1.ru, ne_ok.ru\na3.ru', ['a1.ru', null, 'a3.ru']],
  ])('takes every name where one is wrong %s, which is told by its line', (_, text, names) => {
    const { rows } = stage(utf8(text));
    expect(rows.map(({ domain_name }) => domain_name)).toEqual(names);
    const [wrong, ...others] = rows.filter(({ action }) => action === 'error');
    expect(others).toEqual([]);
    expect(text.split('\n')[(wrong?.line ?? 0) - 1]).toContain(wrong?.cells[0]);
    expect(wrong?.messages.map(({ key }) => key)).toEqual(['import.bad_host']);
  });

  test.each([
    ['one line of several in a list', 'a1.ru\na2.ru\na3.ru, a4.ru; a5.ru\na6.ru'],
    ['semicolons before commas', 'a1.ru; a2.ru, a3.ru\na4.ru; a5.ru, a6.ru'],
    ['semicolons after lines without any', 'a1.ru\na2.ru; a3.ru\na4.ru;a5.ru\na6.ru'],
    ['blanks', 'a1.ru a2.ru\na3.ru\ta4.ru  a5.ru\na6.ru'],
  ])('takes every name between mixed separators: %s', (_, text) => {
    expect(stage(utf8(text)).rows.map(({ domain_name }) => domain_name)).toEqual(
      Array.from({ length: 6 }, (_one, index) => `a${index + 1}.ru`),
    );
  });

  test.each([
    ['registrars that are hosts', 'a.com;Север;reg.ru\nb.com;Юг;reg.ru'],
    ['registrars of which few are hosts', 'a.com;reg.ru\nb.com;Namecheap\nc.com;Dynadot'],
    ['dates', 'a.com;01.02.2027\nb.com;01.03.2027'],
    ['folders', 'a.com;/var/www/a.com\nb.com;/var/www/b.com'],
    ['projects', 'a.com, Север\nb.com, Юг и Запад'],
  ])('is a table with columns of %s', (_, text) => {
    const { rows, columns } = readTable(readCsv(utf8(text)).rows, options());
    expect(rows.map(({ cells }) => cells[0])).toEqual(text.split('\n').map((line) => line.split(/[,;]/)[0]));
    expect(columns.length).toBeGreaterThan(1);
  });

  test.each<[string, string, Record<number, string>]>([
    ['among comments', 'a.com, b.com\nc.com, comment\nd.com, another\ne.com, third', { 1: 'b.com' }],
    ['behind dates', 'a.com;2027-01-01\nb.com;2027-01-01;c.com, d.com', { 2: 'c.com, d.com' }],
    ['under a heading', 'Домены\na.com, b.com\nc.com, x\nd.com, y\ne.com, z', { 2: 'b.com' }],
    ['beside a name that is wrong', 'a.com, x\nne_ok.com, b.com\nc.com, y\nd.com, z', { 2: 'b.com' }],
    ['beyond as many columns as are shown', `a.com;2027-01-01\nb.com;2027-01-01${';'.repeat(60)}c.com`, { 2: 'c.com' }],
  ])('that looks like a table tells each name that it does not take: %s', (_, text, told) => {
    const { rows } = stage(utf8(text));
    const notes = rows.map(({ line, messages }) => [line, messages.find(({ key }) => key === 'import.beside')?.params]);
    const expected = Object.entries(told).map(([line, value]) => [Number(line), { value, n: value.split(',').length }]);
    expect(notes.filter(([, params]) => params !== undefined)).toEqual(expected);
    // A row is no less taken for that.
    expect(rows.filter(({ action }) => action === 'error').map(({ domain_name }) => domain_name)).toEqual(
      text.includes('ne_ok') ? [null] : [],
    );
  });

  test.each([
    ['names that are other rows’ own', 'a.com;2027-01-01;b.com\nb.com;2027-01-01;a.com', {}],
    ['addresses of the same name', 'a.com;2027-01-01;https://a.com/\nb.com;2027-01-01;http://b.com', {}],
    ['columns with titles', 'домен;регистратор;замечание\na.com;;b.com\nc.com;;x\nd.com;;y', {}],
    ['columns that were chosen', 'a.com;x\nb.com;c.com\nd.com;y', { columns: 'domain_name,' }],
  ])('tells nothing of %s', (_, text, change) => {
    expect(stage(utf8(text), change).rows.flatMap(({ messages }) => messages)).toEqual([]);
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
