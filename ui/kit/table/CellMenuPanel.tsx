import { Classes } from '@blueprintjs/core';
import { useEffect, useLayoutEffect, useRef, type KeyboardEvent, type ReactElement, type RefObject } from 'react';
import { createPortal } from 'react-dom';
import type { Key } from '../../../src/shared/i18n/index.ts';
import { useCopy } from '../CopyButton.tsx';
import { ClipboardIcon, MinusIcon, SearchIcon } from '../icons.tsx';
import { T } from '../T.tsx';
import type { CellValue, Column } from './DataTable.tsx';
import { HeaderText } from './HeaderText.tsx';

export interface CellMenuPanelProps<Row> {
  cell: HTMLElement;
  column: Column<Row>;
  value: CellValue;
  /** Goes on to the menu of the next cell, or the one before. */
  onTurn: (by: 1 | -1) => void;
  onClose: () => void;
}

function Item({ icon, text, onPress }: { icon: ReactElement; text: Key; onPress: () => void }) {
  return (
    <li>
      <button type="button" className={Classes.MENU_ITEM} onClick={onPress}>
        {icon}
        <span className={Classes.FILL}>
          <T k={text} />
        </span>
      </button>
    </li>
  );
}

const EDGE = 4;

/** Puts the menu under its cell, or above it where there is no room. */
function place(panel: HTMLElement, cell: HTMLElement): void {
  const at = cell.getBoundingClientRect();
  const isAbove = at.bottom + panel.offsetHeight > window.innerHeight - EDGE;
  panel.style.top = `${isAbove ? Math.max(EDGE, at.top - panel.offsetHeight) : at.bottom}px`;
  panel.style.left = `${Math.max(EDGE, Math.min(at.left, window.innerWidth - panel.offsetWidth - EDGE))}px`;
}

type PanelRef = RefObject<HTMLElement | null>;

/** Puts the panel at its cell, which is marked, and gives it the focus; at the end the focus goes back. */
function useAskedCell(panel: PanelRef, cell: HTMLElement): void {
  useLayoutEffect(() => {
    const before = document.activeElement;
    const own = panel.current;
    if (own) {
      place(own, cell);
      own.querySelector('button')?.focus({ preventScroll: true });
    }
    cell.classList.add('asked');
    return () => {
      cell.classList.remove('asked');
      if (before instanceof HTMLElement && before.isConnected) before.focus({ preventScroll: true });
    };
  }, [panel, cell]);
}

/** Closes the panel on a press elsewhere, and when anything is scrolled. */
function useCloseElsewhere(panel: PanelRef, onClose: () => void): void {
  useEffect(() => {
    const onPress = ({ target }: Event): void => {
      if (!(target instanceof Node && panel.current?.contains(target) === true)) onClose();
    };
    document.addEventListener('mousedown', onPress, { capture: true });
    document.addEventListener('scroll', onClose, { capture: true });
    return () => {
      document.removeEventListener('mousedown', onPress, { capture: true });
      document.removeEventListener('scroll', onClose, { capture: true });
    };
  }, [panel, onClose]);
}

/** The menu of a cell: its value, and the acts on it. */
export function CellMenuPanel<Row>({ cell, column, value, onTurn, onClose }: CellMenuPanelProps<Row>) {
  const panel = useRef<HTMLDivElement>(null);
  const copy = useCopy(value.text);
  useAskedCell(panel, cell);
  useCloseElsewhere(panel, onClose);
  const step = (by: 1 | -1): void => {
    const all = [...(panel.current?.querySelectorAll('button') ?? [])];
    const at = all.findIndex((one) => one === document.activeElement);
    all.at((at + by + all.length) % all.length)?.focus();
  };
  const KEYS: Record<string, () => void> = {
    Escape: onClose,
    Tab: onClose,
    ArrowDown: () => step(1),
    ArrowUp: () => step(-1),
    ArrowLeft: () => onTurn(-1),
    ArrowRight: () => onTurn(1),
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    const act = KEYS[event.key];
    if (!act) return;
    event.preventDefault();
    event.stopPropagation();
    act();
  };
  const narrow = (not: boolean): void => {
    onClose();
    value.narrow?.(not);
  };
  return createPortal(
    // oxlint-disable-next-line jsx-a11y/no-static-element-interactions -- it listens to what is in it
    <div ref={panel} className={`${Classes.POPOVER} ${Classes.MINIMAL} popover cell-menu`} onKeyDown={onKeyDown}>
      <div className={Classes.POPOVER_CONTENT}>
        <p className="cell-menu-head">
          <HeaderText column={column} />: <b translate="no">{value.text || '—'}</b>
        </p>
        <ul className={Classes.MENU}>
          {value.narrow && <Item icon={<SearchIcon />} text="views.only" onPress={() => narrow(false)} />}
          {value.narrow && <Item icon={<MinusIcon />} text="views.all_but" onPress={() => narrow(true)} />}
          <Item
            icon={<ClipboardIcon />}
            text="ui.copy"
            onPress={() => {
              onClose();
              void copy();
            }}
          />
        </ul>
      </div>
    </div>,
    document.querySelector('main') ?? document.body,
  );
}
