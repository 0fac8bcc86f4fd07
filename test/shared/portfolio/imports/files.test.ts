import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { readCsv } from '../../../../src/lib/csv.ts';
import { AppError } from '../../../../src/shared/errors.ts';
import type { Staged } from '../../../../src/shared/portfolio/import-stage.ts';
import { stage, utf8 } from './staging.ts';

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
