import { useCombobox } from 'downshift';
import { useState, type ReactNode } from 'react';
import { ComboboxField } from './ComboboxField.tsx';
import { MOST_SUGGESTIONS, Suggestions } from './Suggestions.tsx';

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
  const inputProps = box.getInputProps({
    onKeyDown: (event) => {
      // Esc closes the list, not the dialog around it.
      if (event.code === 'Escape' && box.isOpen) event.stopPropagation();
    },
  });
  return (
    <ComboboxField box={box} label={label} help={help} error={error} input={{ ...input, ...inputProps }}>
      <Suggestions box={box} items={found} text={text} />
    </ComboboxField>
  );
}
