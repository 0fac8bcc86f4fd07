import { Classes } from '@blueprintjs/core';
import { useEffect, useLayoutEffect, useRef, useState } from 'react';
import { createPortal } from 'react-dom';
import './float.css';

const PAUSE_MS = 100;
const GAP = 6;

const targetOf = ({ target }: Event): HTMLElement | null =>
  target instanceof Element ? target.closest<HTMLElement>('[data-tip]') : null;

/** Returns the element whose tip is to be shown: the one under the pointer, or the one that a key has focused. */
function useTarget(): HTMLElement | null {
  const [target, setTarget] = useState<HTMLElement | null>(null);
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const show = (next: HTMLElement | null): void => {
      clearTimeout(timer);
      if (next) timer = setTimeout(() => setTarget(next.isConnected ? next : null), PAUSE_MS);
      else setTarget(null);
    };
    const over = (event: Event): void => show(targetOf(event));
    const focus = (event: Event): void => {
      const next = targetOf(event);
      if (next?.matches(':focus-visible')) show(next);
    };
    const hide = (): void => show(null);
    const onKey = ({ key }: KeyboardEvent): void => {
      if (key === 'Escape') hide();
    };
    const events = { pointerover: over, focusin: focus, focusout: hide, pointerdown: hide } as const;
    for (const [name, listener] of Object.entries(events)) document.addEventListener(name, listener);
    document.addEventListener('keydown', onKey);
    document.addEventListener('scroll', hide, { capture: true, passive: true });
    return () => {
      clearTimeout(timer);
      for (const [name, listener] of Object.entries(events)) document.removeEventListener(name, listener);
      document.removeEventListener('keydown', onKey);
      document.removeEventListener('scroll', hide, { capture: true });
    };
  }, []);
  return target;
}

/**
 * Shows the `data-tip` of what is pointed at or focused, above it. Mounted once: a part for each of a thousand icons would
 * cost more than the icons. A screen reader hears the same as the name of the element.
 */
export function Tips() {
  const target = useTarget();
  const tip = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    if (!target || !tip.current) return;
    const at = target.getBoundingClientRect();
    const { offsetWidth: width, offsetHeight: height } = tip.current;
    const room = document.documentElement.clientWidth - width - GAP;
    tip.current.style.left = `${Math.max(GAP, Math.min(at.left + (at.width - width) / 2, room))}px`;
    tip.current.style.top = `${at.top > height + GAP ? at.top - height - GAP : at.bottom + GAP}px`;
  }, [target]);
  if (!target) return null;
  return createPortal(
    <div ref={tip} aria-hidden="true" className={`${Classes.POPOVER} ${Classes.TOOLTIP} tip`}>
      <div className={Classes.POPOVER_CONTENT}>{target.dataset['tip']}</div>
    </div>,
    document.body,
  );
}
