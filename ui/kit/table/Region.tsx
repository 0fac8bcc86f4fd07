import type { FocusEvent, HTMLAttributes, ReactNode, RefObject } from 'react';
import type { Density } from '../../../src/shared/access/list-views.ts';
import { useFormats } from '../language.ts';

/** Scrolls a focused element out from under the sticky last column: the browser counts it as visible there. */
function uncover({ currentTarget, target }: FocusEvent<HTMLElement>): void {
  const held = currentTarget.querySelector('thead .held');
  if (!held || !(target instanceof Element) || target === currentTarget || target.closest('td.held')) return;
  const covered = target.getBoundingClientRect().right - held.getBoundingClientRect().left;
  if (covered > 0) currentTarget.scrollLeft += covered;
}

interface RegionProps {
  region: RefObject<HTMLDivElement | null>;
  label: string;
  total: number;
  height: 'page' | 'list' | 'whole';
  density?: Density;
  more: HTMLAttributes<HTMLElement> | undefined;
  children: ReactNode;
}

/** The scrolling box of a list, with its name and length for a screen reader. */
export function Region({ region, label, total, height, density, more, children }: RegionProps) {
  const formats = useFormats();
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- it looks where the focus is, and takes none
    <section
      ref={region}
      onFocus={uncover}
      className={`rows rows-${height} ${density === 'compact' ? 'compact' : ''}`.trim()}
      aria-label={`${label}: ${formats.number(total)}`}
      // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- what scrolls has to be reachable by keyboard
      tabIndex={0}
      {...more}
    >
      {children}
    </section>
  );
}
