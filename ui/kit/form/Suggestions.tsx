import { Button, Classes } from '@blueprintjs/core';
import type { UseComboboxReturnValue } from 'downshift';
import { ChevronDownIcon } from '../icons.tsx';
import { useT } from '../language.ts';
import { T } from '../T.tsx';

/** The most items a list shows. Nobody reads a longer list: people type to filter it. */
export const MOST_SUGGESTIONS = 50;

interface SuggestionsProps<Item> {
  box: UseComboboxReturnValue<Item>;
  items: readonly Item[];
  text: (item: Item) => string;
  /** Without items the list is hidden; by default it says that nothing was found. */
  hideEmpty?: boolean;
  /** `no` for names, which a browser must leave as they are. */
  translate?: 'no';
}

/** The list of a combobox. `items` are those that downshift was given. */
export function Suggestions<Item>({ box, items, text, hideEmpty = false, translate }: SuggestionsProps<Item>) {
  const isEmpty = items.length === 0;
  return (
    <ul
      {...box.getMenuProps()}
      className={`${Classes.MENU} combobox-list`}
      hidden={!box.isOpen || (isEmpty && hideEmpty)}
    >
      {box.isOpen &&
        items.map((item, index) => {
          const { id, ...props } = box.getItemProps({ item, index });
          return (
            <li
              {...props}
              key={id}
              id={id}
              className={`${Classes.MENU_ITEM} ${box.highlightedIndex === index ? Classes.ACTIVE : ''}`}
              translate={translate}
            >
              {text(item)}
            </li>
          );
        })}
      {box.isOpen && isEmpty && !hideEmpty && (
        <li className="combobox-none">
          <T k="ui.nothing_found" />
        </li>
      )}
    </ul>
  );
}

interface ToggleProps<Item> {
  box: UseComboboxReturnValue<Item>;
  disabled?: boolean;
}

/** The button at the end of a combobox that opens its list. */
export function SuggestionsToggle<Item>({ box, disabled = false }: ToggleProps<Item>) {
  const t = useT();
  return (
    <Button
      variant="minimal"
      icon={<ChevronDownIcon />}
      disabled={disabled}
      {...box.getToggleButtonProps({ 'aria-label': t('ui.show_choices') })}
    />
  );
}
