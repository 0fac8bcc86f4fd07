import { Button, Classes, InputGroup, Tag } from '@blueprintjs/core';
import { CrossIcon } from '../icons.tsx';
import { useCombobox } from 'downshift';
import { useState, type KeyboardEvent, type ReactNode } from 'react';
import { useT } from '../language.ts';
import { T } from '../T.tsx';
import { MOST_SUGGESTIONS, Suggestions } from './Suggestions.tsx';
import './MultiCombobox.css';

interface Item {
  id: number;
  name: string;
}

interface MultiComboboxProps {
  label: ReactNode;
  items: readonly Item[];
  ids: readonly number[];
  onChange: (ids: number[]) => void;
  error?: string | undefined;
}

function Chosen({ items, onRemove }: { items: readonly Item[]; onRemove: (id: number) => void }) {
  const t = useT();
  return (
    <ul className="tag-list">
      {items.map(({ id, name }) => (
        <li key={id}>
          <Tag minimal>{name}</Tag>
          <Button
            variant="minimal"
            size="small"
            icon={<CrossIcon />}
            aria-label={t('sites.action_on', { action: t('ui.take_out'), name })}
            onClick={() => onRemove(id)}
          />
        </li>
      ))}
    </ul>
  );
}

/** Returns the combobox over the items that are not chosen yet, and all of those that match the typed text. */
function useMultiCombobox({ items, ids, onChange, error }: MultiComboboxProps) {
  const [typed, setTyped] = useState('');
  const wanted = typed.trim().toLowerCase();
  const matching = items.filter(({ id, name }) => !ids.includes(id) && name.toLowerCase().includes(wanted));
  const found = matching.slice(0, MOST_SUGGESTIONS);
  const add = (added: readonly Item[]): void => {
    onChange([...ids, ...added.map(({ id }) => id)]);
    setTyped('');
  };
  const box = useCombobox<Item>({
    items: found,
    inputValue: typed,
    selectedItem: null,
    itemToString: (item) => item?.name ?? '',
    onInputValueChange: ({ inputValue, type }) => {
      if (type === useCombobox.stateChangeTypes.InputChange) setTyped(inputValue);
    },
    onSelectedItemChange: ({ selectedItem }) => {
      if (selectedItem) add([selectedItem]);
    },
    // The list stays open for the next choice.
    stateReducer: (state, { type, changes }) =>
      type === useCombobox.stateChangeTypes.ItemClick || type === useCombobox.stateChangeTypes.InputKeyDownEnter
        ? { ...changes, isOpen: state.isOpen, highlightedIndex: 0 }
        : changes,
  });
  const { ref, ...inputProps } = box.getInputProps({
    'aria-invalid': error !== undefined,
    onKeyDown: (event: KeyboardEvent) => {
      if (event.code === 'Escape' && box.isOpen) event.stopPropagation();
      if (event.code === 'Backspace' && typed === '') onChange(ids.slice(0, -1));
    },
  });
  const input = { ...inputProps, inputRef: ref as React.Ref<HTMLInputElement> };
  return { box, input, found, matching, add };
}

/**
 * Several choices from a filterable list. The chosen items are tags above the field; Backspace in the empty field
 * removes the last one.
 */
export function MultiCombobox(props: MultiComboboxProps) {
  const t = useT();
  const { label, items, ids, onChange, error } = props;
  const { box, input, found, matching, add } = useMultiCombobox(props);
  const chosen = ids.flatMap((id) => items.find((item) => item.id === id) ?? []);
  return (
    <div className={`${Classes.FORM_GROUP} combobox multi-combobox`}>
      <label className={Classes.LABEL} {...box.getLabelProps()}>
        {label}
      </label>
      {chosen.length > 0 && <Chosen items={chosen} onRemove={(id) => onChange(ids.filter((one) => one !== id))} />}
      <InputGroup fill {...input} intent={error === undefined ? 'none' : 'danger'} placeholder={t('ui.type_to_find')} />
      <Suggestions box={box} items={found} text={({ name }) => name} />
      {error !== undefined && <div className={Classes.FORM_HELPER_TEXT}>{error}</div>}
      {matching.length > 1 && (
        <Button
          size="small"
          variant="minimal"
          text={<T k="ui.choose_found" count={matching.length} />}
          onClick={() => add(matching)}
        />
      )}
    </div>
  );
}
