import { Classes, InputGroup } from '@blueprintjs/core';
import { useCombobox } from 'downshift';
import { useState, type ReactNode } from 'react';
import { MOST_SUGGESTIONS, Suggestions, SuggestionsToggle } from './Suggestions.tsx';

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

/** A filterable choice from a list (ARIA 1.2 combobox). Emptying the field means nothing is chosen. */
export function Combobox<Item>({ label, items, value, onChange, text, help, error, ...input }: ComboboxProps<Item>) {
  const [typed, setTyped] = useState<string>();
  const wanted = typed?.trim().toLowerCase() ?? '';
  const found = items.filter((item) => text(item).toLowerCase().includes(wanted)).slice(0, MOST_SUGGESTIONS);
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
        rightElement={<SuggestionsToggle box={box} disabled={input.disabled ?? false} />}
      />
      <Suggestions box={box} items={found} text={text} />
      {(error ?? help) && <div className={Classes.FORM_HELPER_TEXT}>{error ?? help}</div>}
    </div>
  );
}
