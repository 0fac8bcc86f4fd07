import { Button, Classes, PopoverNext } from '@blueprintjs/core';
import { useId, type ReactElement } from 'react';
import type { Key } from '../../../src/shared/i18n/index.ts';
import { ChevronDownIcon } from '../../kit/icons.tsx';
import { T } from '../../kit/T.tsx';

/** An act of the bar. */
export interface BulkItem {
  name: string;
  icon: ReactElement;
  text: Key;
  /** Why it can't be done; absent: it can. */
  not?: ReactElement | undefined;
  danger?: boolean;
}

interface BulkMenuProps {
  items: readonly BulkItem[];
  disabled: boolean;
  onAct: (name: string) => void;
}

/** The acts for which the bar has no room. */
export function BulkMenu({ items, disabled, onAct }: BulkMenuProps) {
  const id = useId();
  // A dialog returns the focus to where it was: the menu is gone by then.
  const act = (name: string): void => {
    document.getElementById(id)?.focus();
    onAct(name);
  };
  const menu = (
    <ul className={`${Classes.MENU} domain-menu`}>
      {items.map(({ name, icon, text, not, danger = false }) => (
        <li key={name}>
          <button
            type="button"
            disabled={not !== undefined}
            className={`${Classes.MENU_ITEM} ${Classes.POPOVER_DISMISS} ${danger ? 'bad' : ''} ${not ? Classes.DISABLED : ''}`}
            onClick={() => act(name)}
          >
            {icon}
            <span className={Classes.FILL}>
              <T k={text} />
              {not && <small className="bulk-not">{not}</small>}
            </span>
          </button>
        </li>
      ))}
    </ul>
  );
  return (
    <PopoverNext
      content={menu}
      placement="top-end"
      arrow={false}
      enforceFocus={false}
      disabled={disabled}
      shouldReturnFocusOnClose
      renderTarget={({ isOpen, ref, className, ...handlers }) => (
        <Button
          {...handlers}
          ref={ref}
          id={id}
          className={className}
          variant="minimal"
          disabled={disabled}
          icon={<ChevronDownIcon />}
          active={isOpen}
          aria-haspopup={undefined}
          aria-expanded={isOpen}
          text={<T k="bulk.more" />}
        />
      )}
    />
  );
}
