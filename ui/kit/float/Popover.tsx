import { Classes } from '@blueprintjs/core';
import {
  useCallback,
  useEffect,
  useLayoutEffect,
  useRef,
  useState,
  type KeyboardEvent,
  type MouseEvent,
  type ReactNode,
  type Ref,
  type RefObject,
} from 'react';
import { createPortal } from 'react-dom';
import './float.css';

/** The props that the button of a popover has to take. */
export interface PopoverTarget {
  ref: Ref<HTMLButtonElement>;
  active: boolean;
  'aria-expanded': boolean;
  onClick: () => void;
}

interface PopoverProps {
  content: ReactNode;
  /** The edge of the button that it stands at. */
  align: 'start' | 'end';
  children: (target: PopoverTarget) => ReactNode;
}

// Pixels to the edge of the window.
const EDGE = 4;

/** Puts a panel under its button, or above it where there is more room. */
function place(panel: HTMLElement, button: HTMLElement, align: 'start' | 'end'): void {
  const at = button.getBoundingClientRect();
  const { offsetWidth: width, offsetHeight: height } = panel;
  const isAbove = at.bottom + height > window.innerHeight - EDGE && at.top > window.innerHeight - at.bottom;
  const top = isAbove ? Math.max(EDGE, at.top - height) : at.bottom;
  const left = align === 'start' ? at.left : at.right - width;
  panel.style.top = `${top}px`;
  panel.style.left = `${Math.max(EDGE, Math.min(left, document.documentElement.clientWidth - width - EDGE))}px`;
}

const focusable = (panel: HTMLElement): HTMLElement[] => [
  ...panel.querySelectorAll<HTMLElement>('a[href], button:not(:disabled), input:not(:disabled), [tabindex="0"]'),
];

/** Tab goes round within the panel. */
function goRound(event: KeyboardEvent, panel: HTMLElement): void {
  const all = focusable(panel);
  const edge = event.shiftKey ? all[0] : all.at(-1);
  const isAtEdge = document.activeElement === edge || (event.shiftKey && document.activeElement === panel);
  if (all.length > 0 && !isAtEdge) return;
  event.preventDefault();
  (event.shiftKey ? all.at(-1) : all[0])?.focus();
}

/** Keeps the end of a key press from the button that has the focus by then: Blueprint's buttons take it for a press of theirs. */
const endPressHere = (): void =>
  window.addEventListener('keyup', (event) => event.stopPropagation(), { capture: true, once: true });

/** Closes the panel on a press that is neither in it nor on its button. */
function useCloseElsewhere(
  panel: RefObject<HTMLElement | null>,
  button: RefObject<HTMLElement | null>,
  onClose: () => void,
): void {
  useEffect(() => {
    const onPress = ({ target }: Event): void => {
      const isOwn = target instanceof Node && (panel.current?.contains(target) || button.current?.contains(target));
      if (isOwn !== true) onClose();
    };
    document.addEventListener('mousedown', onPress, { capture: true });
    return () => document.removeEventListener('mousedown', onPress, { capture: true });
  }, [panel, button, onClose]);
}

interface PanelProps {
  button: RefObject<HTMLButtonElement | null>;
  align: 'start' | 'end';
  onClose: () => void;
  children: ReactNode;
}

function Panel({ button, align, onClose, children }: PanelProps) {
  const panel = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    const own = panel.current;
    const opener = button.current;
    if (!own || !opener) return undefined;
    const follow = (): void => place(own, opener, align);
    follow();
    own.focus({ preventScroll: true });
    window.addEventListener('scroll', follow, { capture: true, passive: true });
    window.addEventListener('resize', follow);
    return () => {
      window.removeEventListener('scroll', follow, { capture: true });
      window.removeEventListener('resize', follow);
      // A press may have moved the focus to its target; a focus that is lost with the panel returns to the button.
      const { activeElement, body } = document;
      if (activeElement === body || activeElement === null || own.contains(activeElement)) opener.focus();
    };
  }, [button, align]);
  // Its button moves with the row that it stands in.
  useLayoutEffect(() => {
    if (panel.current && button.current) place(panel.current, button.current, align);
    // The pressed element may have been removed, and the focus with it.
    if (document.activeElement === document.body) panel.current?.focus({ preventScroll: true });
  });
  useCloseElsewhere(panel, button, onClose);
  const isPressed = useRef(false);
  const onKeyDown = (event: KeyboardEvent): void => {
    isPressed.current = event.key === 'Enter' || event.key === ' ';
    if (event.key === 'Tab' && panel.current) goRound(event, panel.current);
    if (event.key !== 'Escape') return;
    // Not the dialog around it.
    event.stopPropagation();
    onClose();
  };
  const onClick = ({ target }: MouseEvent): void => {
    if (!(target instanceof Element) || !target.closest(`.${Classes.POPOVER_DISMISS}`)) return;
    if (isPressed.current) endPressHere();
    onClose();
  };
  return createPortal(
    // oxlint-disable-next-line jsx-a11y/no-static-element-interactions -- it listens to what is in it
    <div
      ref={panel}
      tabIndex={-1}
      className={`${Classes.POPOVER} ${Classes.MINIMAL} popover`}
      onKeyDown={onKeyDown}
      onClick={onClick}
    >
      <div className={Classes.POPOVER_CONTENT}>{children}</div>
    </div>,
    // Within the landmark of its button, so that a screen reader knows where it is.
    button.current?.closest(`.${Classes.OVERLAY}, main, header`) ?? document.body,
  );
}

/**
 * A panel that a button opens beside itself: it takes the focus, and closes on Escape, on a press elsewhere, and on a press of
 * an element in it with the class `bp6-popover-dismiss`. Blueprint's own popover would load a whole positioning library.
 */
export function Popover({ content, align, children }: PopoverProps) {
  const [isOpen, setOpen] = useState(false);
  const button = useRef<HTMLButtonElement>(null);
  const close = useCallback(() => setOpen(false), []);
  const onClick = (): void => setOpen(!isOpen);
  return (
    <>
      {children({ ref: button, active: isOpen, 'aria-expanded': isOpen, onClick })}
      {isOpen && (
        <Panel button={button} align={align} onClose={close}>
          {content}
        </Panel>
      )}
    </>
  );
}
