import { Button, Classes, InputGroup } from '@blueprintjs/core';
import { ChevronDownIcon } from '../icons.tsx';
import { useCombobox } from 'downshift';
import { useState, type ReactNode } from 'react';
import { useT } from '../language.ts';

interface ComboboxProps<Item> {
  label: ReactNode;
  items: readonly Item[];
  value: Item | null;
  onChange: (item: Item | null) => void;
  /** The label of an item; typing filters by it. */
  text: (item: Item) => string;
  placeholder?: string;
  help?: ReactNode;
  error?: string | undefined;
  disabled?: boolean;
}

// Nobody reads a longer list: people type to filter it.
const SHOWN = 50;

/** A filterable choice from a list (ARIA 1.2 combobox). Emptying the field means nothing is chosen. */
export function Combobox<Item>({ label, items, value, onChange, text, help, error, ...input }: ComboboxProps<Item>) {
  const t = useT();
  const [typed, setTyped] = useState<string>();
  const wanted = typed?.trim().toLowerCase() ?? '';
  const found = items.filter((item) => text(item).toLowerCase().includes(wanted)).slice(0, SHOWN);
  const box = useCombobox<Item>({
    items: found,
    selectedItem: value,
    itemToString: (item) => (item === null ? '' : text(item)),
    onSelectedItemChange: ({ selectedItem }) => onChange(selectedItem),
    onInputValueChange: ({ inputValue, type }) => {
      if (type !== useCombobox.stateChangeTypes.InputChange) return;
      setTyped(inputValue);
      if (inputValue === '') onChange(null);
    },
    onIsOpenChange: ({ isOpen }) => {
      if (!isOpen) setTyped(undefined);
    },
  });
  const { ref, ...inputProps } = box.getInputProps({
    'aria-invalid': error !== undefined,
    onKeyDown: (event) => {
      // Esc closes the list, not the dialog around it.
      if (event.code === 'Escape' && box.isOpen) event.stopPropagation();
    },
  });
  return (
    <div className={`${Classes.FORM_GROUP} combobox`}>
      <label className={Classes.LABEL} {...box.getLabelProps()}>
        {label}
      </label>
      <InputGroup
        fill
        {...input}
        {...inputProps}
        inputRef={ref as React.Ref<HTMLInputElement>}
        intent={error === undefined ? 'none' : 'danger'}
        rightElement={
          <Button
            variant="minimal"
            icon={<ChevronDownIcon />}
            disabled={input.disabled ?? false}
            {...box.getToggleButtonProps({ 'aria-label': t('ui.show_choices') })}
          />
        }
      />
      <ul {...box.getMenuProps()} className={`${Classes.MENU} combobox-list`} hidden={!box.isOpen}>
        {box.isOpen &&
          found.map((item, index) => (
            <li
              key={text(item)}
              {...box.getItemProps({ item, index })}
              className={`${Classes.MENU_ITEM} ${box.highlightedIndex === index ? Classes.ACTIVE : ''}`}
            >
              {text(item)}
            </li>
          ))}
        {box.isOpen && found.length === 0 && <li className="combobox-none">{t('ui.nothing_found')}</li>}
      </ul>
      {(error ?? help) && <div className={Classes.FORM_HELPER_TEXT}>{error ?? help}</div>}
    </div>
  );
}
