import {
  lazy,
  Suspense,
  useState,
  type KeyboardEvent,
  type MouseEvent,
  type ReactElement,
  type ReactNode,
} from 'react';
import type { CellMenuPanelProps } from './CellMenuPanel.tsx';
import type { CellValue, Column, DataTableProps } from './DataTable.tsx';

const CellMenuPanel = lazy(async () => ({ default: (await import('./CellMenuPanel.tsx')).CellMenuPanel })) as <Row>(
  props: CellMenuPanelProps<Row>,
) => ReactElement;

interface Asked<Row> {
  cell: HTMLTableCellElement;
  column: Column<Row>;
  value: CellValue;
}

interface CellMenuHandlers {
  onContextMenu: (event: MouseEvent<HTMLElement>) => void;
  onKeyDown: (event: KeyboardEvent<HTMLElement>) => void;
}

/** The cell that something is in; of a row as a whole, its first one. */
function cellAt(target: EventTarget): HTMLTableCellElement | null {
  if (!(target instanceof Element)) return null;
  return (
    target.closest('td') ?? target.closest('tr')?.querySelector<HTMLTableCellElement>('td:not(.select-cell)') ?? null
  );
}

/**
 * The menu of a cell, by the right button, the menu key or Shift+F10; the arrows lead from one cell of its row to the next. With
 * Shift, and on the link of a name, the right button is the browser's. Null handlers: the list has none.
 */
export function useCellMenu<Row extends { id: number }>(
  { cellMenu, selection }: DataTableProps<Row>,
  columns: readonly Column<Row>[],
  rowAt: (index: number) => Row | undefined,
): { handlers: CellMenuHandlers | undefined; menu: ReactNode } {
  const [asked, ask] = useState<Asked<Row>>();
  if (!cellMenu) return { handlers: undefined, menu: null };
  const open = (cell: HTMLTableCellElement | null): boolean => {
    const row = rowAt(Number(cell?.closest('tr')?.dataset['index']));
    const column = cell ? columns[cell.cellIndex - (selection ? 1 : 0)] : undefined;
    const value = row && column && cellMenu(row, column.id);
    if (!cell || !column || !value) return false;
    ask({ cell, column, value });
    return true;
  };
  const turn = (by: 1 | -1): void => {
    const next = (cell: Element): Element | null => (by > 0 ? cell.nextElementSibling : cell.previousElementSibling);
    for (let cell = asked && next(asked.cell); cell instanceof HTMLTableCellElement; cell = next(cell))
      if (open(cell)) return;
  };
  const handlers: CellMenuHandlers = {
    onContextMenu: (event) => {
      const isName = event.target instanceof Element && event.target.closest('a.domain-name, input') !== null;
      if (!event.shiftKey && !isName && open(cellAt(event.target))) event.preventDefault();
    },
    onKeyDown: (event) => {
      const isMenu = event.key === 'ContextMenu' || (event.key === 'F10' && event.shiftKey);
      if (isMenu && open(cellAt(event.target))) event.preventDefault();
    },
  };
  const menu = asked && (
    <Suspense fallback={null}>
      <CellMenuPanel
        key={asked.cell.cellIndex}
        cell={asked.cell}
        column={asked.column}
        value={asked.value}
        onTurn={turn}
        onClose={() => ask(undefined)}
      />
    </Suspense>
  );
  return { handlers, menu };
}
