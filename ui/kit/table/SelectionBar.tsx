import { Button } from '@blueprintjs/core';
import type { ReactNode } from 'react';
import { useFormats, useT } from '../language.ts';
import { T } from '../T.tsx';
import { useKeys } from '../useKeys.ts';

interface SelectionBarProps {
  /** How many rows are chosen, of how many that the list has. */
  count: number;
  total: number;
  /** What all rows of the list have in common, in words, while all of them are chosen. */
  words?: string;
  /** Chooses all rows of the list; absent: they are chosen. */
  onAll?: (() => void) | undefined;
  onClear: () => void;
  /** Why nothing can be done with them. */
  warning?: ReactNode;
  /** The acts. */
  children: ReactNode;
}

/** What can be done with chosen rows, at the foot of the window: their number first. Esc gives them free. */
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
          <button type="button" onClick={onAll}>
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
