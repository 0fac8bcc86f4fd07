import { Button } from '@blueprintjs/core';
import type { ReactNode } from 'react';
import { useFormats, useT } from '../language.ts';
import { T } from '../T.tsx';
import { useKeys } from '../useKeys.ts';

interface SelectionBarProps {
  /** Number of chosen rows, and of rows in the list. */
  count: number;
  total: number;
  /** The filter of the list in words, while all its rows are chosen. */
  words?: string;
  /** Chooses all rows of the list; absent: they are chosen. */
  onAll?: (() => void) | undefined;
  onClear: () => void;
  /** Why nothing can be done with them. */
  warning?: ReactNode;
  /** The acts. */
  children: ReactNode;
}

/** The acts on chosen rows, at the foot of the window, after their number. Esc deselects them. */
export function SelectionBar({ count, total, words = '', onAll, onClear, warning, children }: SelectionBarProps) {
  const t = useT();
  const { number } = useFormats();
  useKeys({
    Escape: () => {
      // An open menu closes first.
      if (!document.querySelector('.bp6-popover')) onClear();
    },
  });
  return (
    <div role="toolbar" aria-label={t('bulk.bar')} className="selection-bar">
      <div className="selection-count">
        <output>
          <T k="bulk.chosen" count={number(count)} total={number(total)} />
        </output>
        {onAll && (
          <button type="button" aria-keyshortcuts="Control+A Meta+A" onClick={onAll}>
            <T k="bulk.all" total={number(total)} />
          </button>
        )}
        {words !== '' && (
          <span className="selection-words">
            <T k="bulk.by_filter" words={words} />
          </span>
        )}
        {warning && <span role="alert">{warning}</span>}
      </div>
      <div className="selection-acts">{children}</div>
      <Button
        className="selection-clear"
        variant="minimal"
        aria-keyshortcuts="Escape"
        text={
          <>
            <T k="bulk.clear" /> <kbd>Esc</kbd>
          </>
        }
        onClick={onClear}
      />
    </div>
  );
}
