import {
  useCallback,
  useRef,
  useState,
  type ClipboardEvent,
  type HTMLAttributes,
  type KeyboardEvent,
  type MouseEvent,
  type RefObject,
} from 'react';

/** A cell: the number of its row in the list, and that of its column. */
export interface Place {
  row: number;
  column: number;
}

/** The chosen cells: from its anchor to the one with the focus. */
export interface Block {
  top: number;
  bottom: number;
  left: number;
  right: number;
}

/** How the list around a grid scrolls. */
interface Scroller {
  region: RefObject<HTMLElement | null>;
  toRow: (row: number) => void;
}

/** The props that make a table a grid: one cell at a time takes the focus, and keys move it. */
export interface Grid {
  /** Called after each rendering: the wanted cell may be there now. */
  settle: (scroller: Scroller) => void;
  cell: (place: Place) => HTMLAttributes<HTMLElement> & { 'data-place': string };
  section: HTMLAttributes<HTMLElement>;
}

interface GridOptions {
  rows: number;
  columns: number;
  readOnly: (place: Place) => boolean;
  /** The cell that has become a field, and takes no focus itself. */
  opened: Place | undefined;
  /** Enter, F2 or a double click on a cell. */
  onOpen: (place: Place) => void;
  /** Ctrl+Z on a cell. */
  onUndo: () => void;
  /** Returns the text of the chosen cells; undefined leaves copying to the browser. */
  onCopy: (block: Block) => string | undefined;
  onPaste: (text: string, block: Block) => void;
}

/** A screen's control of its grid. */
interface GridControl {
  grid: Grid;
  /** Moves the focus to a cell. */
  focus: (place: Place) => void;
}

// Rows that Page Up and Page Down go on.
const LEAP = 10;

const blockOf = (one: Place, other: Place): Block => ({
  top: Math.min(one.row, other.row),
  bottom: Math.max(one.row, other.row),
  left: Math.min(one.column, other.column),
  right: Math.max(one.column, other.column),
});

const isSame = (one: Place, other: Place): boolean => one.row === other.row && one.column === other.column;

const isWithin = ({ top, bottom, left, right }: Block, { row, column }: Place): boolean =>
  row >= top && row <= bottom && column >= left && column <= right;

/** Returns the cell that a key leads to; undefined for any other key. */
function stepOf(key: string, ctrl: boolean, { row, column }: Place, last: Place): Place | undefined {
  switch (key) {
    case 'ArrowUp':
      return { row: row - 1, column };
    case 'ArrowDown':
      return { row: row + 1, column };
    case 'ArrowLeft':
      return { row, column: column - 1 };
    case 'ArrowRight':
      return { row, column: column + 1 };
    case 'Home':
      return { row: ctrl ? 0 : row, column: 0 };
    case 'End':
      return { row: ctrl ? last.row : row, column: last.column };
    case 'PageUp':
      return { row: row - LEAP, column };
    case 'PageDown':
      return { row: row + LEAP, column };
    default:
      return undefined;
  }
}

const placeOf = (element: EventTarget): string | undefined =>
  element instanceof HTMLElement ? element.dataset['place'] : undefined;

/** Whether something in a cell takes the press for itself. */
const isControl = (target: EventTarget): boolean =>
  target instanceof Element && target.closest('input, select, a, button, li') !== null;

/** Keeps which cell has the focus and which are chosen, in a list of any length: the cell may have to be scrolled to first. */
function useCells({ rows, columns }: GridOptions) {
  const [active, setActive] = useState<Place>({ row: 0, column: 0 });
  const [anchor, setAnchor] = useState<Place>(active);
  const wanted = useRef<Place>(undefined);
  const scroller = useRef<Scroller>(undefined);
  const holds = useRef(false);
  const last: Place = { row: Math.max(0, rows - 1), column: Math.max(0, columns - 1) };
  const inside = ({ row, column }: Place): Place => ({
    row: Math.min(Math.max(0, row), last.row),
    column: Math.min(Math.max(0, column), last.column),
  });
  const settle = useCallback((view: Scroller): void => {
    scroller.current = view;
    // The cell with the focus was scrolled out and removed: the keys go on from the list.
    if (holds.current && document.activeElement === document.body) view.region.current?.focus({ preventScroll: true });
    if (!wanted.current) return;
    const { row, column } = wanted.current;
    const cell = view.region.current?.querySelector<HTMLElement>(`[data-place="${row}:${column}"]`);
    if (!cell) return;
    wanted.current = undefined;
    cell.focus();
  }, []);
  const focus = (place: Place, extend = false): void => {
    const next = inside(place);
    setActive(next);
    if (!extend) setAnchor(next);
    wanted.current = next;
    scroller.current?.toRow(next.row);
  };
  const hold = (held: boolean): void => {
    holds.current = held;
  };
  return { active: inside(active), anchor: inside(anchor), last, hold, settle, focus, setActive, setAnchor };
}

/** Makes a grid of a table (ARIA's pattern): arrows, Home, End and Page keys walk its cells, with Shift they choose a block. */
export function useGrid(options: GridOptions): GridControl {
  const { active, anchor, last, hold, settle, focus, setActive, setAnchor } = useCells(options);
  const block = blockOf(anchor, active);
  const onKeyDown = (event: KeyboardEvent<HTMLElement>): void => {
    const ctrl = event.ctrlKey || event.metaKey;
    const isOnList = event.target === event.currentTarget;
    if (event.altKey || (!isOnList && placeOf(event.target) === undefined)) return;
    const step = stepOf(event.key, ctrl, active, last);
    if (step) focus(isOnList ? active : step, event.shiftKey);
    else if (isOnList) return;
    else if (event.key === 'Enter' || event.key === 'F2') options.onOpen(active);
    else if (event.key === 'Escape' && (block.top !== block.bottom || block.left !== block.right)) setAnchor(active);
    else if (ctrl && !event.shiftKey && event.code === 'KeyZ') options.onUndo();
    else return;
    event.preventDefault();
    event.stopPropagation();
  };
  const onCopy = (event: ClipboardEvent<HTMLElement>): void => {
    if (placeOf(event.target) === undefined || document.getSelection()?.isCollapsed === false) return;
    const text = options.onCopy(block);
    if (text === undefined) return;
    event.clipboardData.setData('text/plain', text);
    event.preventDefault();
  };
  const onPaste = (event: ClipboardEvent<HTMLElement>): void => {
    const text = event.clipboardData.getData('text/plain');
    if (placeOf(event.target) === undefined || text === '') return;
    event.preventDefault();
    options.onPaste(text, block);
  };
  const onBlur = (): void => hold(false);
  const cell: Grid['cell'] = (place) => ({
    role: 'gridcell',
    tabIndex: options.opened && isSame(options.opened, place) ? undefined : isSame(active, place) ? 0 : -1,
    'aria-selected': isWithin(block, place),
    'aria-readonly': options.readOnly(place),
    'data-place': `${place.row}:${place.column}`,
    onFocus: (event) => {
      if (event.target !== event.currentTarget) return;
      hold(true);
      if (isSame(active, place)) return;
      setActive(place);
      setAnchor(place);
    },
    onMouseDown: (event: MouseEvent<HTMLElement>) => {
      if (!event.shiftKey || event.button !== 0 || isControl(event.target)) return;
      // The browser would choose the text between.
      event.preventDefault();
      focus(place, true);
    },
    onDoubleClick: (event) => {
      if (!isControl(event.target)) options.onOpen(place);
    },
  });
  return { grid: { settle, cell, section: { onKeyDown, onCopy, onPaste, onBlur } }, focus };
}
