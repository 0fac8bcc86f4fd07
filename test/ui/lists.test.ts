import { expect, it } from 'vitest';
import { cellsText, Cells, parseCells } from '../../src/shared/portfolio/domain-cells.ts';
import { fitColumns } from '../../ui/kit/table/fit.ts';
import { csvOf, idsOf, laidOut, moved, queryOfView } from '../../ui/kit/list/layout.ts';
import type { Column } from '../../ui/kit/table/DataTable.tsx';

const column = (id: string, width: number, more: Partial<Column<object>> = {}): Column<object> => ({
  id,
  header: { name: id },
  cell: () => id,
  width,
  ...more,
});
const NAME = column('name', 200, { card: 'title', grow: 1 });
const COLUMNS = [
  NAME,
  column('a', 100, { priority: 1 }),
  column('b', 100, { priority: 2 }),
  column('note', 1, { only: 'card' }),
  column('actions', 100),
];
const idsIn = (width: number, columns = COLUMNS): string[] | undefined =>
  fitColumns(columns, width, { hasBoxes: false })?.columns.map(({ id }) => id);

it('columns go by priority until the rest has room; the name and the acts stay', () => {
  expect(idsIn(516)).toEqual(['name', 'a', 'b', 'actions']);
  expect(idsIn(515)).toEqual(['name', 'a', 'actions']);
  expect(idsIn(100)).toEqual(['name', 'actions']);
  expect(fitColumns(COLUMNS, 100, { hasBoxes: false })?.widths).toEqual([200, 100]);
  expect(fitColumns(COLUMNS, 616, { hasBoxes: true })).toMatchObject({
    widths: [40, 260, 100, 100, undefined],
    left: [],
  });
  expect(fitColumns(COLUMNS, 515, { hasBoxes: false })?.left.map(({ id }) => id)).toEqual(['b']);
  expect(fitColumns([{ id: 'x', header: { name: 'x' }, cell: () => 'x' }], 500, { hasBoxes: false })).toBeUndefined();
});

it('a column that may shrink keeps its width as long as another one may go, and then gives what is lacking', () => {
  const columns = [{ ...NAME, least: 150 }, ...COLUMNS.slice(1)];
  const widthsIn = (width: number) => fitColumns(columns, width, { hasBoxes: false })?.widths;
  expect(widthsIn(416)).toEqual([200, 100, undefined]);
  expect(widthsIn(415)).toEqual([299, undefined]);
  expect(widthsIn(316)).toEqual([200, undefined]);
  expect(widthsIn(286)).toEqual([170, undefined]);
  expect(widthsIn(266)).toEqual([150, undefined]);
  expect(widthsIn(265)).toEqual([150, 100]);
});

it('lists of one grid have the same edges, with boxes and without', () => {
  const short = COLUMNS.filter(({ id }) => id !== 'b');
  const among = COLUMNS;
  const plain = fitColumns(short, 716, { among, hasBoxes: false });
  const boxed = fitColumns(among, 716, { among, hasBoxes: true });
  expect(plain?.widths).toEqual([400, 100, undefined]);
  expect(fitColumns(among, 716, { among: [...among], hasBoxes: true })?.widths.slice(0, 3)).toEqual([40, 360, 100]);
  expect(boxed?.widths[0]).toBe(40);
});

it('chosen columns come in their order, and the first of them have room longest', () => {
  const ids = idsOf('b.x.a.b.name', COLUMNS);
  expect(ids).toEqual(['b', 'a']);
  expect(idsOf('x', COLUMNS)).toBeUndefined();
  const chosen = laidOut(COLUMNS, ids);
  expect(idsIn(516, [...chosen])).toEqual(['name', 'b', 'a', 'actions']);
  expect(idsIn(515, [...chosen])).toEqual(['name', 'b', 'actions']);
  expect(laidOut(COLUMNS, ['b']).find(({ id }) => id === 'a')?.only).toBe('card');
  expect([moved(['a', 'b'], 'b', -1), moved(['a', 'b'], 'b', 1), moved(['a'], 'x', 1)]).toEqual([
    ['b', 'a'],
    ['a', 'b'],
    ['a'],
  ]);
});

it('a name that is not the first column keeps its place where others are chosen, and what is in one form only stays', () => {
  const at = column('at', 100);
  const card = column('facts', 100, { only: 'card' });
  const log = [at, column('who', 100), column('object', 100, { card: 'title' }), column('door', 100), card];
  const idsOfLog = (ids: string[]) =>
    laidOut(log, ids)
      .filter(({ only }) => only === undefined)
      .map(({ id }) => id);
  expect(idsOfLog(['door', 'at', 'who'])).toEqual(['door', 'at', 'object', 'who']);
  expect(idsOfLog(['door'])).toEqual(['door', 'object']);
  expect(idsOf('facts.object.door', log)).toEqual(['door']);
  expect(laidOut(log, ['door']).map(({ id }) => id)).toContain('facts');
});

it('a file of what is seen has the fields of its columns, and formulas in it are harmless', () => {
  const columns: Column<object>[] = [
    column('at', 100, { fields: ['at', 'n'] }),
    column('secret', 100),
    column('hidden', 100, { only: 'card', fields: ['hidden'] }),
    column('list', 100, { fields: ['list'] }),
  ];
  const rows = [
    { at: '=1+1', n: 5, secret: 'x', hidden: 'x', list: [1, 2] },
    { at: null, n: false, list: 'a;b' },
  ];
  expect(csvOf(rows, columns)).toBe('\uFEFFat;n;list\r\n\'=1+1;5;[1,2]\r\n;false;"a;b"\r\n');
});

it('a view is the fields of the address that make it, in one order', () => {
  expect(queryOfView('?dialog=7&sort=-a&status=x', ['status', 'sort'])).toBe('status=x&sort=-a');
});

it('cells are read as they were written, and what is not understood is refused', () => {
  const cells = [
    { field: 'registrar_type', not: true, value: 'a,b:c' },
    { field: 'project_id', not: false, value: '' },
  ] as const;
  expect(parseCells(cellsText(cells))).toEqual(cells);
  const isTaken = (text: string): boolean => Cells.safeParse(text).success;
  expect(['', 'type:main', '-type:main,status:blocked'].map(isTaken)).toEqual([true, true, true]);
  expect(['nothing:1', 'type', 'project_id:x', 'type:%', 'type:%00', 'type:a,,'].map(isTaken)).toEqual(
    Array.from({ length: 6 }, () => false),
  );
});
