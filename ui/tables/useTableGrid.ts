import { useRef, useState } from 'react';
import type { ListOf } from '../../src/shared/lists.ts';
import type { TableColumn, TableRow } from '../../src/shared/system/table-editor.ts';
import { queries, refresh } from '../kit/api.ts';
import { useT } from '../kit/language.ts';
import { useGrid, type Block, type Grid, type Place } from '../kit/table/grid.ts';
import { PAGE, type RowsSource } from '../kit/table/useRows.ts';
import { toast } from '../kit/toasts.tsx';
import { useNarrow } from '../kit/useNarrow.ts';
import type { CardEdits, CellEdits, Draft } from './cellEdits.ts';
import { isIds, meantBy, textOf } from './fields.ts';
import { partOf } from './parts.ts';
import type { Pasted } from './PasteCells.tsx';
import { writeTsv } from './tsv.ts';
import type { NamedRow } from './useColumns.tsx';
import { useEdits, type Edits } from './useEdits.ts';

interface TableGridOptions {
  table: string;
  /** The columns of the table that are shown, in order. */
  columns: readonly TableColumn[];
  /** Whether a column of actions follows. */
  actions: boolean;
  source: RowsSource<NamedRow>;
  total: number;
  /** Opens the form of a row: for values that have no field of one line. */
  onForm: (row: TableRow) => void;
}

interface TableGrid {
  grid: Grid;
  edits: Edits;
  /** The cell that is edited, for `CellEditsContext`. */
  editing: CellEdits | undefined;
  /** For `CardEditsContext`, in a narrow window. */
  cards: CardEdits | undefined;
  pasted: Pasted | undefined;
  endPaste: () => void;
}

/** Returns a row that was loaded, by its number in the list. */
const rowAt = ({ key }: RowsSource<NamedRow>, row: number): TableRow | undefined =>
  queries.getQueryData<ListOf<NamedRow>>([...key, { page: Math.floor(row / PAGE) }])?.data[row % PAGE]?.row;

/** Whether a value is typed in its cell: others have a form. */
const isTyped = (column: TableColumn): boolean => column.edits && column.kind !== 'secret' && !isIds(column);

const elementAt = ({ row, column }: Place): HTMLElement | null =>
  document.querySelector(`[data-place="${row}:${column}"]`);

/** Returns the text of chosen cells for the clipboard; undefined where one is not loaded. */
function copyOf({ source, columns }: TableGridOptions, { top, bottom, left, right }: Block): string | undefined {
  const rows = Array.from({ length: bottom - top + 1 }, (_, index) => rowAt(source, top + index));
  if (rows.includes(undefined)) return undefined;
  const chosen = columns.slice(left, right + 1);
  return writeTsv(rows.map((row) => chosen.map((column) => textOf(column, row?.[column.name]))));
}

interface Edited {
  id: number;
  column: string;
  /** In the grid; cards have no places. */
  place: Place | undefined;
}

/** Keeps which cell is edited, and what is typed into it. `onForm` gets the row of a value that is not typed. */
function useEdited(onForm: (row: TableRow) => void) {
  const [edited, setEdited] = useState<Edited>();
  const draft = useRef<Draft>(undefined);
  // The cell that is edited now: another one may be opened while the former is still being saved.
  const now = useRef<Edited>(undefined);
  const open = (row: TableRow, column: TableColumn, place?: Place): void => {
    if (!isTyped(column)) {
      onForm(row);
      return;
    }
    draft.current = undefined;
    now.current = { id: row.id, column: column.name, place };
    setEdited(now.current);
  };
  const end = (): void => {
    now.current = undefined;
    draft.current = undefined;
    setEdited(undefined);
  };
  const keep = (kept: Draft): void => {
    draft.current = kept;
  };
  return { edited, open, end, typing: { draft: () => draft.current, keep, isOpen: () => now.current === edited } };
}

/** Returns how cells are edited on cards; `leave` tells which cell the focus is to return to. */
function useCards(open: CardEdits['open']): { cards: CardEdits; leave: (cell: Edited) => void } {
  const left = useRef<string>(undefined);
  const takesFocus = (id: number, column: string): boolean => {
    const isIt = left.current === `${id} ${column}`;
    if (isIt) left.current = undefined;
    return isIt;
  };
  const leave = ({ id, column }: Edited): void => {
    left.current = `${id} ${column}`;
  };
  return { cards: { open, takesFocus }, leave };
}

/** Makes the rows of a table a grid: cells are walked, edited in their place, copied and pasted, and that is taken back. */
export function useTableGrid(options: TableGridOptions): TableGrid {
  const { table, columns, actions, source, total, onForm } = options;
  const t = useT();
  const edits = useEdits(table, source.key);
  const { edited, open, end, typing } = useEdited(onForm);
  const [pasted, setPasted] = useState<Pasted>();
  const narrow = useNarrow();
  const { cards, leave } = useCards(open);
  const onOpen = (place: Place): void => {
    const row = rowAt(source, place.row);
    const column = columns[place.column];
    if (row && column?.edits) open(row, column, place);
    else elementAt(place)?.querySelector<HTMLElement>('a, button')?.focus();
  };
  const onCopy = (block: Block): string | undefined => {
    const text = copyOf(options, block);
    if (text === undefined) toast.error(t('tables.not_loaded'));
    else toast.info(t('tables.copied', { n: (block.bottom - block.top + 1) * (block.right - block.left + 1) }));
    return text;
  };
  const { grid, focus } = useGrid({
    rows: total,
    columns: columns.length + (actions ? 1 : 0),
    opened: edited?.place,
    readOnly: ({ column }) => !columns[column]?.edits,
    onOpen,
    onCopy,
    onUndo: edits.undo,
    onPaste: (text, block) => setPasted({ text, block }),
  });
  const editing: CellEdits | undefined = edited && {
    id: edited.id,
    column: edited.column,
    ...typing,
    save: async (row, column, typed) => {
      const written = await edits.write(row, { [column.name]: meantBy(column, typed) });
      const text = t('tables.cell_saved', { column: column.name, id: row.id });
      edits.done(text, [written]);
    },
    reread: async (id) => {
      void refresh('GET /api/tables/:table');
      return (await partOf(table, { limit: 1, id }, AbortSignal.timeout(10_000))).data[0];
    },
    close: (step) => {
      if (!typing.isOpen()) return;
      end();
      if (step === undefined) return;
      // A window that has become narrow, or wide, since has no such place.
      if (narrow) leave(edited);
      else if (edited.place) focus({ ...edited.place, column: edited.place.column + step });
    },
  };
  return { grid, edits, editing, cards: narrow ? cards : undefined, pasted, endPaste: () => setPasted(undefined) };
}
