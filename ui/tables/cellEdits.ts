import { createContext, useContext } from 'react';
import type { TableColumn, TableRow } from '../../src/shared/system/table-editor.ts';

/** The text typed into a cell, and the row that it is compared with: as it was when typing began, or after a refusal as reread. */
export interface Draft {
  typed: string;
  row: TableRow;
}

/** The cell that is edited in its place, for the cells of the list. */
export interface CellEdits {
  id: number;
  column: string;
  /** Outlives the field, which is removed while its row is scrolled out of sight. */
  draft: () => Draft | undefined;
  keep: (draft: Draft) => void;
  save: (row: TableRow, column: TableColumn, typed: string) => Promise<void>;
  /** Returns the row as it is now; undefined: it is gone. */
  reread: (id: number) => Promise<TableRow | undefined>;
  /** Whether this cell is the one that is edited: not, where another one was opened while it was being saved. */
  isOpen: () => boolean;
  /** Ends editing, if the cell is still the one that is edited; the focus goes to the cell, or as many columns further. Undefined leaves the focus where it is. */
  close: (step: number | undefined) => void;
}

/** How cells are edited on cards, which have no cells to walk. */
export interface CardEdits {
  open: (row: TableRow, column: TableColumn) => void;
  /** Whether the focus is to return to the button of a cell; answers yes once. */
  takesFocus: (id: number, column: string) => boolean;
}

export const CardEditsContext = createContext<CardEdits | undefined>(undefined);

export const CellEditsContext = createContext<CellEdits | undefined>(undefined);

/** Returns how a cell is edited; undefined while it is not. */
export function useCellEdits(id: number, column: string): CellEdits | undefined {
  const edits = useContext(CellEditsContext);
  return edits?.id === id && edits.column === column ? edits : undefined;
}
