import { useCombobox, type UseComboboxState } from 'downshift';
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

/**
 * Returns the state of a field whose list was closed: the one item whose whole text was typed is chosen; any other text
 * gives way to that of the item that is chosen.
 */
function leave<Item>(
  closed: UseComboboxState<Item>,
  items: readonly Item[],
  text: (item: Item) => string,
): UseComboboxState<Item> {
  const { selectedItem, inputValue } = closed;
  const shown = selectedItem === null ? '' : text(selectedItem);
  const wanted = inputValue.trim().toLowerCase();
  if (wanted === shown.toLowerCase()) return { ...closed, inputValue: shown };
  const [named, ...others] = items.filter((item) => text(item).toLowerCase() === wanted);
  return named === undefined || others.length > 0
    ? { ...closed, inputValue: shown }
    : { ...closed, selectedItem: named, inputValue: text(named) };
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
    // The list may be fetched anew while somebody types.
    itemToKey: (item) => (item === null ? '' : text(item)),
    stateReducer: (state, { type, changes }) => {
      const { InputClick, InputKeyDownEscape } = useCombobox.stateChangeTypes;
      // A click into what is being typed moves the caret; Esc in a closed field belongs to the dialog around it.
      if (type === InputClick && typed !== undefined) return state;
      if (type === InputKeyDownEscape && !state.isOpen) return state;
      return state.isOpen && changes.isOpen === false ? leave({ ...state, ...changes }, items, text) : changes;
    },
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
