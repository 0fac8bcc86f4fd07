import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { guardCell, unguardCell, writeCsv } from '../../src/shared/csv.ts';

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
